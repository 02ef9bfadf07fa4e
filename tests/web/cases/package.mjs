// The npm package in pages of others: packed, unpacked, and served from a folder below, without any header and
// under a strict policy; calls, batches, progress, abort, errors, the end of its worker.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open, started } from '../browser.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const TEXT = '오늘 점심에 [MASK]을 먹었다.';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

// The package as npm gives it to others: packed, and unpacked again.
function unpack(demo, folder) {
  const wasm = resolve(demo, '../demo-wasm/engine');
  execFileSync('/usr/bin/python3', [join(root, 'wasm_demo/package/pack.py'), wasm, join(folder, 'npm')]);
  const [{ filename, files }] = JSON.parse(execFileSync('npm', ['pack', './npm', '--json', '--offline'],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  execFileSync('tar', ['-xzf', filename], { cwd: folder });  // into package/
  return files.map(({ path }) => path);
}

let made = null;
// A folder app/lab/ with the package, the tree's models and the page of README.md, its script in a file of its own.
function site({ demo }) {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'minibert-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const files = unpack(demo, folder);
  mkdirSync(join(folder, 'app/lab'), { recursive: true });
  const lab = join(folder, 'app/lab');
  execFileSync('mv', [join(folder, 'package'), join(lab, 'minibert')]);
  for (const id of ['everyday-1m', 'korquad-1m', 'nsmc-1m', 'klue-ner-1m'])
    copyFileSync(join(root, `wasm_demo/models/${id}.mbq`), join(lab, `${id}.mbq`));
  const [, page] = /```html\n([\s\S]+?)```/.exec(readFileSync(join(lab, 'minibert/README.md'), 'utf8'));
  assert.equal(page.trim().split('\n').length, 10);
  const [, script] = /<script type="module">([\s\S]+?)<\/script>/.exec(page);
  writeFileSync(join(lab, 'inline.html'), page);
  writeFileSync(join(lab, 'empty.html'), '<!doctype html><title>empty</title><link rel="icon" href="data:,">');
  writeFileSync(join(lab, 'script.js'), script);
  writeFileSync(join(lab, 'index.html'), page.replace(/<script[\s\S]+<\/script>/, '<script type="module" src="script.js"></script>'));
  made = { folder, lab, files };
  return made;
}

// Serves the folder plainly, with these headers on every answer; counts what was asked for.
async function serving(folder, headers = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    asked.push(path);
    try {
      const body = readFileSync(path.endsWith('/') ? `${path}index.html` : path);
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? (path.endsWith('/') ? 'text/html' : 'application/octet-stream'), 'Content-Length': body.length, ...headers });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://localhost:${server.address().port}/app/lab/`, asked,
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  };
}

const guesses = (page) => page.waitForFunction(() => {
  const { textContent } = document.getElementById('out');
  return textContent.includes(',') && textContent;
}).then((handle) => handle.jsonValue());

// Runs `act` in a page that is served so, with the package's exports as its first argument.
async function within(at, headers, act, argument) {
  const server = await serving(site(at).folder, headers);
  try {
    const page = await open(at.browser, `${server.url}empty.html`);
    page.errors.length = 0;
    const result = await page.evaluate(async ([code, given]) =>
      (0, eval)(`(${code})`)(await import(new URL('minibert/minibert.js', location).href), given), [`${act}`, argument]);
    assert.deepEqual(page.errors.filter((error) => !/status of 404/.test(error)), []);  // the browser's own word on a missing file
    await page.context().close();
    return result;
  } finally {
    await server.close();
  }
}

