// The report page of the shipped runs in a real browser: every section shows, choices filter it, both languages are whole.
// Usage: node --test page.test.mjs. Environment: MINIBERT_PROGRAM, CHROMIUM, SHOTS (a folder for pictures, else none).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from '../web/browser.mjs';
import { drawn as drawnIn, LARGEST_PAGE, openReport, recordsOf, unfold, writeReport } from './pages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'minibert-report-'));
const file = join(folder, 'report.html');
let browser, page;

before(async () => {
  writeReport(recordsOf('results/korquad_without_overlap/quick-2-core'), file); // three arms, three seeds
  browser = await launch();
  page = await openReport(browser, file);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const drawn = () => drawnIn(page);
const texts = (selector) => page.$$eval(selector, (all) => all.map((one) => one.textContent));
const pick = async (name, value) => { await page.selectOption(`select[name=${name}]`, value); await drawn(); };

async function picture(name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });
}

test('it is one file that asks nothing of the network and stays small', () => {
  assert.ok(statSync(file).size < LARGEST_PAGE);
  const html = readFileSync(file, 'utf8');
  assert.doesNotMatch(html, /<(script|img|link)[^>]* (src|href)=/);
});

test('it opens with one chart of the arms, and everything else is under questions', async () => {
  assert.deepEqual(await page.$$eval('main section', (all) => all.map(({ id }) => id)), ['arms']);
  assert.equal((await page.$$('main .chart')).length, 1);
  assert.deepEqual(await texts('summary'), ['How large is each difference, and how sure?', 'How did they learn?', 'Which questions does only one get right?', 'What differed?', 'Where were they made?']);
  const points = await page.$eval('#arms .chart', (chart) => [...chart.querySelectorAll('.mark-symbol path')].length);
  assert.equal(points, 3);
  assert.ok((await texts('#arms .chart svg text')).includes('EM (95 % interval)'));
  await picture('report-first');
});

test('every section that the runs have something for is there, drawn without an error', async () => {
  await unfold(page);
  const sections = ['arms', 'comparison', 'curves', 'atEqual', 'wins', 'length', 'calibration', 'config', 'provenance'];
  assert.deepEqual((await page.$$eval('main section', (all) => all.map(({ id }) => id))).filter((id) => id !== 'warnings'), sections);
  assert.equal((await page.$$('#curves .chart svg')).length, 4);
  assert.deepEqual(page.errors, []);
  await picture('report-en');
});

test('the figures are those of the stored runs, and differences have intervals', async () => {
  const rows = await texts('#comparison table:not(.differences) tbody tr');
  assert.equal(rows.length, 3);
  assert.ok(rows.some((row) => row.startsWith('bert_1m_pretrained3') && row.includes('5.45 ± 0.29')), rows.join('\n'));
  assert.ok((await texts('#comparison .best')).includes('5.45 ± 0.29'));
  const differences = await texts('#comparison .differences tbody tr');
  assert.ok(differences.some((row) => /bert_1m_pretrained − bert_1mEM\+2\.15[+−]\d\.\d+ … \+\d\.\d+0\.\d{3}(clear|may be chance|clear alone, not among the pairs asked about).*[0-9]1,444/.test(row)), differences.join('\n'));
});

