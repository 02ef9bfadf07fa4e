// Starts the engine (engine.js) and, where the browser knows relaxed SIMD, its faster kernel.
import createEngine from './engine.js';

const PAGES_AT_START = 256; // 16 MiB in pages of 64 KiB, as engine.wasm declares
const MOST_PAGES = 32768; // 2 GiB

// engineWasm, relaxedWasm: the bytes of engine.wasm and relaxed_simd.wasm. Without relaxedWasm, or where
// it cannot start, the engine runs with its SIMD128 kernel. measure: each model with the faster of the two;
// else with relaxed SIMD where there is such.
export async function startEngine({ engineWasm, relaxedWasm, measure = false }) {
  const wasmMemory = new WebAssembly.Memory({ initial: PAGES_AT_START, maximum: MOST_PAGES });
  const engine = await createEngine({ wasmBinary: engineWasm, wasmMemory });
  if (relaxedWasm && WebAssembly.validate(relaxedWasm)) {
    const imports = { env: { memory: wasmMemory } };
    const { instance } = await WebAssembly.instantiate(relaxedWasm, imports);
    engine._minibert_use_relaxed_simd(engine.addFunction(instance.exports.dot_wasm_relaxed_simd));
  }
  if (measure) engine._minibert_measure_kernels();
  return engine;
}