export const tests = {
  async 'the package holds what its scripts import, its types, licence and page, and no model'(at) {
    const { lab, files } = site(at);
    const facts = JSON.parse(readFileSync(join(lab, 'minibert/package.json'), 'utf8'));
    assert.equal(facts.version, /project\(minibert VERSION ([\d.]+)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1]);
    const needed = new Set(['package.json', 'README.md', 'LICENSE', 'NOTICE', 'minibert.d.ts', 'minibert.js']);
    for (const name of needed) {
      if (!name.endsWith('.js')) continue;
      const script = readFileSync(join(lab, 'minibert', name), 'utf8');
      for (const [, other] of script.matchAll(/(?:from |import\((?:\/\*.+?\*\/ )?\(?|new URL\()'\.?\/?([\w.]+\.(?:js|wasm))'/g)) needed.add(other);
    }
    assert.deepEqual([...files].sort(), [...needed, 'engine.wasm', 'relaxed_simd.wasm'].filter((one, i, all) => all.indexOf(one) === i).sort());
    assert.equal(facts.types, './minibert.d.ts');
  },

  async 'the page of ten lines fills a mask from a folder below, without any header'(at) {
    const server = await serving(site(at).folder);
    const page = await open(at.browser, `${server.url}inline.html`);
    const found = await guesses(page);
    const here = await started(await open(at.browser, at.url));
    const expected = await here.evaluate((text) => window.minibert.fill(text), TEXT);
    assert.equal(found, expected.masks[0].guesses.map(({ text }) => text).join(', '), 'what the page of minibert guesses');
    assert.equal(page.workers().length, 1);
    assert.equal(await page.evaluate(() => crossOriginIsolated), false);
    await server.close();
  },

  async 'a strict policy lets it run'(at) {
    const server = await serving(site(at).folder, { 'Content-Security-Policy': STRICT });
    const page = await open(at.browser, server.url);
    await guesses(page);
    assert.equal(page.workers().length, 1, 'in a worker');
    assert.deepEqual(page.errors.filter((error) => !/favicon|style/.test(error)), []);
    await server.close();
  },

  async 'where no worker starts the engine runs on the page itself'(at) {
    const found = await within(at, {}, async ({ pipeline }, text) => {
      window.Worker = undefined;
      const fill = await pipeline('fill-mask', 'everyday-1m.mbq');
      const { masks } = await fill(text);
      fill.dispose();
      return masks[0].guesses.length;
    }, TEXT);
    assert.equal(found, 10);
  },

  async 'in Node.js the same calls answer, of a file, a path and of bytes'(at) {
    const { lab } = site(at);
    const script = `import { Engine, pipeline } from './minibert/minibert.js';
      import { readFileSync } from 'node:fs';
      const file = new URL('everyday-1m.mbq', 'file://${lab}/');
      for (const source of [file, 'everyday-1m.mbq', readFileSync(file)]) {
        const fill = await pipeline('fill-mask', source);
        console.log((await fill('${TEXT}')).masks[0].guesses.map(({ text }) => text).join(', '));
        fill.dispose();
      }
      console.log(await pipeline('fill-mask', new URL('none.mbq', file)).catch(({ code, message }) => [code, message.includes('none.mbq')].join()));
      const engine = new Engine();
      await (await engine.load(file)).fill('${TEXT}');
      engine.dispose();  // while it would still time its kernels
      await new Promise((then) => setTimeout(then, 1000));
      console.log('goes on');`;
    writeFileSync(join(lab, 'node.mjs'), script);
    const lines = execFileSync(process.execPath, ['node.mjs'], { cwd: lab, encoding: 'utf8' }).trim().split('\n');
    const here = await started(await open(at.browser, at.url));
    const expected = await here.evaluate((text) => window.minibert.fill(text), TEXT);
    const guesses = expected.masks[0].guesses.map(({ text }) => text).join(', ');
    assert.deepEqual(lines, [guesses, guesses, guesses, 'unreadable,true', 'goes on']);
    await here.context().close();
  },

  async 'every task answers one text and several, and the same in both'(at) {
    const found = await within(at, {}, async ({ pipeline, load }) => {
      const one = ({ timing, kernel, ...rest }) => JSON.stringify(rest);
      const fill = await pipeline('fill-mask', new URL('everyday-1m.mbq', location));
      const texts = ['나는 [MASK]에 간다.', '물은 [MASK]와 산소로 이루어져 있다.'];
      const filled = [await fill(texts), [await fill(texts[0]), await fill(texts[1])]].map((all) => all.map(one));
      const answer = await pipeline('question-answering', await (await fetch('korquad-1m.mbq')).blob());
      const told = '훈민정음은 1443년에 세종대왕이 만들었다.';
      const answers = await answer(['언제 만들었나?', '누가 훈민정음을 만들었나?'], told, { top: 1 });
      const classify = await pipeline('text-classification', await (await fetch('nsmc-1m.mbq')).arrayBuffer());
      const labels = await classify(['정말 재미있다', '돈이 아깝다'], { words: true });
      const tagger = await load('klue-ner-1m.mbq');
      const tag = await pipeline('token-classification', tagger);
      const names = await tag(['김연아는 서울에서 태어났다.']);
      const embed = await pipeline('feature-extraction', fill.model);
      const [mean, cls, every] = [await embed('나는 학교에 간다.'), await embed('나는 학교에 간다.', { pooling: 'cls', normalize: false }),
        await embed('나는 학교에 간다.', { pooling: 'none', normalize: false })];
      const width = fill.model.facts.d_model;
      const average = Array.from({ length: width }, (_, i) => every.values.filter((_, j) => j % width === i).reduce((a, b) => a + b, 0) / every.tokens.length);
      const length = Math.hypot(...average);
      return {
        filled, answers: answers.map(({ answers: [best] }) => best.text), labels: labels.map(({ labels: [best], words }) => [best.label, words.length]),
        names: names[0].entities.map(({ text }) => text), kinds: [fill.task, tagger.task, fill.model.facts.task],
        width: [width, mean.width, mean.values.length, cls.values.length, every.values.length / every.tokens.length],
        first: cls.values.every((value, i) => value === every.values[i]),
        off: Math.max(...average.map((value, i) => Math.abs(value / length - mean.values[i]))),
        others: (await (await pipeline('feature-extraction', tagger))('이순신')).values.length,
      };
    });
    assert.deepEqual(found.filled[0], found.filled[1]);
    assert.deepEqual(found.answers, ['1443년', '세종대왕']);
    assert.deepEqual(found.labels.map(([, words]) => words), [2, 2]);
    assert.notEqual(found.labels[0][0], found.labels[1][0]);
    assert.ok(found.names.includes('김연아') && found.names.includes('서울'), `${found.names}`);
    assert.deepEqual(found.kinds, ['fill-mask', 'names', 'masks']);
    assert.equal(new Set(found.width).size, 1, `${found.width}`);
    assert.ok(found.first && found.others === found.width[0]);
    assert.ok(found.off < 1e-6, `${found.off}`);
  },

  async 'progress comes, ends with all bytes, and an abort ends a load, a call and a batch'(at) {
    const found = await within(at, {}, async ({ pipeline, load }, text) => {
      const steps = [];
      const name = (promise) => promise.then(() => 'none', (error) => error.name);
      const fill = await pipeline('fill-mask', 'everyday-1m.mbq', { progress: (step) => steps.push(step) });
      const early = name(load('everyday-1m.mbq', { signal: AbortSignal.abort() }));
      const stop = new AbortController();
      const during = name(load('nsmc-1m.mbq', { signal: stop.signal, progress: () => stop.abort() }));
      const own = new AbortController();
      const reason = load('nsmc-1m.mbq', { signal: own.signal }).then(() => 'none', (error) => error);
      own.abort('enough');
      const call = new AbortController();
      const asked = name(fill(text, { signal: call.signal }));
      call.abort();
      const batch = new AbortController();
      const many = name(fill(Array(10000).fill(text), { signal: batch.signal }));
      setTimeout(() => batch.abort(), 50);
      const ends = [await early, await during, await reason, await asked, await many];
      const after = (await fill(text)).masks.length;
      return { steps, ends, after };
    }, TEXT);
    const last = found.steps.at(-1);
    assert.equal(last.received, last.total);
    assert.ok(last.total > 3e6 && found.steps.length > 3, JSON.stringify(last));
    assert.ok(found.steps.every(({ received }, i) => i === 0 || received >= found.steps[i - 1].received));
    assert.deepEqual(found.ends, ['AbortError', 'AbortError', 'enough', 'AbortError', 'AbortError']);
    assert.equal(found.after, 1);
  },

  async 'errors are Errors of one clear line, and leave the engine usable'(at) {
    const found = await within(at, {}, async ({ pipeline, load, MinibertError }, text) => {
      const told = (promise) => promise.then(() => 'none', (error) =>
        [error instanceof MinibertError && error instanceof Error, error.code, error.message, error.index]);
      const fill = await pipeline('fill-mask', 'everyday-1m.mbq');
      const embed = await pipeline('feature-extraction', 'nsmc-1m.mbq');
      const attempts = [
        pipeline('translation', 'everyday-1m.mbq'), pipeline('question-answering', 'everyday-1m.mbq'), pipeline('token-classification', fill.model),
        load('none.mbq'), load(new Uint8Array(100), { name: 'mine.mbq' }), load('nsmc-1m.mbq', { size: 7 }), load(null),
        fill('나는'), fill([text, '나는', text]), fill(3), fill(text, { top: 0 }), fill('가 '.repeat(900)),
        fill.model.embed('가 나 '.repeat(900)), fill.model.embed('글', { pooling: 'max' }),
        embed('가 나 '.repeat(900)), embed.model.classify('글', { second: '다른 글' }),
      ];
      const all = await Promise.all(attempts.map(told));
      const left = (await fill(text)).masks.length;
      fill.dispose();
      fill.dispose();
      all.push(await told(fill(text)));
      return { all, left };
    }, TEXT);
    const codes = ['bad-argument', 'wrong-model', 'wrong-model', 'http', 'bad-model', 'cut-off', 'bad-argument', 'no-mask', 'no-mask',
      'bad-argument', 'bad-argument', 'text-too-long', 'text-too-long', 'bad-argument', 'text-too-long', 'second-text', 'disposed'];
    assert.deepEqual(found.all.map(([, code]) => code), codes);
    for (const [isError, , message] of found.all) assert.ok(isError && message && !message.includes('\n') && !message.includes('undefined'), message);
    assert.equal(found.all[8][3], 1);
    assert.match(found.all[8][2], /^texts\[1\]: The text has no \[MASK\]\.$/);
    assert.match(found.all[14][2], /: \d+ tokens, this model reads at most \d+\./);
    assert.equal(found.left, 1);
  },

  async 'an option that a call does not have is an error that names it, and so is another type'(at) {
    const found = await within(at, {}, async ({ pipeline, load, Engine }, text) => {
      const told = (promise) => promise.then(() => 'none', ({ code, message, index }) => `${code} ${message} ${index ?? ''}`.trim());
      const fill = await pipeline('fill-mask', 'everyday-1m.mbq');
      const engine = new Engine();
      engine.dispose();
      const answers = await pipeline('question-answering', 'korquad-1m.mbq');
      const all = await Promise.all([
        fill(text, { topk: 3 }), fill(text, 3), fill(text, [3]), fill(text, { top: '3' }), fill(text, { second: 'x' }), fill(text, { top: undefined }),
        fill.model.tag(text, { top: 3 }), pipeline('fill-mask', 'everyday-1m.mbq', { dtype: 'q8' }), load('everyday-1m.mbq', { onProgress() {} }),
        answers(['누가?', '언제?'], ['글']), engine.load('everyday-1m.mbq'),
      ].map(told));
      fill.dispose();
      answers.dispose();
      return all;
    }, TEXT);
    const options = (name, known) => `bad-argument options: found ${name}, expected ${known}.`;
    assert.deepEqual(found, [options('topk', 'top, signal'), options('number', 'object'), options('array', 'object'),
      'bad-argument top: found string, expected 1…1000.', options('second', 'top, signal'), 'none',
      options('top', 'signal'), options('dtype', 'progress, name, size, engine, signal'), options('onProgress', 'progress, name, size, engine, signal'),
      'bad-argument texts: found 1, expected 2.', 'disposed Already disposed of: Engine.']);
  },

  async 'an address that answers with a page is an error that says so'(at) {
    const found = await within(at, {}, async ({ load }) => load('index.html').then(() => 'none', ({ code, message, texts }) => [code, message, texts.ko]));
    assert.equal(found[0], 'bad-model');
    assert.match(found[1], /^index\.html: .*begins with "<!doctyp"/);
    assert.match(found[2], /"<!doctyp"/);
  },

  async 'the worker ends with its last model, comes again, and two engines work at once'(at) {
    const server = await serving(site(at).folder);
    const page = await open(at.browser, `${server.url}empty.html`);
    const run = (code) => page.evaluate(`import('${server.url}minibert/minibert.js').then(${code})`);
    const workers = async (count) => {
      for (let i = 0; i < 100 && page.workers().length !== count; ++i) await page.waitForTimeout(50);
      assert.equal(page.workers().length, count);
    };
    await run(`async ({ load }) => { window.two = await Promise.all([load('everyday-1m.mbq'), load('nsmc-1m.mbq')]); }`);
    await workers(1);
    await run(`() => { two[0].dispose(); }`);
    assert.equal(await run(`async () => (await two[1].classify('좋다')).labels.length`), 2);
    await run(`() => { two[1].dispose(); }`);
    await workers(0);
    await run(`async ({ load, Engine }) => {
      const engine = new Engine();
      window.two = await Promise.all([load('everyday-1m.mbq'), engine.load('everyday-1m.mbq')]);
      await Promise.all(two.map((model) => model.fill('나는 [MASK]')));
      window.own = engine;
    }`);
    await workers(2);
    await run(`() => { two[0].dispose(); own.dispose(); }`);
    await workers(0);
    assert.equal(await run(`({ load, Engine }) => two[1].fill('[MASK]').catch(({ code }) => code)`), 'disposed');
    await server.close();
  },

  async 'an isolated page may share memory with a second thread'(at) {
    const found = await within(at, ISOLATED, async ({ load }, text) => {
      const model = await load('everyday-1m.mbq');
      const { kernel } = await model.fill(text);
      return { isolated: crossOriginIsolated, kernel };
    }, TEXT);
    assert.equal(found.isolated, true);
    assert.match(found.kernel, /SIMD/);
  },
};
