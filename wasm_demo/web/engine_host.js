// Calls the engine's C functions (engine/engine_abi.cpp) for messages { id, op, args }, and answers
// { id, result } or { id, error }. Runs in a worker, or on the page where there is none.
import { startEngine } from './start_engine.js';

export class EngineHost {
  async answer({ id, op, args }) {
    try {
      return { id, result: await this[op](args) };
    } catch (error) {
      return { id, error: error.message };
    }
  }

  // engineWasm, relaxedWasm: bytes, the second null for browsers without relaxed SIMD.
  async start({ engineWasm, relaxedWasm }) {
    this.engine = await startEngine({ engineWasm, relaxedWasm });
    return {};
  }

  load({ bytes }) {
    const { engine } = this;
    const file = engine._minibert_alloc(bytes.length);
    if (!file) throw new Error(`no memory for a model of ${bytes.length} bytes`);
    engine.HEAPU8.set(bytes, file);
    const handle = engine._minibert_load(file, bytes.length);
    if (!handle) throw new Error(this.error());
    return { handle, facts: this.json(engine._minibert_facts(handle)) };
  }

  unload({ handle }) {
    this.engine._minibert_unload(handle);
    return {};
  }

  fill({ handle, text, top }) {
    return this.withText(text, (pointer) => this.json(this.engine._minibert_fill(handle, pointer, top)));
  }

  tokenize({ handle, text }) {
    return this.withText(text, (pointer) => this.json(this.engine._minibert_tokenize(handle, pointer)));
  }

  attention({ handle, text }) {
    const answer = this.withText(text, (pointer) => this.json(this.engine._minibert_attention(handle, pointer)));
    const count = answer.layers * answer.heads * answer.tokens.length ** 2;
    const weights = this.engine._minibert_attention_weights(handle);
    return { ...answer, weights: new Float32Array(this.engine.HEAPU8.buffer, weights, count).slice() };
  }

  // Logits of one position for given ids: for the benchmark and the tests.
  logits({ handle, ids, position, vocabulary }) {
    const { engine } = this;
    const pointer = engine._malloc(4 * ids.length);
    new Int32Array(engine.HEAPU8.buffer, pointer, ids.length).set(ids);
    const logits = engine._minibert_logits(handle, pointer, ids.length, position);
    engine._free(pointer);
    if (!logits) throw new Error(this.error());
    return new Float32Array(engine.HEAPU8.buffer, logits, vocabulary).slice();
  }

  memory() {
    return { bytes: this.engine.HEAPU8.length };
  }

  withText(text, use) {
    const { engine } = this;
    const size = engine.lengthBytesUTF8(text) + 1;
    const pointer = engine._malloc(size);
    engine.stringToUTF8(text, pointer, size);
    try {
      return use(pointer);
    } finally {
      engine._free(pointer);
    }
  }

  json(pointer) {
    if (!pointer) throw new Error(this.error());
    return JSON.parse(this.engine.UTF8ToString(pointer));
  }

  error() {
    return this.engine.UTF8ToString(this.engine._minibert_error());
  }
}
