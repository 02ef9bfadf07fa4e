// Measures how long reports of fifty runs take to open in an open window: ms from navigation until the last chart
// is drawn, median of five. Writes it as JSON, and exits with 1 where it takes longer or weighs more than it may.
// Usage: node open_report.mjs OUT.json. Environment: MINIBERT_PROGRAM, CHROMIUM.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fiftyRuns, LARGEST_PAGE, writeReport } from '../../report/pages.mjs';
import { launch, open } from '../../web/browser.mjs';

const VISITS = 5;
const REQUIRED_MS = 2000;
const WINDOW_MS = 2000;  // a new window's own frame takes a second of work, which is not the page's
const PAGES = {
  // 10,000 examples each, two labels.
  labels: ['results/nsmc_sentiment/with_sentineg', 'results/nsmc_sentiment/quick-1-core', 'results/bert_variants_nsmc/quick-2-core'],
  // 1,444 questions each, with texts.
  answers: ['results/korquad_lstm_vs_bert/quick-2-core', 'results/korquad_without_overlap/quick-2-core', 'results/korquad_10m_less_text/longest-2-core',
    'results/korquad_10m_less_text/quick-1-core', 'results/korquad_after_cloze/quick-2-core'],
};

const [load] = loadavg();
if (load > 0.5) console.error(`open_report: the machine is busy (load ${load.toFixed(1)}); the times below are not to be quoted`);
const folder = mkdtempSync(join(tmpdir(), 'minibert-report-'));
const browser = await launch();
const results = [];
try {
  for (const [name, records] of Object.entries(PAGES)) {
    const file = writeReport(fiftyRuns(records, join(folder, name)), join(folder, `${name}.html`));
    const times = [];
    for (let i = 0; i < VISITS; ++i) {
      const page = await open(browser, 'about:blank', { offline: true });
      await page.waitForTimeout(WINDOW_MS);
      await page.goto(pathToFileURL(file).href);
      const handle = await page.waitForFunction(() => {
        const charts = [...document.querySelectorAll('.chart')];
        return charts.length > 0 && charts.every((chart) => chart.querySelector('svg path, svg text')) && performance.now();
      }, null, { polling: 'raf' });
      times.push(await handle.jsonValue());
      await page.context().close();
    }
    times.sort((a, b) => a - b);
    results.push({ name, runs: 50, bytes: statSync(file).size, milliseconds: times[VISITS >> 1], fastest: times[0], slowest: times.at(-1) });
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
const [out] = process.argv.slice(2);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `${JSON.stringify({ unit: 'ms, median', cpu: cpus()[0].model, load, required_milliseconds: REQUIRED_MS, results }, null, 2)}\n`);
for (const { name, bytes, milliseconds, fastest, slowest } of results) {
  console.log(`report of 50 runs, ${name}: drawn ${milliseconds.toFixed(0)} ms after navigation (${fastest.toFixed(0)} to ` +
    `${slowest.toFixed(0)}), ${(bytes / 1e6).toFixed(2)} MB`);
  if (milliseconds <= REQUIRED_MS && bytes <= LARGEST_PAGE) continue;
  console.error(`open_report: ${name}: found ${milliseconds.toFixed(0)} ms and ${bytes} bytes, expected at most ${REQUIRED_MS} and ${LARGEST_PAGE}`);
  process.exitCode = 1;
}
