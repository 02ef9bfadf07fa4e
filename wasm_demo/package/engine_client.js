// The engine as promises, and models that are loaded into it. It runs in a worker, so that no model blocks a
// frame; where a worker cannot be started the same host runs here. Failures are MinibertErrors.
import { SIZES } from './built.js';
import { MinibertError } from './errors.js';
import { download, Progress } from './loader.js';
import { checkedOptions, Model } from './model.js';
import { hasRelaxedSimd, hasSimd } from './support.js';

/**
 * @typedef {import('./minibert.js').Engine} PublicEngine
 * @typedef {import('./minibert.js').EngineModules} EngineModules
 * @typedef {import('./minibert.js').LoadOptions} LoadOptions
 * @typedef {import('./minibert.js').ModelSource} ModelSource
 * @typedef {{ resolve: (result: any) => void, reject: (error: unknown) => void }} Waiting
 * @typedef {{ postMessage: (message: any, transfer?: any) => void, terminate: () => void }} Host
 */

// The engine's own files, beside this one: addresses that bundlers know how to read.
const FILES = {
  'engine.wasm': () => new URL('./engine.wasm', import.meta.url),
  'relaxed_simd.wasm': () => new URL('./relaxed_simd.wasm', import.meta.url),
};

/** @type {(name: keyof typeof FILES, progress: Progress, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>} */
const own = (name, progress, signal) =>
  download(FILES[name](), { size: SIZES[name], signal, onProgress: progress.part(name, SIZES[name]) });

// A model's bytes, to be given away, and the name that messages call it by.
/** @type {(source: ModelSource, options: LoadOptions, progress: Progress, signal: AbortSignal) => Promise<{ bytes: Uint8Array<ArrayBuffer>, name: string }>} */
async function bytesOf(source, { size, name }, progress, signal) {
  if (typeof source === 'string' || source instanceof URL) {
    const address = String(source);
    const bytes = await download(address, { size, signal, onProgress: progress.part(address, size ?? 0) });
    return { bytes, name: name ?? /** @type {string} */ (address.split('/').pop()) };
  }
  if (source instanceof Blob)
    return { bytes: new Uint8Array(await source.arrayBuffer()), name: name ?? (source instanceof File ? source.name : 'model.mbq') };
  if (source instanceof ArrayBuffer) return { bytes: new Uint8Array(source.slice(0)), name: name ?? 'model.mbq' };
  if (ArrayBuffer.isView(source))
    return { bytes: new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice(), name: name ?? 'model.mbq' };
  const found = source === null ? 'null' : typeof source;
  throw new MinibertError('bad-argument', { name: 'model', found, expected: 'address, Blob, ArrayBuffer' });
}

/** @implements {PublicEngine} */
export class Engine {
  // Its scripts come at once; whatever is asked of it waits for start().
  constructor() {
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    this.next = 1;
    this.users = 0;  // models that are loaded, or being so
    /** @type {Promise<void> | null} */
    this.started = null;
    this.disposed = false;
    this.stopping = new AbortController();  // of the downloads of its own files, which no single model's end
    /** @type {MinibertError | null} */
    this.broken = null;  // why nothing can be asked of the worker
    this.answered = false;
    this.worker = this.startWorker();
  }

  /** @returns {Host} */
  startWorker() {
    this.broken = null;
    this.answered = false;
    try {
      const worker = new Worker(new URL('./engine_worker.js', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }) => this.settle(data);
      worker.onerror = (event) =>
        this.fail(new MinibertError('engine', { detail: event.message || 'the engine worker stopped' }));
      return worker;
    } catch {
      // No workers here, or the script is another origin's.
      /** @type {Promise<any>} */
      const host = import(/** @type {string} */ ('./engine_host.js')).then(({ EngineHost }) => new EngineHost());
      return {
        postMessage: (message) => host.then((it) => it.answer(message))
          .then((answer) => this.settle(answer), (error) => this.fail(MinibertError.from(error))),
        terminate: () => { host.then((it) => it.stop(), () => {}); },
      };
    }
  }

