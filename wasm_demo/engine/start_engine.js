// Starts the engine (engine.js) and, where the browser knows relaxed SIMD, its faster kernels.
import createEngine from './engine.js';
import { withSharedMemory } from './shared_memory.js';

const PAGES_AT_START = 256; // 16 MiB in pages of 64 KiB, as engine.wasm declares
const MOST_PAGES = 32768; // 2 GiB
const decoder = new TextDecoder();

// What relaxed_simd.wasm exports, from best to plainest (lib/infer/kernels.h).
export const RELAXED_KERNELS = ['dot_wasm_relaxed_simd', 'dot_wasm_relaxed_simd16'];

// engineWasm, relaxedWasm: the bytes of engine.wasm and relaxed_simd.wasm. Without relaxedWasm, or where
// it cannot start, the engine runs with its SIMD128 kernel. kernels: those of relaxedWasm to add. A model
// starts with the best by name; engine._minibert_time_kernels(handle) finds the fastest. engine.string(pointer)
// reads what a C function gave. shared: in memory
// that another thread may share, which a page must be cross-origin isolated for; engine.startHelper() then
// starts that thread, which takes half of every large product from the moment it is there.
export async function startEngine({ engineWasm, relaxedWasm, kernels = RELAXED_KERNELS, shared = false }) {
  const wasmMemory = new WebAssembly.Memory({ initial: PAGES_AT_START, maximum: MOST_PAGES, shared });
  const adapted = shared ? withSharedMemory : (module) => module;
  const engine = await createEngine({ wasmBinary: adapted(engineWasm), wasmMemory });
  engine.startHelper = () => {};
  // Of a copy, as decoders refuse memory that is shared.
  engine.string = (pointer) =>
    decoder.decode(engine.HEAPU8.slice(pointer, engine.HEAPU8.indexOf(0, pointer)));
  if (relaxedWasm && WebAssembly.validate(relaxedWasm)) {
    const module = await WebAssembly.compile(adapted(relaxedWasm));
    const instance = await WebAssembly.instantiate(module, { env: { memory: wasmMemory } });
    for (const name of kernels) {
      const dot = engine.addFunction(instance.exports[name]);
      engine._minibert_add_relaxed_simd(dot, name === 'dot_wasm_relaxed_simd16');
    }
    if (shared) {
      engine.startHelper = () => {
        engine.startHelper = () => {};
        engine.helper = new Worker(new URL('helper_worker.js', import.meta.url), { type: 'module' });
        engine.helper.postMessage({ module, memory: wasmMemory, job: engine._minibert_helper_job() });
      };
    }
  }
  return engine;
}
