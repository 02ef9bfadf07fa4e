// Runs in the browser: the page's engine and its peers on the same sentences and threads, taking turns.
import { peersOf, startOurs } from './engines.mjs';
import { LARGE } from './start_engine.js';

const MASK = 6;
const SENTENCES = 20;
const WARM_UP_MS = 300;
const SAMPLE_MS = 5; // the browser's clock has steps of 0.1 ms
const PAUSE_MS = 10; // until another's threads have stopped spinning

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const best = (logits) => logits.reduce((top, value, i) => (value > logits[top] ? i : top), 0);
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

async function startAll(starts, threads) {
  const started = {};
  for (const [name, start] of Object.entries(starts)) started[name] = await start(threads);
  return started;
}
const releaseAll = async (started) => {
  for (const { release } of Object.values(started)) await release();
};

// [CLS] … [MASK] … [SEP] of random pieces.
function sentence(length, vocabulary, seed) {
  const ids = Int32Array.from({ length }, (_, i) => 7 + ((seed * 7919 + i * 104729 + i * i * 31) % (vocabulary - 7)));
  ids[0] = 5;
  ids[length - 1] = 4;
  const position = 1 + (seed % (length - 2));
  ids[position] = MASK;
  return { ids, position };
}

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

// calls: name -> call(i) of the i-th sentence. ours: which of the names is compared with the `peers`. Resolves to
// { milliseconds, fastest_milliseconds: name -> ms, ratio: peer -> times as slow as ours, best_peer, fastest_ratio }.
async function race(calls, ours, peers, samples) {
  const times = mapped(calls, () => []);
  const repeats = {}; // that one sample takes
  for (const [name, call] of Object.entries(calls)) {
    const start = performance.now();
    let done = 0;
    for (; performance.now() - start < WARM_UP_MS; ++done) await call(0);
    repeats[name] = Math.ceil((done * SAMPLE_MS) / WARM_UP_MS);
  }
  for (let i = 0; i < samples; ++i) {
    for (const [name, call] of Object.entries(calls)) {
      await pause();
      await call(i % SENTENCES);
      const start = performance.now();
      for (let repeat = 0; repeat < repeats[name]; ++repeat) await call(i % SENTENCES);
      times[name].push((performance.now() - start) / repeats[name]);
    }
  }
  const milliseconds = mapped(times, median);
  // Sample by sample, so that a slow moment strikes both.
  const ratio = Object.fromEntries(peers.map((peer) => [peer, median(times[peer].map((ms, i) => ms / times[ours][i]))]));
  const [bestPeer] = [...peers].sort((a, b) => milliseconds[a] - milliseconds[b]);
  const fastest = mapped(times, (list) => Math.min(...list));
  // Of both at their best, which a busy machine disturbs least.
  const fastestRatio = Math.min(...peers.map((peer) => fastest[peer])) / fastest[ours];
  return { milliseconds, fastest_milliseconds: fastest, ratio, best_peer: bestPeer, fastest_ratio: fastestRatio };
}

// Of the encoder and the masked position's logits. engines: kernels of ours; page: the one that the page takes.
async function measure({ job, length, samples, threads, page }, engines) {
  const peers = await startAll(peersOf(job, length), threads);
  const [first] = Object.values(engines);
  const vocabulary = first.facts.vocab_size;
  const sentences = Array.from({ length: SENTENCES }, (_, seed) => sentence(length, vocabulary, seed));
  const same = mapped(peers, () => 0);
  const least = mapped(peers, () => 1);
  for (const { ids, position } of sentences) {
    const a = Float32Array.from(first.logits(ids, position));
    for (const { logits } of Object.values(engines)) {
      const other = logits(ids, position);
      if (a.some((value, i) => value !== other[i])) throw new Error(`${job.name}: the kernels give different logits`);
    }
    for (const [name, { logits }] of Object.entries(peers)) {
      const b = await logits(ids, position);
      same[name] += best(a) === best(b);
      least[name] = Math.min(least[name], correlation(a, b));
    }
  }
  const calls = mapped({ ...engines, ...peers }, ({ logits }) => (i) => logits(sentences[i].ids, sentences[i].position));
  const found = await race(calls, page, Object.keys(peers), samples);
  await releaseAll(peers);
  return { model: job.name, parameters: first.facts.parameters, length, page, ...found, same_guess: same, sentences: SENTENCES, least_correlation: least };
}

// jobs: [{ name, model, graphs }] -> a result for each model and length.
export async function measureAll(jobs, lengths, samples) {
  const results = [];
  for (const job of jobs) {
    const { model } = job;
    // First, as in the page, where no code is compiled yet.
    const all = await startOurs(model);
    all.logits(sentence(16, all.facts.vocab_size, 0).ids, 1);
    const fastest = await all.fastest();
    const engines = {
      relaxed_simd: await startOurs(model, { kernels: ['dot_wasm_relaxed_simd'] }),
      relaxed_simd16: await startOurs(model, { kernels: ['dot_wasm_relaxed_simd16'] }),
      simd128: await startOurs(model, { kernels: [] }),
    };
    const [page] = Object.entries(engines).find(([, { facts }]) => facts.kernel === fastest);
    for (const length of lengths) {
      results.push({ large: all.facts.parameters >= LARGE, ...await measure({ job, length, samples, threads: 1, page }, engines) });
    }
  }
  return results;
}

// The same with two threads for the peers, and for ours, where the model is `large`. kernel: one of relaxed SIMD. For
// a page of its own: the peers' threads are started once.
export async function measureOnTwo({ kernel, large, ...job }, lengths, samples) {
  const two = await startOurs(job.model, { kernels: [kernel], shared: large });
  if (large) await two.helped();
  const results = [];
  for (const length of lengths) results.push(await measure({ job, length, samples, threads: 2, page: 'ours' }, { ours: two }));
  return results;
}

// What a first visit guesses.
export async function visit(job, length) {
  const { facts } = await startOurs(job.model);
  const { ids, position } = sentence(length, facts.vocab_size, 0);
  return { ids: [...ids], position };
}
