// Our engine against onnxruntime-web in headless Chromium: the same architecture and weights, dynamic int8,
// one thread, and for models of the size that the page gives a second thread also two. Prints a table and
// writes it as JSON.
//
// Usage: node run.mjs --wasm DIR --out FILE.json [--samples N] NAME=MODEL.mbq NAME=ARCHITECTURE.json …
// A model that nobody trained is given by its architecture, gets random weights, and the tokenizer of the
// .mbq before it. Exits with 1 where the kernel that the page takes is not as much faster as required.
// Environment: CHROMIUM.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { serve } from '../../../wasm_demo/serve.mjs';
import { bertGraph } from './bert_graph.mjs';
import { readMbq } from './mbq.mjs';
import { randomMbq } from './random_model.mjs';

const LENGTHS = [16, 64, 128];
// Times as fast as onnxruntime-web that the kernel of the page must be, by whether the processor has an
// instruction for relaxed SIMD's dot product.
const REQUIRED = { native: 2.3, otherwise: 1.8 };
const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { wasm: { type: 'string' }, out: { type: 'string' }, samples: { type: 'string', default: '41' } },
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(`run.mjs: found no browser at ${executablePath} (package chromium, or set CHROMIUM)`);
  process.exit(2);
}

const folder = join(dirname(options.out), 'web-page');
mkdirSync(folder, { recursive: true });
const peer = join(here, 'node_modules/onnxruntime-web');
const peerVersion = JSON.parse(readFileSync(join(peer, 'package.json'))).version;
for (const name of ['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm']) {
  copyFileSync(join(peer, 'dist', name), join(folder, name));
}
for (const name of ['engine.js', 'engine.wasm', 'relaxed_simd.wasm']) copyFileSync(join(options.wasm, name), join(folder, name));
for (const name of ['start_engine.js', 'shared_memory.js', 'helper_worker.js']) copyFileSync(join(here, '../../../wasm_demo/engine', name), join(folder, name));
copyFileSync(join(here, 'page.mjs'), join(folder, 'page.mjs'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><meta charset="utf-8"><title>bench</title>');

let tokenizer = null;
const jobs = positionals.map((argument) => {
  const [name, file] = argument.split('=');
  const random = file.endsWith('.json');
  const bytes = random ? randomMbq(JSON.parse(readFileSync(file)), tokenizer) : readFileSync(file);
  const mbq = readMbq(bytes);
  tokenizer = mbq.tensors['tokenizer.model'];
  writeFileSync(join(folder, `${name}.mbq`), bytes);
  const graphs = {};
  for (const length of LENGTHS) {
    graphs[length] = `${name}-${length}.onnx`;
    writeFileSync(join(folder, graphs[length]), bertGraph(mbq, length));
  }
  return { name, random, model: `${name}.mbq`, graphs };
});

const [load] = loadavg();
if (load > 0.5) console.error(`bench-web: the machine is busy (load ${load.toFixed(1)}); the times below are not to be quoted`);
const server = await serve(folder);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
});
const samples = Number(options.samples);
async function inPage(name, ...args) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`bench-web: ${error.message}`));
  await page.goto(server.url);
  const found = await page.evaluate(async ({ name, args }) => (await import('./page.mjs'))[name](...args), { name, args });
  await page.close();
  return found;
}
let results;
const onTwo = [];
try {
  results = await inPage('measureAll', jobs, LENGTHS, samples);
  for (const job of jobs) {
    const { large, page } = results.find(({ model }) => model === job.name);
    if (!large || cpus().length < 2) continue;
    const kernel = page === 'relaxed_simd' ? 'dot_wasm_relaxed_simd' : 'dot_wasm_relaxed_simd16';
    onTwo.push(...await inPage('measureOnTwo', { ...job, kernel }, LENGTHS, samples));
  }
} finally {
  await server.close();
}
const browserVersion = browser.version();
await browser.close();

const ratios = ({ onnxruntime_web: peerMs, ...ours }) => Object.fromEntries(Object.entries(ours).map(([engine, ms]) => [engine, peerMs / ms]));
for (const result of [...results, ...onTwo]) {
  result.random_weights = jobs.find(({ name }) => name === result.model).random;
  result.fastest_ratio = ratios(result.fastest_milliseconds);
}
// Linux tells; V8 does not. AVX-512 VNNI alone is of no use to it.
const native = /\b(avx_vnni|asimddp)\b/.test(existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '');
const required = native ? REQUIRED.native : REQUIRED.otherwise;
const report = {
  unit: 'ms, median', cpu: cpus()[0].model, load, browser: `Chromium ${browserVersion}`, peer: `onnxruntime-web ${peerVersion}`,
  native_dot: native, required_ratio: required, samples, results, on_two_threads: onTwo,
};
writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
console.log(`${report.peer}, ${report.browser}, ${report.cpu}`);
const ONE = { relaxed_simd: 'relaxed SIMD', relaxed_simd16: 'relaxed, 16 bits', simd128: 'SIMD128' };
const TWO = { two_threads: 'two threads' };
function table(title, rows, engines, key, ratioKey) {
  console.log(`\n${title} (>: what the page takes)`);
  console.log(`model        pieces   onnxruntime${Object.values(engines).map((name) => name.padStart(20)).join('')}   same best guess   least correlation`);
  for (const result of rows) {
    const ms = result[key];
    const cell = (engine) => `${result.page === engine ? '>' : ''}${ms[engine].toFixed(2)} ms ${result[ratioKey][engine].toFixed(1).padStart(4)} ×`.padStart(20);
    console.log(`${(result.model + (result.random_weights ? '*' : '')).padEnd(12)}${String(result.length).padStart(7)}`
      + `${ms.onnxruntime_web.toFixed(2).padStart(11)} ms${Object.keys(engines).map(cell).join('')}`
      + `${`${result.same_guess} of ${result.sentences}`.padStart(18)}${result.least_correlation.toFixed(4).padStart(20)}`);
  }
}
table(`one thread, median of ${samples}`, results, ONE, 'milliseconds', 'ratio');
table('one thread, fastest', results, ONE, 'fastest_milliseconds', 'fastest_ratio');
if (onTwo.length) {
  table(`two threads each, median of ${samples}`, onTwo, TWO, 'milliseconds', 'ratio');
  table('two threads each, fastest', onTwo, TWO, 'fastest_milliseconds', 'fastest_ratio');
}
if (results.some(({ random_weights: random }) => random)) console.log('* random weights');
for (const { model, length, page, ratio } of results) {
  if (ratio[page] >= required) continue;
  console.error(`bench-web: ${model}, ${length} pieces: the page's kernel is ${ratio[page].toFixed(2)} × as fast as onnxruntime-web, expected at least ${required} × on a processor ${native ? 'with' : 'without'} AVX-VNNI or its like`);
  process.exitCode = 1;
}
