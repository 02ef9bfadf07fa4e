// Reports of other runs in a real browser: of runs that ended otherwise than planned, of labelled ones, of fifty.
// Usage: node --test other_pages.test.mjs. Environment: MINIBERT_PROGRAM, CHROMIUM, SHOTS (a folder for pictures, else none).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from '../web/browser.mjs';
import { drawn, fiftyRuns, LARGEST_PAGE, openReport, recordsOf, unfold, writeReport } from './pages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'minibert-report-'));
let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// `look` gets the page of these records and its file.
async function withReport(name, records, look) {
  const file = writeReport(records, join(folder, `${name}.html`));
  const page = await openReport(browser, file);
  await unfold(page);
  await look(page, file);
  assert.deepEqual(page.errors, []);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `report-${name}.png`), fullPage: true });
  await page.context().close();
}

test('curves end at the epochs, seconds and tokens that were made, not those that were planned', () => withReport('axes', [
  ...recordsOf('results/korquad_lstm_vs_bert/course-1-core').filter((file) => /\/(bert|lstm)-s1/.test(file)), // stopped early, after 6 and 10 epochs of 20
  ...recordsOf('results/kowiki_mini_bert/full'), // five phases, of 8 epochs
  ...recordsOf('results/kowiki_everyday/full').filter((file) => file.endsWith('taught-s1.h5')), // a phase of 1
], async (page) => {
  const ends = async (axis) => {
    await page.selectOption('select[name=axis]', axis);
    await drawn(page);
    return page.evaluate(() => Object.fromEntries(['dev/f1', 'dev/mlm_loss'].flatMap(curveRows).map(({ run, x }) => [run.replace(/^.*\//, ''), x])));
  };
  assert.deepEqual(await ends('epoch'), { 'bert · 1': 6, 'lstm · 1': 10, 'mini_bert_1m · 1': 8, 'mini_bert_1m_taught · 1': 1 });
  await page.selectOption('select[name=curve0]', 'dev/f1');
  await drawn(page);
  assert.equal(await page.$eval('#curves .chart', (chart) => chart.view.scale('x').domain()[1]), 10);
  const close = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-4 * expected, `${found}, expected ${expected}`);
  const seconds = await ends('seconds'), tokens = await ends('tokens');
  close(seconds['mini_bert_1m_taught · 1'], 3667.41);
  close(tokens['mini_bert_1m_taught · 1'], 3667.41 * 15938.2);
  // A fifth of its steps were made on one thread instead of two.
  await page.selectOption('select[name=axis]', 'seconds');
  const fifth = await page.evaluate(() => placeOf(DATA.runs.find(({ id }) => id.includes('taught')))(3000));
  assert.ok(fifth > 0.25 * 3667 && fifth < 0.5 * 3667, `${fifth}`);
}));

test('a confusion matrix counts what the chosen runs predicted', () => withReport('labelled', recordsOf('results/kobest_wic/quick-2-core'), async (page) => {
  const sections = await page.$$eval('main section', (all) => all.map(({ id }) => id));
  assert.deepEqual(sections.filter((id) => id !== 'warnings'),
    ['arms', 'comparison', 'curves', 'atEqual', 'wins', 'length', 'calibration', 'confusion', 'config', 'provenance']);
  await page.selectOption('select[name=confusion]', 'bert_1m_everyday');
  await drawn(page);
  const cells = () => page.$eval('#confusion .chart', (chart) => chart.view.data('source_0').map(({ gold, prediction, count }) => [gold, prediction, count]));
  const counted = (all) => all.reduce((sum, [, , count]) => sum + count, 0);
  const accuracy = (all) => all.filter(([gold, prediction]) => gold === prediction).reduce((sum, [, , count]) => sum + count, 0) / counted(all);
  const stored = await page.evaluate(() => DATA.runs.filter(({ label }) => label === 'bert_1m_everyday').map(({ summary }) => summary.accuracy));
  const mean = stored.reduce((a, b) => a + b, 0) / stored.length;
  const all = await cells();
  assert.equal(all.length, 4);
  assert.equal(counted(all), 3 * 1260);
  assert.ok(Math.abs(accuracy(all) - mean) < 1e-6);
  await page.click('nav fieldset:has(legend:text-is("bert_1m_everyday")) input >> nth=0');
  await drawn(page);
  assert.equal(counted(await cells()), 2 * 1260);
}));

test('an answer is as long as the first of those that are right', () => withReport('answers', recordsOf('results/tydiqa_ko/quick-2-core').slice(0, 1), async (page) => {
  const gold = await page.evaluate(() => DATA.examples.sets[0].gold);
  assert.ok(gold.some((answers) => answers.includes('\n')));
  const long = gold.filter((answers) => [...answers.split('\n')[0]].length >= 24).length;
  const bins = await page.$eval('#length .chart', (chart) => chart.view.data('source_0').map(({ bin, count }) => [bin, count]));
  assert.equal(bins.find(([bin]) => bin === '24+')?.[1] ?? 0, long);
}));

// The runs with the most examples, 10,000 each.
test('fifty runs are one page of at most 3 MB, whole and drawn', () => withReport('fifty', fiftyRuns([
  'results/nsmc_sentiment/with_sentineg', 'results/nsmc_sentiment/quick-1-core', 'results/bert_variants_nsmc/quick-2-core',
], folder), async (page, file) => {
  const { size } = statSync(file);
  assert.ok(size <= LARGEST_PAGE, `${size} bytes`);
  assert.equal((await page.$$('nav input')).length, 50);
  assert.equal((await page.$$('#curves .chart svg')).length, 4);
  assert.equal((await page.$$('#wins tbody tr')).length, 100);
  assert.ok((await page.$$('#calibration .mark-line path')).length >= 12);
  const runs = await page.evaluate(() => DATA.examples.runs.filter(({ numbers, prediction }) => numbers.accuracy && prediction).length);
  assert.equal(runs, 50);
}));
