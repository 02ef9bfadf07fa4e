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
  // → { tokens, masks, filled, timing, kernel }
  fill(handle, text, top) {
    return this.call('fill', { handle, text, top });
  }
  // → { answers, question_pieces, context_pieces, windows, timing, kernel }
  answers(handle, question, text, top) {
    return this.call('answers', { handle, question, text, top });
  }
  // second: of a pair, else ''; words: whether the text's words are weighed.
  // → { labels, words: [{ begin, end, probability }], pieces, read, timing, kernel }
  classify(handle, text, second, words) {
    return this.call('classify', { handle, text, second, words });
  }
  // → { entities: [{ type, text, begin, end, probability }], pieces, read, timing, kernel }
  tag(handle, text) {
    return this.call('tag', { handle, text });
  }
  // Whole words for the mask-th mask: → [{ text, pieces: [{ id, piece }], probability }]
  words(handle, text, mask, top) {
    return this.call('words', { handle, text, mask, top });
  }
  // How likely a word is there: → { pieces: [{ id, piece, rank, probability }], probability }
  score(handle, text, mask, word) {
    return this.call('score', { handle, text, mask, word });
  }
  // → [{ id, piece, begin, end }], offsets in UTF-16 units
  tokenize(handle, text) {
    return this.call('tokenize', { handle, text });
  }
  // → { tokens, layers, heads, weights: Float32Array [layers, heads, n, n] }
  attention(handle, text) {
    return this.call('attention', { handle, text });
  }
  // What the model did with the text, as engine/engine_abi.cpp lays it out: → { tokens, layers, heads, d_model,
  // d_ff, embedding_size, masks, weights: Float32Array }
  explain(handle, text, top) {
    return this.call('explain', { handle, text, top });
  }
  // → { bytes } of the engine's memory
  memory() {
    return this.call('memory', {});
  }
}
