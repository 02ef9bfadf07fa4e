// Calls the engine's C functions (engine/engine_abi.cpp) for messages { id, op, args }, and answers
// { id, result } or { id, error: { code, values } }. Runs in a worker, or on the page where there is none.
// The engine counts UTF-8 bytes; what leaves here counts UTF-16 units, as JavaScript's strings do.
import { MinibertError } from './errors.js';
import { LARGE, startEngine, TIMINGS, TIMING_MS } from './start_engine.js';

// For each byte of the UTF-8 form of `text`, and its end, the UTF-16 index; null where they are the same.
function utf16Index(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return null;
  const index = [];
  let unit = 0;
  for (const character of text) {
    const point = character.codePointAt(0);
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (let i = 0; i < bytes; ++i) index.push(unit);
    unit += character.length;
  }
  index.push(unit);
  return index;
}

// Offsets of tokens or masks, turned into UTF-16 in place.
function toUtf16(ranges, text) {
  const index = utf16Index(text);
  if (index) for (const range of ranges) [range.begin, range.end] = [index[range.begin], index[range.end]];
  return ranges;
}

export class EngineHost {
  async answer({ id, op, args }) {
    try {
      return { id, result: await this[op](args) };
    } catch (error) {
      const { code, values } = MinibertError.from(error);
      return { id, error: { code, values } };
    }
  }

  // engineWasm, relaxedWasm: bytes, the second null for browsers without relaxed SIMD.
  async start({ engineWasm, relaxedWasm }) {
    this.engine = await startEngine({ engineWasm, relaxedWasm, shared: self.crossOriginIsolated === true });
    this.limits = new Map();  // handle → most tokens that its model reads, of a text or of a question
    this.timings = new Map();  // handle → timings of its kernels that are still to come
    return {};
  }

  load({ bytes, name }) {
    const { engine } = this;
    const file = engine._minibert_alloc(bytes.length);
    if (!file) throw new MinibertError('no-memory', { bytes: bytes.length });
    engine.HEAPU8.set(bytes, file);
    const handle = engine._minibert_load(file, bytes.length);
    if (!handle) throw new MinibertError('bad-model', { name, detail: this.string(engine._minibert_error()) });
    const facts = this.json(engine._minibert_facts(handle));
    // Of two processors the browser itself needs one: there a second thread made the median no shorter.
    if (facts.parameters >= LARGE && navigator.hardwareConcurrency > 2) engine.startHelper();
    this.limits.set(handle, facts.answers?.max_question ?? facts.max_positions);
    this.timings.set(handle, TIMINGS);
    return { handle, facts };
  }

  unload({ handle }) {
    this.engine._minibert_unload(handle);
    this.limits.delete(handle);
    this.timings.delete(handle);
    return {};
  }

  // Only once the model has answered, so that no first answer waits for it.
  timeKernels(handle) {
    if (this.timing || !this.timings.get(handle)) return;
    this.timing = setTimeout(() => {
      this.timing = null;
      if (!this.timings.has(handle)) return;
      this.timings.set(handle, this.timings.get(handle) - 1);
      this.engine._minibert_time_kernels(handle);
      this.timeKernels(handle);
    }, TIMING_MS);
  }

  fill({ handle, text, top }) {
    const answer = this.ask('fill', handle, text, top);
    this.timeKernels(handle);
    toUtf16(answer.tokens, text);
    toUtf16(answer.masks, text);
    return answer;
  }

  answers({ handle, question, text, top }) {
    const answer = this.withString(text, (pointer) => this.ask('answer', handle, question, pointer, top));
    this.timeKernels(handle);
    toUtf16(answer.answers, text);
    return answer;
  }

  classify({ handle, text, second, words }) {
    const answer = this.withString(second, (pointer) => this.ask('classify', handle, text, pointer, words ? 1 : 0));
    this.timeKernels(handle);
    toUtf16(answer.words, text);
    return answer;
  }

  tag({ handle, text }) {
    const answer = this.ask('tag', handle, text);
    this.timeKernels(handle);
    toUtf16(answer.entities, text);
    return answer;
  }

  words({ handle, text, mask, top }) {
    return this.ask('words', handle, text, mask, top);
  }

  score({ handle, text, mask, word }) {
    return this.withString(word, (pointer) => this.ask('score', handle, text, mask, pointer));
  }

  tokenize({ handle, text }) {
    return toUtf16(this.ask('tokenize', handle, text), text);
  }

  attention({ handle, text }) {
    const answer = this.ask('attention', handle, text);
    toUtf16(answer.tokens, text);
    const count = (answer.layers - answer.local_layers) * answer.heads * answer.tokens.length ** 2;
    const weights = this.engine._minibert_attention_weights(handle);
    return { ...answer, weights: new Float32Array(this.engine.HEAPU8.buffer, weights, count).slice() };
  }

  explain({ handle, text, top }) {
    const answer = this.ask('explain', handle, text, top);
    toUtf16(answer.tokens, text);
    const numbers = this.engine._minibert_explain_numbers();
    return { ...answer, weights: new Float32Array(this.engine.HEAPU8.buffer, numbers, answer.numbers).slice() };
  }

  // Logits of one position for given ids: for the benchmark and the tests.
  logits({ handle, ids, position, vocabulary }) {
    const { engine } = this;
    const pointer = engine._malloc(4 * ids.length);
    new Int32Array(engine.HEAPU8.buffer, pointer, ids.length).set(ids);
    const logits = engine._minibert_logits(handle, pointer, ids.length, position);
    engine._free(pointer);
    if (!logits) this.fail();
    return new Float32Array(engine.HEAPU8.buffer, logits, vocabulary).slice();
  }

  memory() {
    return { bytes: this.engine.HEAPU8.length };
  }

  // The JSON that a C function makes of a text.
  ask(name, handle, text, ...rest) {
    const answer = this.withString(text, (pointer) => this.engine[`_minibert_${name}`](handle, pointer, ...rest));
    if (answer) return this.json(answer);
    return this.fail(() => ({ found: this.tokenize({ handle, text }).length, limit: this.limits.get(handle) }));
  }

  // What work(pointer) gives, with `text` in the engine's memory meanwhile.
  withString(text, work) {
    const { engine } = this;
    const size = engine.lengthBytesUTF8(text) + 1;
    const pointer = engine._malloc(size);
    engine.stringToUTF8(text, pointer, size);
    try {
      return work(pointer);
    } finally {
      engine._free(pointer);
    }
  }

  fail(lengths = () => ({})) {
    const code = this.string(this.engine._minibert_error_code());
    const detail = this.string(this.engine._minibert_error());
    throw new MinibertError(code, code.endsWith('-too-long') ? lengths() : code === 'engine' ? { detail } : {});
  }

  json(pointer) {
    if (!pointer) this.fail();
    return JSON.parse(this.string(pointer));
  }

  string(pointer) {
    return this.engine.string(pointer);
  }
}
