// Starts the engine (engine.js) and, where the browser knows relaxed SIMD, its faster kernels.
import createEngine from './engine.js';

const PAGES_AT_START = 256; // 16 MiB in pages of 64 KiB, as engine.wasm declares
const MOST_PAGES = 32768; // 2 GiB

// What relaxed_simd.wasm exports, from best to plainest (lib/infer/kernels.h).
export const RELAXED_KERNELS = ['dot_wasm_relaxed_simd', 'dot_wasm_relaxed_simd16'];

// engineWasm, relaxedWasm: the bytes of engine.wasm and relaxed_simd.wasm. Without relaxedWasm, or where
// it cannot start, the engine runs with its SIMD128 kernel. kernels: those of relaxedWasm to add. A model
// starts with the best by name; engine._minibert_time_kernels(handle) finds the fastest.
export async function startEngine({ engineWasm, relaxedWasm, kernels = RELAXED_KERNELS }) {
  const wasmMemory = new WebAssembly.Memory({ initial: PAGES_AT_START, maximum: MOST_PAGES });
  const engine = await createEngine({ wasmBinary: engineWasm, wasmMemory });
  if (relaxedWasm && WebAssembly.validate(relaxedWasm)) {
    const imports = { env: { memory: wasmMemory } };
    const { instance } = await WebAssembly.instantiate(relaxedWasm, imports);
    for (const name of kernels) {
      const dot = engine.addFunction(instance.exports[name]);
      engine._minibert_add_relaxed_simd(dot, name === 'dot_wasm_relaxed_simd16');
    }
  }
  return engine;
}
