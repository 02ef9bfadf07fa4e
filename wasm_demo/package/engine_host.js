// Calls the engine's C functions (engine/engine_abi.cpp) for messages { id, op, args }, and answers
// { id, result } or { id, error: { code, values } }. Runs in a worker, or on the page where there is none.
import { MinibertError } from './errors.js';
import { LARGE, startEngine, TIMINGS, TIMING_MS } from './start_engine.js';

// What says how a model comes to its answer, and is no answer itself.
const LOOKS = ['tokenize', 'words', 'score', 'attention', 'explain', 'intervene'];
const WITH_NUMBERS = ['attention', 'explain', 'embed'];

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
    try {
      this.engine = await startEngine({ engineWasm, relaxedWasm, shared: globalThis.crossOriginIsolated === true });
    } catch (error) {
      throw error instanceof RangeError ? new MinibertError('no-memory', { bytes: engineWasm.length }) : error;
    }
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
    // The browser itself needs one of two processors: there a second thread made the median no shorter.
    if (facts.parameters >= LARGE && globalThis.navigator?.hardwareConcurrency > 2) engine.startHelper();
    this.timings.set(handle, TIMINGS);
    return { handle, facts };
  }

  unload({ handle }) {
    this.engine._minibert_unload(handle);
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

  // What minibert_NAME(handle, …values) answers: its JSON text, or { json, numbers: Float32Array } of a function
  // that leaves numbers beside it. The first value is the text that is read.
  ask({ name, handle, values }) {
    const json = this.call(name, handle, values);
    if (!LOOKS.includes(name)) this.timeKernels(handle);
    if (!WITH_NUMBERS.includes(name)) return json;
    const { engine } = this;
    const numbers = new Float32Array(engine.HEAPU8.buffer, engine._minibert_numbers(), engine._minibert_numbers_count());
    return { json, numbers: numbers.slice() };
  }

  // The logits of one position, for tests.
  logits({ handle, ids, position, vocabulary }) {
    const { engine } = this;
    const pointer = engine._malloc(4 * ids.length);
    new Int32Array(engine.HEAPU8.buffer, pointer, ids.length).set(ids);
    const logits = engine._minibert_logits(handle, pointer, ids.length, position);
    engine._free(pointer);
    if (!logits) this.fail();
    return new Float32Array(engine.HEAPU8.buffer, logits, vocabulary).slice();
  }

  stop() {
    clearTimeout(this.timing);
    this.timings?.clear();
    this.engine?.helper?.terminate();
    this.engine = null;
  }

  memory() {
    return { bytes: this.engine.HEAPU8.length };
  }

  // The text that a C function answers; texts among the values are in the engine's memory meanwhile.
  call(name, handle, values) {
    const { engine } = this;
    const pointers = [];
    const passed = values.map((value) => {
      if (typeof value !== 'string') return Number(value);
      const size = engine.lengthBytesUTF8(value) + 1;
      const pointer = engine._malloc(size);
      if (!pointer) throw new MinibertError('no-memory', { bytes: size });
      engine.stringToUTF8(value, pointer, size);
      pointers.push(pointer);
      return pointer;
    });
    let answer;
    try {
      answer = engine[`_minibert_${name}`](handle, ...passed);
    } finally {
      for (const pointer of pointers) engine._free(pointer);
    }
    if (answer) return this.string(answer);
    return this.fail();
  }

  // Throws what the engine says. What is too long tells how many pieces were found, and how many there may be; [CLS] and
  // [SEP] count in a text.
  fail() {
    const code = this.string(this.engine._minibert_error_code());
    const detail = this.string(this.engine._minibert_error());
    if (!code.endsWith('-too-long')) throw new MinibertError(code, code === 'engine' ? { detail } : {});
    throw new MinibertError(code, { found: this.engine._minibert_error_found(), limit: this.engine._minibert_error_most() });
  }

  json(pointer) {
    if (!pointer) this.fail();
    return JSON.parse(this.string(pointer));
  }

  string(pointer) {
    return this.engine.string(pointer);
  }
}
