// Our engine against onnxruntime-web in headless Chromium: the same architecture and weights, in int8 and, for the
// peer, in float32, too; one thread and two; the model's call, and a visit with cached files until the first guess.
// Prints tables and writes them as JSON.
//
// Usage: node run.mjs --wasm DIR --out FILE.json [--samples N] NAME=MODEL.mbq NAME=ARCHITECTURE.json …
// A model that nobody trained is given by its architecture, and gets random weights and the tokenizer of the .mbq
// before it. Exits with 1 where the kernel that the page takes is not as much faster than onnxruntime-web with int8 as
// required; where it is below the goal against the faster of int8 and float32 it says so.
// Environment: CHROMIUM.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { serve } from '../../../wasm_demo/serve.mjs';
import { readMbq } from './mbq.mjs';
import { copyLibrary, writeGraphs } from './peer_files.mjs';
import { randomMbq } from './random_model.mjs';
import { agreementTable, kernelTable, label, NAMES, speedTable } from './tables.mjs';

const LENGTHS = [16, 64, 128];
// Times as fast as onnxruntime-web with int8 that the kernel of the page must be, by whether the processor has an
// instruction for relaxed SIMD's dot product.
const REQUIRED = { native: 2.3, otherwise: 1.8 };
const GOAL = 2; // times as fast as the fastest peer
const FIRST_VISITS = 2; // which fill the browser's caches
const VISITS = 7;
const VISIT_LENGTH = LENGTHS[0];
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    wasm: { type: 'string' }, out: { type: 'string' }, samples: { type: 'string', default: '41' },
  },
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(`run.mjs: found no browser at ${executablePath} (package chromium, or set CHROMIUM)`);
  process.exit(2);
}

const folder = join(dirname(options.out), 'web-page');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const versions = copyLibrary(folder);
for (const name of ['engine.js', 'engine.wasm', 'relaxed_simd.wasm']) copyFileSync(join(options.wasm, name), join(folder, name));
for (const name of ['start_engine.js', 'shared_memory.js', 'helper_worker.js']) copyFileSync(join(here, '../../../wasm_demo/engine', name), join(folder, name));
for (const name of ['engines.mjs', 'page.mjs', 'cold.mjs']) copyFileSync(join(here, name), join(folder, name));
const html = (scripts) => `<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,">
<body>${scripts}</body>`;
writeFileSync(join(folder, 'index.html'), html(''));
writeFileSync(join(folder, 'cold.html'), html('<script type="module" src="cold.mjs"></script>'));

let tokenizer = null;
const jobs = positionals.map((argument) => {
  const [name, file] = argument.split('=');
  const random = file.endsWith('.json');
  const bytes = random ? randomMbq(JSON.parse(readFileSync(file)), tokenizer) : readFileSync(file);
  const mbq = readMbq(bytes);
  tokenizer = mbq.tensors['tokenizer.model'];
  writeFileSync(join(folder, `${name}.mbq`), bytes);
  const graphs = writeGraphs(folder, name, mbq, LENGTHS);
  return { name, random, model: `${name}.mbq`, graphs };
});

const [load] = loadavg();
if (load > 0.5) console.error(`bench-web: the machine is busy (load ${load.toFixed(1)}); the times below are not to be quoted`);
let sent = 0; // bytes of answers that were not in the browser's cache
const server = await serve(folder, 0, { onSent: (path, count) => { if (!path.endsWith('.json')) sent += count; } });
const watch = (page) => page.on('pageerror', (error) => console.error(`bench-web: ${error.message}`));
const samples = Number(options.samples);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// In a new page, so that threads are started anew.
async function inPage(browser, name, ...args) {
  const page = await browser.newPage();
  watch(page);
  await page.goto(server.url);
  const found = await page.evaluate(async ({ name, args }) => (await import('./page.mjs'))[name](...args), { name, args });
  await page.close();
  return found;
}

async function races(browser) {
  const one = await inPage(browser, 'measureAll', jobs, LENGTHS, samples);
  const two = [];
  if (cpus().length > 1) {
    for (const job of jobs) {
      const { large, page } = one.find(({ model }) => model === job.name);
      const kernel = page === 'relaxed_simd' ? 'dot_wasm_relaxed_simd' : 'dot_wasm_relaxed_simd16';
      two.push(...await inPage(browser, 'measureOnTwo', { ...job, kernel, large }, LENGTHS, samples));
    }
  }
  return { one, two };
}

