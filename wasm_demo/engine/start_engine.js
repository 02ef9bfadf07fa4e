// Starts the engine (engine.js) and, where the browser knows relaxed SIMD, its faster kernels.
import createEngine from './engine.js';
import { withSharedMemory } from './shared_memory.js';

const PAGES_AT_START = 256; // 16 MiB in pages of 64 KiB, as engine.wasm declares
const MOST_PAGES = [32768, 8192, 2048]; // 2 GiB, and what old phones grant: 512 and 128 MiB
const MOST_SHARED_PAGES = [8192, 4096]; // 512 MiB, which are set aside at once
const decoder = new TextDecoder();

// How the page times a model's kernels once it has answered: so often, as browsers have then compiled them
// well, and with pauses, as each timing takes some twenty milliseconds.
export const TIMINGS = 8;
export const TIMING_MS = 300;
export const LARGE = 5e6; // parameters of a model that is worth a second thread

// What relaxed_simd.wasm exports, from best to plainest (lib/infer/kernels/kernels.h).
export const RELAXED_KERNELS = ['dot_wasm_relaxed_simd', 'dot_wasm_relaxed_simd16'];

// With the first of these maxima that the browser grants; null where it grants none.
function memory(maxima, shared) {
  for (const maximum of maxima) {
    try {
      return new WebAssembly.Memory({ initial: PAGES_AT_START, maximum, shared });
    } catch { /* too much for it */ }
  }
  return null;
}

// engineWasm, relaxedWasm: the bytes of engine.wasm and relaxed_simd.wasm. Without relaxedWasm, or where
// it cannot start, the engine runs with its SIMD128 kernel. kernels: those of relaxedWasm to add. A model
// starts with the best by name; engine._minibert_time_kernels(handle) finds the fastest.
// engine.string(pointer) reads what a C function gave.
// shared: in memory that another thread may share, if there is enough of it; the page must be cross-origin
// isolated. engine.startHelper() then starts that thread, which takes half of every large product once it is
// there.
export async function startEngine({ engineWasm, relaxedWasm, kernels = RELAXED_KERNELS, shared = false }) {
  const inCommon = shared ? memory(MOST_SHARED_PAGES, true) : null;
  const wasmMemory = inCommon ?? memory(MOST_PAGES, false);
  if (!wasmMemory) throw new RangeError('could not allocate memory');
  const adapted = inCommon ? withSharedMemory : (module) => module;
  const engine = await createEngine({ wasmBinary: adapted(engineWasm), wasmMemory });
  engine.startHelper = () => {};
  // Decodes a copy, as decoders refuse memory that is shared.
  engine.string = (pointer) =>
    decoder.decode(engine.HEAPU8.slice(pointer, engine.HEAPU8.indexOf(0, pointer)));
  if (relaxedWasm && WebAssembly.validate(relaxedWasm)) {
    const module = await WebAssembly.compile(adapted(relaxedWasm));
    const instance = await WebAssembly.instantiate(module, { env: { memory: wasmMemory } });
    for (const name of kernels) {
      const dot = engine.addFunction(instance.exports[name]);
      engine._minibert_add_relaxed_simd(dot, name === 'dot_wasm_relaxed_simd16');
    }
    if (inCommon) {
      engine.startHelper = () => {
        engine.startHelper = () => {};
        try {
          engine.helper = new Worker(new URL('helper_worker.js', import.meta.url), { type: 'module' });
          engine.helper.postMessage({ module, memory: wasmMemory, job: engine._minibert_helper_job() });
        } catch { /* no workers here: one thread does it all */ }
      };
    }
  }
  return engine;
}