  // modules: the bytes of engine.wasm and of relaxed_simd.wasm (null: not wanted), else they are downloaded.
  // Done once; tried again after a failure.
  /**
   * @param {{ modules?: Promise<EngineModules> | EngineModules, progress?: Progress }} [options]
   * @returns {Promise<void>}
   */
  start({ modules, progress = new Progress(() => {}) } = {}) {
    const { signal } = this.stopping;
    if (this.disposed) return Promise.reject(new MinibertError('disposed', { model: 'Engine' }));
    if (!hasSimd()) return Promise.reject(new MinibertError('unsupported', { names: 'WebAssembly SIMD' }));
    if (this.started) return this.started;
    if (this.broken) {
      this.worker.terminate();
      this.worker = this.startWorker();
    }
    const taken = modules ?? Promise.all([own('engine.wasm', progress, signal),
      hasRelaxedSimd() ? own('relaxed_simd.wasm', progress, signal) : null])
      .then(([engineWasm, relaxedWasm]) => ({ engineWasm, relaxedWasm }));
    const started = Promise.resolve(taken).then((bytes) => this.post('start', bytes));
    this.started = started;
    started.catch(() => { if (this.started === started) this.started = null; });
    return started;
  }

  /** @param {{ id: number, result?: any, error?: { code: import('./minibert.js').ErrorCode, values: any } }} answer */
  settle({ id, result, error }) {
    this.answered = true;
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) asked?.reject(new MinibertError(error.code, error.values));
    else asked?.resolve(result);
  }

  // Before the first answer it means that the scripts did not load, so that there will be none.
  /** @param {MinibertError} error */
  fail(error) {
    if (!this.answered) this.broken = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  // What is asked is dropped when the signal says so: its answer is not waited for.
  /**
   * @param {string} op
   * @param {any} args
   * @param {{ transfer?: ArrayBuffer[], signal?: AbortSignal }} [options]
   * @returns {Promise<any>}
   */
  post(op, args, { transfer = [], signal } = {}) {
    if (this.broken) return Promise.reject(this.broken);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const id = this.next++;
      const stop = () => reject(signal?.reason);
      const done = () => signal?.removeEventListener('abort', stop);
      signal?.addEventListener('abort', stop, { once: true });
      this.waiting.set(id, { resolve: (it) => { done(); resolve(it); }, reject: (it) => { done(); reject(it); } });
      this.worker.postMessage({ id, op, args }, transfer);
    });
  }

  /**
   * @param {ModelSource} source
   * @param {LoadOptions} [options]
   * @returns {Promise<Model>}
   */
  async load(source, options) {
    const { progress = () => {}, signal } = checkedOptions('load', options);
    signal?.throwIfAborted();
    ++this.users;
    // What fails stops what else is still coming.
    const stopping = new AbortController();
    const stop = () => stopping.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    const sum = new Progress((_, received, total) => progress({ received, total }));
    try {
      const aborted = new Promise((_, reject) => {
        stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason), { once: true });
      });
      aborted.catch(() => {});
      const all = Promise.all([bytesOf(source, options ?? {}, sum, stopping.signal),
        this.start({ progress: sum })]);
      const [{ bytes, name }] = await /** @type {typeof all} */ (Promise.race([all, aborted]));
      // Not dropped from here on: a model that comes late would stay in memory.
      const { handle, facts } = await this.post('load', { bytes, name }, { transfer: [bytes.buffer] });
      const model = new Model(this, handle, facts, name);
      if (!signal?.aborted) return model;
      model.dispose();
      ++this.users;
      throw signal.reason;
    } catch (error) {
      stopping.abort(error);
      this.release();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  // One user less.
  release() {
    --this.users;
    if (this === common && this.users === 0) this.dispose();
  }

  /** @returns {Promise<{ bytes: number }>} */
  async memory() {
    await (this.started ?? this.start());
    return this.post('memory', {});
  }

  dispose() {
    if (this.disposed) return;
    this.disposed = true;
    this.stopping.abort();
    this.worker.terminate();
    this.broken = new MinibertError('disposed', { model: 'Engine' });
    this.fail(this.broken);
  }
}

// The engine of all models that name none. Its worker ends with the last of them.
/** @type {Engine | null} */
let common = null;

/** @type {typeof import('./minibert.js').load} */
export const load = async (source, options) => {
  const engine = options?.engine ?? (common = !common || common.disposed ? new Engine() : common);
  return /** @type {Engine} */ (engine).load(source, options);
};