// Visits with the files in the browser's cache, until the first guess: ms since the visit began.
async function visits(context, job) {
  const { ids, position } = await inPage(context, 'visit', job, VISIT_LENGTH);
  writeFileSync(join(folder, 'visit.json'), JSON.stringify({ job, threads: 1, length: VISIT_LENGTH, ids, position }));
  const peers = ['onnxruntime_int8', 'onnxruntime_float'];
  const times = Object.fromEntries(['ours', ...peers].map((name) => [name, []]));
  const sentAgain = {};
  for (let i = 0; i < FIRST_VISITS + VISITS; ++i) {
    for (const name of Object.keys(times)) {
      sent = 0;
      const page = await context.newPage();
      watch(page);
      await page.goto(`${server.url}cold.html?engine=${name}`);
      const first = await (await page.waitForFunction(() => window.first, null, { timeout: 120000 })).jsonValue();
      await page.close();
      if (i < FIRST_VISITS) continue;
      times[name].push(first.milliseconds);
      sentAgain[name] = sent;
    }
  }
  const milliseconds = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
  const fastest = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.min(...list)]));
  const [best] = [...peers].sort((a, b) => milliseconds[a] - milliseconds[b]);
  return {
    model: job.name, length: VISIT_LENGTH, page: 'ours', milliseconds, fastest_milliseconds: fastest, sent_again: sentAgain, best_peer: best,
    fastest_ratio: Math.min(...peers.map((peer) => fastest[peer])) / fastest.ours,
    ratio: Object.fromEntries(peers.map((peer) => [peer, milliseconds[peer] / milliseconds.ours])),
  };
}

const profile = mkdtempSync(join(tmpdir(), 'minibert-bench-'));
const first = [];
let found, browserVersion;
try {
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  browserVersion = browser.version();
  found = await races(browser);
  await browser.close();
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: ARGUMENTS });
  for (const job of jobs) first.push(await visits(context, job));
  await context.close();
} finally {
  await server.close();
  rmSync(profile, { recursive: true, force: true });
}

const { one, two } = found;
for (const row of [...one, ...two, ...first])
  row.random_weights = jobs.find(({ name }) => name === row.model).random;
// Linux tells; V8 does not. AVX-512 VNNI alone is of no use to it.
const native = /\b(avx_vnni|asimddp)\b/.test(existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '');
const required = native ? REQUIRED.native : REQUIRED.otherwise;
const report = {
  unit: 'ms, median', cpu: cpus()[0].model, processors: cpus().length, load, browser: `Chromium ${browserVersion}`, peers: versions,
  native_dot: native, required_ratio: required, goal: GOAL, samples, results: one, on_two_threads: two, first_guess: first,
};
writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
console.log(`${Object.entries(versions).map((pair) => pair.join(' ')).join(', ')}, ${report.browser}, ${report.cpu}, `
  + `${report.processors} processors, load ${load.toFixed(1)}`);
const each = `median of ${samples}, ms`;
const TABLES = [
  ["ids to the masked piece's logits, one thread", each, one],
  ["ids to the masked piece's logits, two threads (ours: for large models)", each, two],
  ['a visit with cached files to the first guess, one thread', `median of ${VISITS}, ms`, first],
];
for (const [title, unit, rows] of TABLES) speedTable(`${title}, ${unit}`, rows);
kernelTable(`our kernels, one thread, ${each} (>: what the page takes)`, one, ['relaxed_simd', 'relaxed_simd16', 'simd128']);
agreementTable('the same best guess, least correlation of the logits', one);
if (jobs.some(({ random }) => random)) console.log('* random weights');
for (const { model, sent_again: again } of first)
  for (const [name, count] of Object.entries(again))
    if (count > 1e5) console.log(`${model}: ${NAMES[name]} was sent ${count} bytes in a visit: the browser's cache did not hold them`);
const below = TABLES.flatMap(([title, , rows]) => rows.filter((row) => row.ratio[row.best_peer] < GOAL)
  .map((row) => `${title}: ${label(row)}, ${row.length} pieces: ${row.ratio[row.best_peer].toFixed(2)} × ${NAMES[row.best_peer]}`));
console.log(below.length ? `\nbelow the goal of ${GOAL} × the fastest peer:\n  ${below.join('\n  ')}` : `\nall rows reach the goal of ${GOAL} × the fastest peer`);
for (const { model, length, ratio } of one) {
  if (ratio.onnxruntime_int8 >= required) continue;
  console.error(`bench-web: ${model}, ${length} pieces: the page's kernel is ${ratio.onnxruntime_int8.toFixed(2)} × as fast as onnxruntime-web, expected at least ${required} × on a processor ${native ? 'with' : 'without'} AVX-VNNI or its like`);
  process.exitCode = 1;
}
