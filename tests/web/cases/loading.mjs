// Start-up, models, and what happens when something is missing or broken.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { click, open, settled, started, state, until } from '../browser.mjs';
import { serve } from '../../../wasm_demo/serve.mjs';

const SENTENCES = [
  '대한민국의 수도는 [MASK]이다.',
  '[MASK]은 조선의 제4대 [MASK]이다.',
  '그는 1988년 서울에서 [MASK].',
  '물은 수소와 [MASK]로 이루어져 있다',
  'BERT는 2018년 Google이 [MASK]한 모델이다.',
  '李舜臣 장군은 [MASK] 때의 장수이다 😀',
];

export const drop = (page, name, bytes) => page.evaluate(([name, bytes]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(bytes)], name));
  dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
}, [name, bytes]);

export async function distinctColors(page) {
  const png = (await page.screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, png);
}

// In the page: whether the service worker has kept the page and answers for it.
const isKept = async () => (await navigator.serviceWorker.getRegistration())?.active && !!navigator.serviceWorker.controller;

export const tests = {
  async 'the page starts: live WebGL context, a picture that is not flat, guesses, no errors'({ browser, url }) {
    const page = await started(await open(browser, url));
    assert.equal(await page.evaluate(() => document.getElementById('canvas').getContext('webgl2').isContextLost()), false);
    assert.ok(await distinctColors(page) > 50);
    assert.ok((await state(page)).boxes['guess-0-2'] && !(await state(page)).boxes['guess-0-3'], 'three guesses are shown');
    assert.deepEqual(page.errors, []);
  },

  async 'the page guesses as the native program does'({ browser, url, demo }) {
    const page = await started(await open(browser, url));
    const { models } = await page.evaluate(() => fetch('manifest.json').then((r) => r.json()));
    for (const { id, file } of models.filter(({ task }) => task === 'masks')) {
      const program = process.env.MINIBERT_PROGRAM;
      assert.ok(program, 'MINIBERT_PROGRAM names the native program');
      const native = execFileSync(program, ['fill-mask', '--run', `${demo}/${file}`, '--json', '--top-k', '10'],
        { encoding: 'utf8', input: SENTENCES.join('\n') }).trim().split('\n').map((line) => JSON.parse(line));
      for (const [i, text] of SENTENCES.entries()) {
        const here = await page.evaluate(([text, model]) => window.minibert.fill(text, { top: 10, model }), [text, id]);
        const ids = (result) => result.masks.map((mask) => mask.guesses.map((guess) => guess.id));
        // The program counts UTF-8 bytes, JavaScript UTF-16 units.
        const unit = (byte) => Buffer.from(text).subarray(0, byte).toString().length;
        const tokens = native[i].tokens.map((token) => ({ ...token, begin: unit(token.begin), end: unit(token.end) }));
        assert.deepEqual(here.tokens, tokens, text);
        for (const mask of here.masks) assert.equal(text.slice(mask.begin, mask.end), '[MASK]');
        assert.deepEqual(ids(here), ids(native[i]), `${id}: ${text}`);
        here.masks.forEach((mask, k) => mask.guesses.forEach((guess, j) => {
          const other = native[i].masks[k].guesses[j].probability;
          assert.ok(Math.abs(guess.probability - other) <= 1e-4 * other + 1e-7, `${text}: ${guess.probability} and ${other}`);
        }));
      }
    }
  },

  async 'plain SIMD guesses the same as relaxed SIMD'({ browser, url }) {
    // Whichever kernel the measurement prefers here; tests/wasm_engine compares all with each other.
    const relaxed = await started(await open(browser, url));
    const ask = (page) => page.evaluate(async (texts) => Promise.all(texts.map((text) => window.minibert.fill(text))), SENTENCES);
    const expected = await ask(relaxed);
    assert.match(expected[0].kernel, /SIMD/);
    const context = await browser.newContext({ serviceWorkers: 'block' });
    await context.addInitScript(() => {
      const validate = WebAssembly.validate;
      // The probe for relaxed SIMD is the only small module that has its dot product's opcode.
      WebAssembly.validate = (bytes) => !(bytes.length < 200 && bytes.join().includes('253,147,2')) && validate(bytes);
    });
    const page = await context.newPage();
    await page.goto(url);
    await started(page);
    const plain = await ask(page);
    assert.match(plain[0].kernel, /SIMD128/);
    assert.deepEqual(plain.map((result) => result.masks), expected.map((result) => result.masks));
  },

  async 'two threads compute the same as one, and a page that may not share memory starts'({ browser, demo }) {
    const logits = async (isolated) => {
      const server = await serve(demo, 0, { isolated });
      const page = await started(await open(browser, server.url));
      const found = await page.evaluate(async () => {
        const { EngineHost } = await import(new URL('engine_host.js', location).href);
        const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
        const { models } = await (await fetch('manifest.json')).json();
        const host = new EngineHost();
        await host.start({ engineWasm: await bytes('engine.wasm'), relaxedWasm: await bytes('relaxed_simd.wasm') });
        const { file } = models.find(({ name }) => name.includes('10M'));
        const { handle, facts } = host.load({ bytes: await bytes(file), name: file });
        host.engine.startHelper();  // the page starts it on more processors only
        const kernel = () => host.json(host.engine._minibert_facts(handle)).kernel;
        while (crossOriginIsolated && !kernel().endsWith(', 2 threads')) await new Promise((resolve) => setTimeout(resolve, 10));
        const ids = Array.from({ length: 100 }, (_, i) => (i === 50 ? 6 : 7 + ((i * 37) % 7000)));
        const result = host.logits({ handle, ids, position: 50, vocabulary: facts.vocab_size });
        host.engine.helper?.terminate();
        return { kernel: kernel(), values: [...result] };
      });
      await server.close();
      return found;
    };
    const one = await logits(false);
    const two = await logits(true);
    assert.doesNotMatch(one.kernel, /threads/);
    assert.match(two.kernel, /, 2 threads$/);
    assert.equal(new Set(one.values).size > 1000, true);
    assert.deepEqual(two.values, one.values);
  },

  async 'a file that cannot be loaded is named, and a retry goes on'({ browser, url }) {
    for (const file of ['font.ttf', 'engine.wasm', '*.mbq', 'page.wasm', 'manifest.json']) {
      const context = await browser.newContext({ locale: 'ko-KR', serviceWorkers: 'block' });
      const page = await context.newPage();
      await page.route(`**/${file}`, (route) => route.fulfill({ status: 503, body: 'busy' }));
      await page.goto(url);
      await page.waitForSelector('#retry:not([hidden])');
      const message = await page.textContent('#message');
      assert.ok(message.includes(file.replace('*.mbq', '작은 모델')) && message.includes('503'), message);
      await page.unroute(`**/${file}`);
      await page.click('#retry');
      await started(page);
      assert.equal(await page.isVisible('#start'), false);
      await page.waitForFunction(() => window.minibert.page.state().boxes['guess-0-0']);
      await context.close();
    }
  },

  async 'an engine worker whose script does not come is told, and a retry makes another'({ browser, url }) {
    const context = await browser.newContext({ locale: 'ko-KR', serviceWorkers: 'block' });
    await context.addInitScript(() => {
      const { Worker } = window;
      let made = 0;
      window.Worker = function (script, options) { return new Worker(made++ ? script : 'no-such-worker.js', options); };
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForSelector('#retry:not([hidden])');
    await page.click('#retry');
    await started(page);
    await page.waitForFunction(() => window.minibert.page.state().boxes['guess-0-0']);
  },

  async 'a file that is cut off is told from a whole one'({ browser, url }) {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.route('**/*.mbq', (route) => route.fulfill({ body: Buffer.alloc(1000) }));
    await page.goto(url);
    await page.waitForSelector('#retry:not([hidden])');
    assert.match(await page.textContent('#message'), /1000/);
  },

  async 'no script has a lookbehind, which Safari before 16.4 cannot read'({ demo }) {
    for (const name of readdirSync(demo).filter((file) => file.endsWith('.js')))
      assert.doesNotMatch(readFileSync(join(demo, name), 'utf8'), /\(\?<[=!]/, name);
  },

  async 'a browser without WASM SIMD gets a plain message'({ browser, url }) {
    const context = await browser.newContext({ locale: 'ko-KR' });
    await context.addInitScript(() => { WebAssembly.validate = () => false; });
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => document.getElementById('message').textContent.includes('SIMD'));
    assert.equal(await page.isVisible('#bar'), false);
  },

  async 'a folder opened as a file says what to do'({ browser, demo }) {
    const context = await browser.newContext({ locale: 'ko-KR' });
    const page = await context.newPage();
    await page.goto(pathToFileURL(resolve(demo, 'index.html')).href);
    assert.match(await page.textContent('#message'), /웹 서버/);
  },

  async 'a dropped model is used'({ browser, url }) {
    const page = await started(await open(browser, url));
    await page.evaluate(async () => {
      const { models } = await (await fetch('manifest.json')).json();
      const bytes = await (await fetch(models[0].file)).arrayBuffer();
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], '내 모델.mbq'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    });
    await until(page, async () => (await window.minibert.models()).some((m) => m.id === '내 모델.mbq' && m.state === 'ready'));
    await settled(page);
    assert.ok(decodeURIComponent(await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.hash), 400))))
      .includes('m=내 모델.mbq'));
    assert.ok((await state(page)).boxes['guess-0-2']);
  },

  async 'a model and a series of one can be chosen as files'({ browser, url }) {
    const page = await started(await open(browser, `${url}#t=나는 [MASK]다.&l=ko&v=model`));
    const chooser = page.waitForEvent('filechooser');
    await click(page, 'pick-file');
    assert.equal(await (await chooser).element().evaluate(({ accept }) => accept), '.mbq,.mbqs,.txt');
    await page.context().close();
  },

  async 'a broken model file is refused with a message, and the page goes on'({ browser, url }) {
    const page = await started(await open(browser, url));
    const cases = { 'empty.mbq': [], 'noise.mbq': Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255),
      'header.mbq': [255, 255, 255, 255, 255, 255, 255, 127, 123, 125] };
    for (const [name, bytes] of Object.entries(cases)) {
      await drop(page, name, bytes);
      await page.waitForFunction((name) => window.minibert.page.state().notice.startsWith(`${name}:`), name);
      await assert.rejects(page.evaluate((bytes) => window.minibert.load(Uint8Array.from(bytes)), bytes));
    }
    assert.ok((await page.evaluate(() => window.minibert.fill('나는 [MASK]'))).masks.length === 1);
    assert.equal((await page.evaluate(() => window.minibert.models())).filter((m) => m.id.endsWith('.mbq')).length, 0);
  },

  async 'window.minibert does without the canvas'({ browser, url }) {
    const page = await started(await open(browser, url));
    const result = await page.evaluate(async () => {
      const { minibert } = window;
      await minibert.ready;
      const tokens = await minibert.tokenize('나는 [MASK]에 간다.');
      const attention = await minibert.attention('나는 [MASK]에 간다.');
      const errors = [];
      for (const text of ['', '나는 간다']) await minibert.fill(text).catch((error) => errors.push(error.message));
      await minibert.load('no-such-model').catch((error) => errors.push(error.message));
      const n = attention.tokens.length;
      const sums = Array.from({ length: (attention.layers - attention.local_layers) * attention.heads * n },
        (_, row) => attention.weights.subarray(row * n, row * n + n).reduce((a, b) => a + b, 0));
      return { tokens, n, sums, errors, models: await minibert.models(), memory: await minibert.memory() };
    });
    assert.equal(result.tokens[0].piece, '[CLS]');
    assert.equal(result.tokens.length, result.n);
    for (const sum of result.sums) assert.ok(Math.abs(sum - 1) < 1e-3, `${sum}`);
    assert.equal(result.errors.length, 3);
    assert.ok(result.models.length >= 1 && result.memory.bytes > 1e6);
  },

  async 'a model dropped again under its name takes the place of the old one, in guesses and memory'({ browser, url }) {
    const page = await started(await open(browser, `${url}#v=model`));
    const kernel = () => page.evaluate(async () => (await window.minibert.fill('나는 [MASK]')).kernel);
    const give = (model) => page.evaluate(async (id) => {
      const { models } = await (await fetch('manifest.json')).json();
      const { file } = models.find((one) => one.id === id);
      const transfer = new DataTransfer();
      transfer.items.add(new File([await (await fetch(file)).arrayBuffer()], '내 모델.mbq'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    }, model);
    const shows = (text) => page.waitForFunction((wanted) =>
      document.getElementById('page').textContent.includes(wanted), text);
    await give('everyday-1m');
    await shows('SIMD');
    await give('everyday-1m-float');
    await shows('float32');
    assert.match(await kernel(), /SIMD/, 'without a name the API goes on with its own model');
    const before = (await page.evaluate(() => window.minibert.memory())).bytes;
    for (let i = 0; i < 4; ++i) {
      await give('everyday-1m-float');
      await page.waitForTimeout(200);
    }
    await settled(page);
    const after = (await page.evaluate(() => window.minibert.memory())).bytes;
    // Four kept models would be 21.7 MB more; one is there twice while the new one is read.
    assert.ok(after - before < 13e6, `${after - before} bytes more`);
  },

  async 'a link with an unknown model says so and takes the first'({ browser, url }) {
    const page = await started(await open(browser, `${url}#t=나는 [MASK]다.&l=ko&m=other.mbq`));
    const told = async () => {
      await page.waitForFunction(() => window.minibert.page.state().notice.includes('other.mbq'));
      await page.waitForFunction(() => window.minibert.page.state().boxes['guess-0-0']);
    };
    await told();
    await page.evaluate(() => window.minibert.page.notice({ ko: '', en: '' }));
    await page.evaluate(() => { location.hash = '#t=너는 [MASK]다.&m=other.mbq'; });
    await told();
    assert.match((await state(page)).text, /너는/);
    await page.evaluate(() => { location.hash = '#t=우리는 [MASK]다.'; });
    await page.waitForFunction(() => window.minibert.page.state().text.startsWith('우리는'));
    await settled(page);
    assert.ok((await state(page)).boxes['guess-0-0']);
  },

  async 'a comparison that cannot be loaded is told'({ browser, url }) {
    const page = await started(await open(browser, url));
    const { models } = await (await fetch(`${url}manifest.json`)).json();
    await page.route(`**/${models[1].file}`, (route) => route.fulfill({ status: 404, body: '' }));
    await page.evaluate((id) => window.minibert.page.open(`c=${id}`), models[1].id);
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('HTTP 404'));
  },

  async 'a download tells its size before, and can be stopped: the model before goes on'({ browser, url }) {
    const page = await started(await open(browser, `${url}#t=나는 [MASK]다.&l=ko`));
    const { models } = await (await fetch(`${url}manifest.json`)).json();
    const large = models[1];
    const listed = await page.evaluate(() => document.querySelector('#page select').textContent);
    assert.ok(listed.includes(`${large.shown.ko} · ${(large.bytes / 1e6).toFixed(1)} MB`), listed);
    let go;
    const held = new Promise((resolve) => { go = resolve; });
    await page.route(`**/${large.file}`, async (route) => { await held; await route.abort().catch(() => {}); });
    await page.evaluate((id) => window.minibert.page.chooseModel(id), large.id);
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('받기 멈추기'));
    assert.ok((await state(page)).boxes['guess-0-0'], 'the guesses of the model before stay');
    await page.evaluate(() => [...document.querySelectorAll('#page button')].find((b) => b.textContent === '받기 멈추기').click());
    await page.waitForFunction((id) => window.minibert.page.state().model === id, models[0].id);
    go();
    await settled(page);
    const all = await page.evaluate(() => window.minibert.models());
    assert.equal(all.find(({ id }) => id === large.id).state, 'available');
    await page.unroute(`**/${large.file}`);
    await page.evaluate((id) => window.minibert.page.chooseModel(id), large.id);
    await page.waitForFunction((name) => [...document.querySelectorAll('#page h2, #page h3, #page button, #page p')].length > 0 &&
      window.minibert.page.state().model === name, large.id);
    await settled(page);
    assert.equal((await page.evaluate(() => window.minibert.models())).find(({ id }) => id === large.id).state, 'ready');
    await page.context().close();
  },

  async 'a model that is left again while it still comes keeps no answer waiting'({ browser, url }) {
    const page = await started(await open(browser, `${url}#t=나는 [MASK]다.&l=ko`));
    const { models: [first, large] } = await (await fetch(`${url}manifest.json`)).json();
    await page.route(`**/${large.file}`, () => {});  // never comes
    const choose = (model) => page.evaluate((id) => window.minibert.page.chooseModel(id), model);
    await choose(large.id);
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('받기 멈추기'));
    await choose(first.id);
    await page.evaluate(() => window.minibert.page.setText('[MASK]은 [MASK]다.'));
    await settled(page);
    assert.ok((await state(page)).boxes['guess-1-0'], 'guesses of the new text');
    await page.context().close();
  },

  async 'memory is asked for in steps that old phones grant'({ browser, url }) {
    for (const most of [8192, 2048]) {
      const page = await open(browser, 'about:blank');
      await page.route('**/engine_worker.js', async (route) => {
        const response = await route.fetch();
        const limit = `const Memory = WebAssembly.Memory; WebAssembly.Memory = function (size) {
          if (size.maximum > ${most}) throw new RangeError('could not allocate memory');
          return new Memory(size); };\n`;
        // Imports come first in any case.
        await route.fulfill({ response, body: await response.text() + limit });
      });
      await page.goto(`${url}#t=나는 [MASK]다.&l=ko`);
      await started(page);
      assert.ok((await state(page)).boxes['guess-0-0'], `${most} pages`);
      await page.context().close();
    }
  },

  async 'the card tells how often the model is right on [MASK] itself'({ browser, url }) {
    const page = await started(await open(browser, `${url}#t=나는 [MASK]다.&l=ko&v=model`));
    const { card, metrics } = await page.evaluate(async () => {
      const [{ card: shown }] = await window.minibert.models();
      return { card: shown, metrics: (await window.minibert.load('everyday-1m')).metrics };
    });
    const figure = card.find(({ name }) => name === 'mlm_accuracy_masked');
    assert.equal(figure.value, metrics.mlm_accuracy_masked);
    assert.ok(!card.some(({ name }) => name === 'mlm_accuracy'), 'not that of all targets');
    const shown = await page.textContent('#page');
    assert.ok(shown.includes(`[MASK] 자리 정확도: ${figure.value.toFixed(4)} (개발 데이터)`), shown);
    // What it can and cannot do comes before what it is made of.
    assert.match(shown, /학습 데이터:.*한계:.*구조:.*학습 기록:.*라이선스:/s);
    await page.context().close();
  },

  async 'messengers find a title and a picture for a link, and phones an icon'({ url, demo }) {
    const page = await (await fetch(url)).text();
    const content = (name) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]+)">`).exec(page)?.[1];
    const size = async (name) => {
      const response = await fetch(new URL(name, url));
      assert.equal(response.headers.get('content-type'), 'image/png', name);
      const header = new DataView(await response.arrayBuffer());
      return [header.getUint32(16), header.getUint32(20)];
    };
    assert.ok(content('og:title') && content('og:description') && content('description'));
    assert.deepEqual(await size(content('og:image')), [Number(content('og:image:width')), Number(content('og:image:height'))]);
    const [, icon] = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(page);
    const [width, height] = await size(icon);
    assert.ok(width === height && width >= 180, `${width}`);
    const { icons } = JSON.parse(readFileSync(join(demo, 'app.webmanifest'), 'utf8'));
    assert.ok(icons.some(({ src, type, sizes }) => src === icon && type === 'image/png' && sizes === `${width}x${height}`));
  },

  async 'a first visit transfers at most 2.7 MB, then and after'({ browser, demo }) {
    const sent = new Map();
    const server = await serve(demo, 0, {
      onSent: (path, bytes) => sent.set(path, (sent.get(path) ?? 0) + bytes),
    });
    const page = await started(await open(browser, server.url, { serviceWorkers: 'allow' }));
    await until(page, isKept);
    await page.waitForTimeout(500);
    const before = (name) => [...sent.keys()].indexOf(name);
    assert.ok(before('/font-common.ttf') > before('/models/everyday-1m.mbq'), 'most syllables come after the first guesses');
    const total = [...sent.values()].reduce((a, b) => a + b, 0);
    assert.ok(!sent.has('/font-full.ttf'), 'the full font waits until a text needs it');
    assert.ok(total <= 2.7e6, `${total} bytes: ${JSON.stringify([...sent])}`);
    await page.context().close();
    await server.close();
  },

  async 'the large model comes behind the first guesses, says so, takes over, and is kept for use offline'({ browser, demo }) {
    const sent = new Map();
    const server = await serve(demo, 0, { onSent: (path, bytes) => sent.set(path, (sent.get(path) ?? 0) + bytes) });
    const [small, large] = JSON.parse(readFileSync(join(demo, 'manifest.json'), 'utf8')).models;
    const page = await open(browser, 'about:blank', { connection: { effectiveType: '4g' }, serviceWorkers: 'allow' });
    await page.addInitScript(() => {
      window.seen = { models: [], line: '' };
      const look = () => {
        const now = window.minibert?.page?.state();
        if (now?.boxes['guess-0-2'] && !window.seen.models.includes(now.model)) window.seen.models.push(now.model);
        window.seen.line ||= /큰 모델\([^)]*\)을 받고 있습니다/.exec(document.getElementById('page')?.textContent)?.[0] ?? '';
        requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(server.url);
    await page.waitForFunction((id) => window.minibert?.page?.state().model === id, large.id);
    const first = [...sent].filter(([path]) => !path.includes(large.file)).reduce((sum, [, bytes]) => sum + bytes, 0);
    assert.ok(first <= 2.7e6, `${first} bytes before it`);
    assert.match((await state(page)).notice, /큰 모델을 받았습니다/);
    await settled(page);
    const seen = await page.evaluate(() => window.seen);
    assert.deepEqual(seen, { models: [small.id, large.id], line: `큰 모델(${(large.bytes / 1e6).toFixed(1)} MB)을 받고 있습니다` });
    const best = await page.evaluate(async ([text, model]) => (await window.minibert.fill(text, { model, top: 3 })).masks[0].guesses, [(await state(page)).text, large.id]);
    assert.match(await page.textContent('#live'), new RegExp(best.map((guess) => `${guess.text} .*`).join('')));
    // Nobody chose it: a link leaves it to the other's page. What was chosen by hand stays.
    assert.doesNotMatch(await page.evaluate(() => location.hash), /&m=/);
    await click(page, 'other-size');
    assert.equal((await state(page)).model, small.id);
    await page.waitForFunction((id) => location.hash.includes(`m=${id}`), small.id);
    await page.context().setOffline(true);
    await page.goto(server.url);
    await page.reload();
    await page.waitForFunction((id) => window.minibert?.page?.state().model === id, large.id);
    await page.context().close();
    await server.close();
  },

  async 'the large model does not come with data saver, on 2G, with little memory, or where a model was chosen'({ browser, url, demo }) {
    const [small, large] = JSON.parse(readFileSync(join(demo, 'manifest.json'), 'utf8')).models;
    const cases = [['', { saveData: true }], ['', { effectiveType: '2g' }], [`#t=나는 [MASK]다.&m=${small.id}`, {}], ['#t=나는 [MASK]다.', {}, 1]];
    for (const [fragment, connection, memory] of cases) {
      const page = await open(browser, 'about:blank', { connection });
      if (memory) await page.addInitScript((value) => Object.defineProperty(navigator, 'deviceMemory', { value }), memory);
      await page.goto(url + fragment);
      await started(page);
      await page.waitForTimeout(400);
      const { state: now } = (await page.evaluate(() => window.minibert.models())).find(({ id }) => id === large.id);
      assert.equal(now, 'available', JSON.stringify([fragment, connection, memory]));
      // By hand it does, and its size is told before.
      if (!fragment) assert.match(await page.textContent('#page'), new RegExp(`큰 모델로 보기 · ${(large.bytes / 1e6).toFixed(1)} MB`));
      await page.context().close();
    }
  },

  async 'the large model that comes while the explanation is open leaves the textbook\'s there'({ browser, url }) {
    const page = await open(browser, 'about:blank', { connection: {} });
    let go;
    const held = new Promise((resolve) => { go = resolve; });
    await page.route('**/everyday-10m.mbq', async (route) => { await held; await route.continue(); });
    await page.goto(`${url}#t=제2차 세계 [MASK]은 1945년에 끝났다.&v=explain&xpart=3&l=ko`);
    await started(page);
    await page.waitForFunction(() => window.minibert.page.state().boxes.picture?.[3] > 200);
    const told = async () => /이렇게 예측했습니다: \S+ [\d.]+/.exec(await page.textContent('#page'))[0];
    const before = await told();
    go();
    await page.waitForFunction(() => window.minibert.page.state().model === 'everyday-10m');
    await settled(page);
    assert.equal(await told(), before);
    assert.ok((await state(page)).boxes.picture[3] > 200);
    await page.context().close();
  },

  async 'the large model that did not come says nothing, and one that is stopped stays away'({ browser, url, demo }) {
    const [small, large] = JSON.parse(readFileSync(join(demo, 'manifest.json'), 'utf8')).models;
    const page = await open(browser, 'about:blank', { connection: {} });
    let go;
    const held = new Promise((resolve) => { go = resolve; });
    await page.route(`**/${large.file}`, async (route) => { await held; await route.abort().catch(() => {}); });
    await page.goto(url);
    await started(page);
    await page.waitForFunction(() => window.minibert.page.state().boxes['stop-large']);
    await click(page, 'stop-large');
    go();
    await page.waitForFunction(() => window.minibert.page.state().boxes['other-size']);
    const { model, notice } = await state(page);
    assert.deepEqual([model, notice], [small.id, '']);
    await page.context().close();
  },

  async 'the interface throws errors with codes, and counts as JavaScript does'({ browser, url }) {
    const page = await started(await open(browser, url));
    const codes = await page.evaluate(async () => {
      const { minibert } = window;
      const attempts = {
        'empty-text': () => minibert.fill(''), 'no-mask': () => minibert.fill('나는'),
        'text-too-long': () => minibert.fill('가 나 '.repeat(900) + '[MASK]'),
        'bad-argument text': () => minibert.fill(undefined), 'bad-argument number': () => minibert.tokenize(12),
        'bad-argument nul': () => minibert.fill('\0[MASK]'), 'bad-argument top': () => minibert.fill('[MASK]', { top: 0 }),
        'bad-argument mask': () => minibert.words('나는 [MASK]', { mask: 3 }), 'bad-argument word': () => minibert.score('나는 [MASK]', ' '),
        'unknown-model': () => minibert.fill('[MASK]', { model: 'x' }), 'http': () => minibert.load('no-such-model'),
        'bad-model': () => minibert.load(new Uint8Array(100)),
      };
      const found = {};
      for (const [name, attempt] of Object.entries(attempts))
        found[name] = await attempt().then(() => 'no error', (error) => [error.code, error.name, !!error.texts.ko]);
      return found;
    });
    for (const [name, answer] of Object.entries(codes)) assert.deepEqual(answer, [name.split(' ')[0], 'MinibertError', true], name);
    const counts = await page.evaluate(async () => {
      const long = '가 나 '.repeat(900);
      const found = async (asked) => (await asked.catch((error) => error)).values.found;
      const pieces = (await window.minibert.tokenize(long)).length;
      return [[await found(window.minibert.fill(`${long}[MASK]`)) - 1, pieces], [await found(window.minibert.attention(long)), pieces],
        [await found(window.minibert.answer(long, '왕')), pieces - 2]];
    });
    for (const [found, pieces] of counts) assert.equal(found, pieces);
    // A mask of full width is one.
    const wide = await page.evaluate((t) => window.minibert.words(t, { mask: 1, top: 1 }), '［ＭＡＳＫ］은 [MASK]이다.');
    assert.equal(wide.length, 1);
    const text = '😀 나는 [MASK]에 간다';
    const { tokens, masks } = await page.evaluate((t) => window.minibert.fill(t, null), text);
    assert.equal(text.slice(masks[0].begin, masks[0].end), '[MASK]');
    assert.equal(tokens.at(-2).end, text.length);
  },

  async 'a host may ask for trusted types and scripts of its own alone: the engine has its worker'({ browser, url }) {
    for (const policy of ["require-trusted-types-for 'script'", "script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types default"]) {
      const page = await open(browser, 'about:blank');
      await page.route(`${url}**`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
      });
      await page.goto(`${url}#t=나는 [MASK]다.&l=ko`);
      await started(page);
      assert.ok((await state(page)).boxes['guess-0-0'], policy);
      assert.ok(page.workers().some((worker) => worker.url().endsWith('engine_worker.js')), 'a worker');
      assert.deepEqual(page.errors, [], policy);
      // Another's script is none of the page's.
      assert.equal(await page.evaluate(() => { try { new Worker('https://other.example/x.js'); return 'made'; } catch (error) { return error.name; } }), 'TypeError');
      await page.context().close();
    }
  },

  async 'the page runs no script that is not its own'({ browser, url }) {
    const page = await started(await open(browser, url));
    const ran = await page.evaluate(async () => {
      for (const script of ['window.ran = 1', ''])
        document.body.append(Object.assign(document.createElement('script'), script ? { textContent: script } : { src: 'data:text/javascript,window.ran=2' }));
      document.body.insertAdjacentHTML('beforeend', '<img src="none.png" onerror="window.ran = 3">');
      await new Promise((done) => { setTimeout(done, 300); });
      return window.ran;
    });
    assert.equal(ran, undefined);
    await page.context().close();
  },

  async 'offline, once it was loaded'({ browser, url }) {
    const page = await started(await open(browser, url, { serviceWorkers: 'allow' }));
    await until(page, isKept);
    await page.context().setOffline(true);
    await page.reload();
    await started(page);
    assert.ok((await state(page)).boxes['guess-0-2']);
    // What only the full font has is drawn by the browser's, or as a box: not as nothing.
    const ink = () => page.evaluate(async () => {
      const [x, y, width] = window.minibert.page.state().boxes['example-0'];
      const image = document.createElement('canvas');
      Object.assign(image, { width: Math.min(width - 20, 300), height: 22 });
      const context = image.getContext('2d', { willReadFrequently: true });
      context.drawImage(document.getElementById('canvas'), -x - 10, -y + 4);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let dark = 0;
      for (let i = 0; i < data.length; i += 4) dark += data[i] < 110;
      return dark;
    });
    const inks = [];
    for (const exercise of ['%20', '뷁뷁뷁']) {
      await page.evaluate((x) => window.minibert.page.open(`t=a&l=ko&theme=light&x=${x}`), exercise);
      await settled(page);
      inks.push(await ink());
    }
    assert.ok(inks[1] > inks[0] + 100, `${inks} dark pixels`);
  },
};
