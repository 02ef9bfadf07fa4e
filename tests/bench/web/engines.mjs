// The page's engine and its peers, each started as its documents say, of files beside this page. A start resolves to
// { logits(ids, position), release() }.
import { startEngine, TIMINGS, TIMING_MS } from './start_engine.js';

const here = (path) => new URL(path, import.meta.url).href;

async function bytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: found status ${response.status}, expected 200`);
  return new Uint8Array(await response.arrayBuffer());
}

// Also facts, fastest() and helped(). options: of startEngine().
export async function startOurs(model, options = {}) {
  const [engineWasm, relaxedWasm, file] = await Promise.all(['engine.wasm', 'relaxed_simd.wasm', model].map(bytes));
  const engine = await startEngine({ engineWasm, relaxedWasm, ...options });
  const memory = engine._minibert_alloc(file.length);
  engine.HEAPU8.set(file, memory);
  const checked = (pointer) => {
    if (!pointer) throw new Error(engine.string(engine._minibert_error()));
    return pointer;
  };
  const handle = checked(engine._minibert_load(memory, file.length));
  const readFacts = () => JSON.parse(engine.string(engine._minibert_facts(handle)));
  const facts = readFacts();
  const input = engine._malloc(4 * facts.max_positions);
  const logits = (ids, position) => {
    engine.HEAP32.set(ids, input / 4);
    const output = checked(engine._minibert_logits(handle, input, ids.length, position));
    return engine.HEAPF32.subarray(output / 4, output / 4 + facts.vocab_size);
  };
  // The name of the kernel that the page takes.
  const fastest = async () => {
    for (let i = 0; i < TIMINGS; ++i) {
      await new Promise((resolve) => setTimeout(resolve, TIMING_MS));
      engine._minibert_time_kernels(handle);
    }
    return readFacts().kernel;
  };
  // The second thread, once it helps.
  const helped = async () => {
    engine.startHelper();
    while (!readFacts().kernel.endsWith('2 threads')) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { logits, facts, fastest, helped, release: () => {} };
}

export async function startOnnxRuntime(graph, threads) {
  const [ort, file] = await Promise.all([import('./onnxruntime/ort.wasm.min.mjs'), bytes(graph)]);
  ort.env.wasm.numThreads = threads;
  ort.env.wasm.wasmPaths = here('onnxruntime/');
  const session = await ort.InferenceSession.create(file, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
  const logits = async (ids, position) => {
    const { logits: { data } } = await session.run({
      ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      position: new ort.Tensor('int64', [BigInt(position)], [1]),
    });
    return data;
  };
  return { logits, release: () => session.release() };
}

// The peers of one model: name -> start(threads).
export function peersOf({ graphs }, length) {
  return {
    onnxruntime_int8: (threads) => startOnnxRuntime(graphs[length].int8, threads),
    onnxruntime_float: (threads) => startOnnxRuntime(graphs[length].float, threads),
  };
}
