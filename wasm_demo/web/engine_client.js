// The engine as promises. It runs in a worker, so that no model blocks a frame; where a worker cannot
// be started the same host runs here. Failures are MinibertErrors.
import { MinibertError } from './errors.js';

export class EngineClient {
  // Its scripts come at once; whatever is asked of it waits for start().
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.startWorker();
  }

  startWorker() {
    this.broken = null;  // why nothing can be asked of the worker
    this.answered = false;
    try {
      this.worker = new Worker(new URL('engine_worker.js', import.meta.url), { type: 'module' });
      this.worker.onmessage = ({ data }) => this.settle(data);
      this.worker.onerror = (event) =>
        this.fail(new MinibertError('engine', { detail: event.message || 'the engine worker stopped' }));
    } catch {
      const host = import('./engine_host.js').then(({ EngineHost }) => new EngineHost());
      this.worker = {
        postMessage: (message) => host.then((it) => it.answer(message))
          .then((answer) => this.settle(answer), (error) => this.fail(MinibertError.from(error))),
        terminate: () => {},
      };
    }
  }

  // modules: promise of { engineWasm, relaxedWasm (or null) }, the bytes of both. May be called again after a
  // failure.
  start(modules) {
    if (this.broken) {
      this.worker.terminate();
      this.startWorker();
    }
    this.started = modules.then((bytes) => this.post('start', bytes));
    return this.started;
  }

  settle({ id, result, error }) {
    this.answered = true;
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new MinibertError(error.code, error.values));
    else resolve(result);
  }

  // Before the first answer it means that the scripts did not load, so that there will be none.
  fail(error) {
    if (!this.answered) this.broken = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  async call(op, args, transfer) {
    await this.started;
    return this.post(op, args, transfer);
  }

  post(op, args, transfer = []) {
    if (this.broken) return Promise.reject(this.broken);
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, op, args }, transfer);
    });
  }

  // bytes: Uint8Array of a .mbq, given away; name: what messages call it. → { handle, facts }
  load(bytes, name) {
    return this.call('load', { bytes, name }, [bytes.buffer]);
  }
  unload(handle) {
    return this.call('unload', { handle });
  }
  // What minibert_NAME(handle, …values) of engine/engine_abi.cpp answers: its JSON as text, so that it is parsed
  // once, where it is read; of attention and explain { json, numbers: Float32Array }.
  ask(name, handle, ...values) {
    return this.call('ask', { name, handle, values });
  }
  // → { bytes } of the engine's memory
  memory() {
    return this.call('memory', {});
  }
}
