// The page's engine and its peers, each started as its documents say, of files beside this page. A start resolves to
// { logits(ids, position), release() }, where it has a tokenizer with fill(text) -> the best guess's id.
import { startEngine, TIMINGS, TIMING_MS } from './start_engine.js';

const TOP = 5; // guesses that fill() asks for
const here = (path) => new URL(path, import.meta.url).href;

async function bytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: found status ${response.status}, expected 200`);
  return new Uint8Array(await response.arrayBuffer());
}

// Also facts, fastest(), helped() and tokenize(text) -> pieces. options: of startEngine().
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
  const withText = (text, call) => {
    const size = engine.lengthBytesUTF8(text) + 1;
    const pointer = engine._malloc(size);
    engine.stringToUTF8(text, pointer, size);
    const answer = JSON.parse(engine.string(checked(call(pointer))));
    engine._free(pointer);
    return answer;
  };
  const fill = (text) => withText(text, (pointer) => engine._minibert_fill(handle, pointer, TOP)).masks[0].guesses[0].id;
  const tokenize = (text) => withText(text, (pointer) => engine._minibert_tokenize(handle, pointer));
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
  return { logits, fill, tokenize, facts, fastest, helped, release: () => {} };
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

// Its pipeline "fill-mask" on the processor. Without a WebGPU its smaller WebAssembly will do, without ASYNCIFY's cost.
export async function startTransformers(name, dtype, threads) {
  const { env, pipeline, Tensor } = await import('./transformers/transformers.min.js');
  Object.assign(env, { allowLocalModels: true, allowRemoteModels: false });
  const wasm = 'transformers/ort-wasm-simd-threaded';
  Object.assign(env.backends.onnx.wasm, { numThreads: threads, wasmPaths: { mjs: here(`${wasm}.mjs`), wasm: here(`${wasm}.wasm`) } });
  const guess = await pipeline('fill-mask', name, { device: 'wasm', dtype });
  const logits = async (ids, position) => {
    const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { logits: { data, dims: [, , pieces] } } = await guess.model({ input_ids: input });
    return data.subarray(position * pieces, (position + 1) * pieces);
  };
  const fill = async (text) => (await guess(text, { top_k: TOP }))[0].token;
  return { logits, fill, release: () => guess.dispose() };
}

// The peers of one model: name -> start(threads). Those of a fixed length are of `length`.
export function peersOf({ name, graphs, transformers }, length) {
  const peers = {
    onnxruntime_int8: (threads) => startOnnxRuntime(graphs[length].int8, threads),
    onnxruntime_float: (threads) => startOnnxRuntime(graphs[length].float, threads),
  };
  if (transformers) {
    peers.transformers_int8 = (threads) => startTransformers(name, 'q8', threads);
    peers.transformers_float = (threads) => startTransformers(name, 'fp32', threads);
  }
  return peers;
}
