// Runs in the browser: both engines on the same sentences and threads, taking turns.
import * as ort from './ort.wasm.min.mjs';
import { LARGE, startEngine, TIMINGS, TIMING_MS } from './start_engine.js';

const MASK = 6;
const WARM_UP_MS = 300;
const SAMPLE_MS = 5; // the browser's clock has steps of 0.1 ms

const bytes = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: found status ${response.status}, expected 200`);
  return new Uint8Array(await response.arrayBuffer());
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// The page's engine with one model: logits(ids, position) -> Float32Array. options: of startEngine().
async function startModel(model, options = {}) {
  const relaxedWasm = await bytes('relaxed_simd.wasm');
  const engine = await startEngine({ engineWasm: await bytes('engine.wasm'), relaxedWasm, ...options });
  const file = await bytes(model);
  const memory = engine._minibert_alloc(file.length);
  engine.HEAPU8.set(file, memory);
  const handle = engine._minibert_load(memory, file.length);
  if (!handle) throw new Error(engine.string(engine._minibert_error()));
  const readFacts = () => JSON.parse(engine.string(engine._minibert_facts(handle)));
  const facts = readFacts();
  const input = engine._malloc(4 * 512);
  const logits = (ids, position) => {
    engine.HEAP32.set(ids, input / 4);
    const output = engine._minibert_logits(handle, input, ids.length, position);
    if (!output) throw new Error(engine.string(engine._minibert_error()));
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
  return { logits, facts, fastest, helped };
}

async function theirs(graph, threads) {
  ort.env.wasm.numThreads = threads;
  ort.env.wasm.wasmPaths = new URL('.', import.meta.url).href;
  const session = await ort.InferenceSession.create(await bytes(graph),
    { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
  const logits = async (ids, position) => {
    const { logits: { data } } = await session.run({
      ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      position: new ort.Tensor('int64', [BigInt(position)], [1]),
    });
    return data;
  };
  return { logits, release: () => session.release() };
}

// [CLS] … [MASK] … [SEP] of random pieces.
function sentence(length, vocabulary, seed) {
  const ids = Int32Array.from({ length }, (_, i) => 7 + ((seed * 7919 + i * 104729 + i * i * 31) % (vocabulary - 7)));
  ids[0] = 5;
  ids[length - 1] = 4;
  const position = 1 + (seed % (length - 2));
  ids[position] = MASK;
  return { ids, position };
}

const best = (logits) => logits.reduce((top, value, i) => (value > logits[top] ? i : top), 0);

function correlation(a, b) {
  const mean = (x) => x.reduce((sum, value) => sum + value, 0) / x.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; ++i) {
    ab += (a[i] - meanA) * (b[i] - meanB);
    aa += (a[i] - meanA) ** 2;
    bb += (b[i] - meanB) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

// One model at one length -> { milliseconds: engine -> median ms, ratio: kernel -> times as fast as the peer, same_guess, sentences, correlation }.
async function measure({ model, graph, length, samples, threads }, engines) {
  const peer = await theirs(graph, threads);
  const all = { ...engines, onnxruntime_web: peer };
  const [first] = Object.values(engines);
  const vocabulary = first.facts.vocab_size;
  const sentences = Array.from({ length: 20 }, (_, seed) => sentence(length, vocabulary, seed));
  let same = 0;
  let least = 1;
  for (const { ids, position } of sentences) {
    const a = Float32Array.from(first.logits(ids, position));
    for (const { logits } of Object.values(engines)) {
      const other = logits(ids, position);
      if (a.some((value, i) => value !== other[i])) throw new Error(`${model}: the kernels give different logits`);
    }
    const b = await peer.logits(ids, position);
    same += best(a) === best(b);
    least = Math.min(least, correlation(a, b));
  }
  const times = {};
  const calls = {}; // that one sample takes
  for (const [name, { logits }] of Object.entries(all)) {
    times[name] = [];
    const start = performance.now();
    let done = 0;
    for (; performance.now() - start < WARM_UP_MS; ++done) await logits(sentences[0].ids, 1);
    calls[name] = Math.ceil((done * SAMPLE_MS) / WARM_UP_MS);
  }
  for (let i = 0; i < samples; ++i) {
    const { ids, position } = sentences[i % sentences.length];
    for (const [name, { logits }] of Object.entries(all)) {
      const start = performance.now();
      for (let call = 0; call < calls[name]; ++call) await logits(ids, position);
      times[name].push((performance.now() - start) / calls[name]);
    }
  }
  await peer.release();
  const of = (statistic) => Object.fromEntries(Object.entries(times).map(([name, list]) => [name, statistic(list)]));
  const { onnxruntime_web: peerTimes, ...ourTimes } = times;
  // Sample by sample, so that a slow moment strikes both.
  const ratio = Object.fromEntries(Object.entries(ourTimes)
    .map(([name, list]) => [name, median(list.map((ms, i) => peerTimes[i] / ms))]));
  return { milliseconds: of(median), ratio, fastest_milliseconds: of((list) => Math.min(...list)), same_guess: same, sentences: sentences.length, least_correlation: least };
}

// jobs: [{ model, graphs: length -> url }] -> a result for each model and length.
export async function measureAll(jobs, lengths, samples) {
  const results = [];
  for (const { name, model, graphs } of jobs) {
    // First, as in the page, where no code is compiled yet.
    const all = await startModel(model);
    all.logits(sentence(16, all.facts.vocab_size, 0).ids, 1);
    const fastest = await all.fastest();
    const engines = {
      relaxed_simd: await startModel(model, { kernels: ['dot_wasm_relaxed_simd'] }),
      relaxed_simd16: await startModel(model, { kernels: ['dot_wasm_relaxed_simd16'] }),
      simd128: await startModel(model, { kernels: [] }),
    };
    const [page] = Object.entries(engines).find(([, { facts }]) => facts.kernel === fastest);
    for (const length of lengths) {
      const result = await measure({ model, graph: graphs[length], length, samples, threads: 1 }, engines);
      const { parameters } = all.facts;
      results.push({ model: name, parameters, large: parameters >= LARGE, length, page, ...result });
    }
  }
  return results;
}

// The same on two threads, with `kernel`, one of relaxed SIMD; for models that are `large`. For a page of its own:
// ONNX Runtime's threads are started once.
export async function measureOnTwo({ name, model, graphs, kernel }, lengths, samples) {
  const two = await startModel(model, { kernels: [kernel], shared: true });
  await two.helped();
  const results = [];
  for (const length of lengths) {
    const result = await measure({ model, graph: graphs[length], length, samples, threads: 2 }, { two_threads: two });
    results.push({ model: name, parameters: two.facts.parameters, length, page: 'two_threads', ...result });
  }
  return results;
}