test('wins and losses stand with question, gold answer and both predictions', async () => {
  await pick('first', 'bert_1m_pretrained');
  await pick('second', 'lstm');
  const rows = await page.$$eval('#wins tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.ok(rows.length > 20);
  for (const [id, question, gold, first] of rows.slice(0, 5)) {
    assert.match(id, /^\d+-\d+-\d+$/);
    assert.match(question, /[가-힣]/);
    assert.equal(first, gold);
  }
  await page.fill('input[name=search]', rows[3][2]);
  await page.press('input[name=search]', 'Enter');
  await page.locator('input[name=search]').blur();
  const found = await texts('#wins tbody tr');
  assert.ok(found.length > 0 && found.length < rows.length && found.every((row) => row.includes(rows[3][2])));
});

test('choosing runs filters tables and charts', async () => {
  const lines = () => page.$$eval('#curves .chart:first-of-type', (all) => all[0].querySelectorAll('.mark-line path').length);
  const before = await lines();
  await page.click('nav fieldset:has-text("lstm") input');
  await drawn();
  assert.equal(await lines(), before - 1);
  assert.match((await texts('#comparison table:not(.differences) tbody tr')).join('\n'), /lstm2/);
  await page.click('nav button >> nth=1');
  assert.equal((await page.$$('main .chart')).length, 0);
  await page.click('nav button >> nth=0');
  await drawn();
  assert.equal(await lines(), before);
});

test('what is made from predictions follows the chosen runs', async () => {
  const scores = () => page.evaluate(() => {
    const { numbers, predictions } = examplesOf('bert_1m');
    return { seeds: predictions.length, values: [...new Set(numbers.exact_match)].sort(), mean: 100 * mean(numbers.exact_match) };
  });
  const drawnPoints = (section) => page.$eval(`#${section} .chart`, (chart) => JSON.stringify(chart.view.data('source_0').filter(({ arm }) => arm === 'bert_1m')));
  await pick('first', 'bert_1m');
  await pick('second', 'bert_1m_pretrained');
  const before = { scores: await scores(), length: await drawnPoints('length'), wins: await page.textContent('#wins p:not(.why)') };
  assert.equal(before.scores.seeds, 3);
  assert.ok(before.scores.values.some((value) => value > 0 && value < 1));
  const boxes = 'nav fieldset:has(legend:text-is("bert_1m")) input';
  await page.click(`${boxes} >> nth=0`);
  await page.click(`${boxes} >> nth=2`);
  await drawn();
  const second = await page.evaluate(() => DATA.runs.find(({ id }) => id === 'bert_1m · 2').summary.exact_match);
  const alone = await scores();
  assert.deepEqual(alone.values, [0, 1]);
  assert.ok(Math.abs(alone.mean - second) < 1e-6, `${alone.mean} ${second}`);
  assert.notEqual(await drawnPoints('length'), before.length);
  assert.notEqual(await page.textContent('#wins p:not(.why)'), before.wins);
  await page.click('nav button >> nth=0');
  await drawn();
  assert.deepEqual(await scores(), before.scores);
});

test('curves follow the chosen metric, axis and smoothing, and seeds become a band', async () => {
  await pick('curve0', 'dev/f1');
  await pick('axis', 'epoch');
  assert.ok((await texts('#curves .chart svg text')).includes('epoch'));
  const ends = await page.evaluate(() => curveRows('dev/f1').filter(({ run }) => run === 'lstm · 1').map(({ x }) => x));
  assert.deepEqual(ends, [1, 2, 3, 4, 5, 6, 7, 8]);
  await page.check('input[name=band]');
  await pick('axis', 'seconds');
  assert.ok((await page.$$('#curves .chart .mark-area path')).length > 0);
  // The seeds took different times, and still share every point.
  const { rows, seeds } = await page.evaluate(() => ({
    rows: bandRows('dev/f1').filter(({ arm }) => arm === 'lstm'),
    seeds: DATA.runs.filter(({ label }) => label === 'lstm').map(({ summary, metrics }) => [summary.train_seconds, metrics['dev/f1'][1].at(-1)]),
  }));
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const [times, scores] = [seeds.map(([time]) => time), seeds.map(([, score]) => score)];
  const last = rows.at(-1);
  assert.equal(new Set(times).size, 3);
  assert.equal(rows.length, 8);
  assert.ok(Math.abs(last.x - mean(times)) < 1e-3 * last.x && Math.abs(last.y - mean(scores)) < 1e-9);
  assert.deepEqual([last.low, last.high], [Math.min(...scores), Math.max(...scores)]);
  assert.deepEqual(page.errors, []);
});

test('a report that was written in Korean opens in Korean', async () => {
  const korean = join(folder, 'korean.html');
  writeReport(recordsOf('results/korquad_without_overlap/quick-2-core').slice(0, 4), korean, ['--language', 'ko']);
  const opened = await openReport(browser, korean);
  assert.equal(await opened.$eval('h1', (one) => one.textContent), '실험 보고서: korquad_lstm_vs_bert');
  await opened.context().close();
});

test('in Korean no word of the page is missing', async () => {
  const keys = await page.evaluate(() => [Object.keys(WORDS.ko), Object.keys(WORDS.en)]);
  assert.deepEqual(keys[0].sort(), keys[1].sort());
  await page.click('#language');
  await drawn();
  assert.equal((await texts('h1'))[0], '실험 보고서: korquad_lstm_vs_bert');
  assert.deepEqual((await texts('main h2')).slice(0, 8), ['어느 모델이 나은가', '비교', '학습 곡선', '같은 예산에서', '문항별 승패', '길이와 정확도', '확신과 정확도', '설정의 차이']);
  assert.ok((await texts('#comparison th')).includes('매개변수'));
  const verdicts = await texts('.answers li');
  assert.ok(verdicts.length > 0 && verdicts.every((one) => /의 EM(은|이) .*니다( \(|: )/.test(one)), verdicts.join('\n'));
  await picture('report-ko');
});
