// Whether Firefox says the same as Chromium: every task, interventions, checkpoints, to the bit, and the page's own
// text. Usage: node --experimental-websocket firefox.mjs DEMO_DIR. Environment: FIREFOX. Ends with 77 where there is
// no Firefox, which ctest takes for skipped.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../wasm_demo/serve.mjs';
import { launch, LIMIT_MS, open, started } from './browser.mjs';

const SKIPPED = 77;
const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const [demo] = process.argv.slice(2);
if (!existsSync(program)) {
  console.log(`skipped: found no Firefox at ${program} (package firefox-esr, or set FIREFOX)`);
  process.exit(SKIPPED);
}

// What both browsers are asked, in the page: [the name of each answer, its JSON].
const QUESTIONS = `(async () => {
  const until = async (ask) => { while (!ask()) await new Promise((done) => setTimeout(done, 50)); };
  await until(() => window.minibert?.page);
  const told = window.minibert, model = 'kowiki-1m', king = '세종대왕은 조선의 제4대 [MASK]이다.';
  const json = (value) => JSON.stringify(value, (key, part) => (key === 'timing' || key === 'kernel' ? undefined : part));
  const asked = {
    fill: told.fill(king), words: told.words(king, { top: 5 }), score: told.score(king, '임금'),
    off: told.intervene(king, { model, withoutHeads: ['2.4'], withoutLayers: [1], word: '왕' }),
    patch: told.intervene('그는 서울대학교를 [MASK]하였다.', { model, patch: { text: '그는 서울대학교에 [MASK]하였다.', layer: 1, at: [5] } }),
    explain: told.explain(king, { model }).then(({ masks, tokens }) => [tokens, masks.map(({ path, stages }) => [path, stages])]),
    checkpoints: told.checkpoints(king), tag: told.tag('이순신은 서울에서 태어났다.'), classify: told.classify('정말 재미있다'),
    answer: told.answer('누가 만들었나?', '훈민정음은 세종대왕이 1443년에 만들었다.'),
  };
  const answers = [];
  for (const [name, answer] of Object.entries(asked)) answers.push([name, json(await answer)]);
  await until(() => told.page.idle() && document.querySelectorAll('#page table').length > 0);
  const tables = [...document.querySelectorAll('#page table')].map((table) => table.textContent);
  return JSON.stringify([...answers, ['the tables of the page', json(tables)]]);
})()`;
const ADDRESS = `#t=${encodeURIComponent('세종대왕은 조선의 제4대 [MASK]이다.')}&m=kowiki-1m&v=explain&xpart=4&xoff=2.4&l=ko&theme=light`;

// WebDriver BiDi, as far as this needs it: send(method, params) and where Firefox is done, close().
async function startFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'minibert-firefox-'));
  writeFileSync(join(profile, 'user.js'), 'user_pref("browser.shell.checkDefaultBrowser", false);\n');
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((done, fail) => {
    let said = '';
    setTimeout(() => fail(new Error(`Firefox opens no port: ${said}`)), LIMIT_MS).unref();
    child.stderr.on('data', (text) => {
      said += text;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (found) done(found[1]);
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((done) => { socket.onopen = done; });
  const waiting = new Map();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    waiting.get(message.id)?.(message);
  };
  let last = 0;
  const send = (method, params = {}) => new Promise((done, fail) => {
    waiting.set(++last, ({ result, error, message }) => (error ? fail(new Error(`${method}: ${message}`)) : done(result)));
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  await send('session.new', { capabilities: {} });
  return {
    send,
    close: async () => {
      const gone = new Promise((done) => { child.on('exit', done); });
      child.kill();
      await gone;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

const server = await serve(demo);
const firefox = await startFirefox();
const chromium = await launch();
try {
  const { contexts: [{ context }] } = await firefox.send('browsingContext.getTree');
  await firefox.send('browsingContext.navigate', { context, url: server.url + ADDRESS, wait: 'complete' });
  const { result, exceptionDetails } = await firefox.send('script.evaluate', { expression: QUESTIONS, target: { context }, awaitPromise: true });
  assert.ok(result, exceptionDetails?.text);
  const page = await started(await open(chromium, server.url + ADDRESS));
  const expected = JSON.parse(await page.evaluate(QUESTIONS));
  const found = new Map(JSON.parse(result.value));
  for (const [name, answer] of expected) assert.equal(found.get(name), answer, name);
  console.log(`${expected.length} answers are the same in Firefox and Chromium`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await firefox.close();
  await chromium.close();
  await server.close();
}
process.exit();
