// What is shown: attention, tokens, comparison, narrow windows, pixel ratios, themes, rest.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { click, fresh, open, press, settled, started, state, until } from '../browser.mjs';
import { distinctColors } from './loading.mjs';

const link = (text, rest = '') => `#t=${encodeURIComponent(text)}&l=ko&theme=light&k=10${rest}`;

// Every widget lies inside the window's width.
async function assertInside(page, width) {
  const { boxes } = await state(page);
  for (const [name, [x, , w]] of Object.entries(boxes))
    assert.ok(x >= -0.5 && x + w <= width + 0.5, `${name}: ${x} … ${x + w} in ${width}`);
}

export const tests = {
  async 'an idle page draws nothing'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', ''));
    await settled(page);
    const before = (await state(page)).frames;
    await page.waitForTimeout(2000);
    assert.equal((await state(page)).frames, before);
    await page.mouse.move(300, 300);
    await settled(page);
    assert.ok((await state(page)).frames > before);
  },

  async 'the model\'s facts are a place of their own in every tab, and nowhere else'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.'));
    for (const tab of ['빈칸 채우기', '질문하기', '감성 분석', '이름 찾기']) {
      await press(page, tab);
      await until(page, async () => window.minibert.page.state().boxes['best-0'] || window.minibert.page.idle());
      assert.doesNotMatch(await page.textContent('#page'), /int8|SIMD|SHA|ms ·/, tab);
      await press(page, '모델 정보');
      await page.waitForFunction(() => /int8/.test(document.getElementById('page').textContent));
      await click(page, 'back');
      assert.ok(!(await state(page)).boxes.details);
    }
  },

  async 'the explanation: five steps, each with a picture and two sentences, ending in the guesses'(at) {
    const text = '세종대왕은 조선의 제4대 [MASK]이다.';
    const page = await fresh(at, link(text, '&v=explain&xown=1'));
    const { explanation, masks } = await page.evaluate(async (t) => {
      const { tokens, local_layers: local, layers, heads, masks: told, attention } = await window.minibert.explain(t, { top: 10 });
      return { explanation: { tokens, local, layers, heads, masks: told, attention: [...attention] }, masks: (await window.minibert.fill(t)).masks };
    }, text);
    const [best] = masks[0].guesses;
    const says = () => page.textContent('#page');
    const rows = () => page.evaluate(() => [...document.querySelector('#page table').rows].map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.ok((await says()).includes(`이렇게 예측했습니다: ${best.text} `));
    assert.match(await says(), /모델이 스스로 매긴 확신이어서, 99%라도 틀릴 수 있습니다/);
    assert.match(await says(), /세종대왕은 조선의 제4대 \? 이다/);
    await click(page, 'next-part');
    for (const [i, { id }] of explanation.tokens.entries())
      assert.ok((await state(page)).boxes[`token-${i}`] && (i === 0 || i + 1 === explanation.tokens.length || (await says()).includes(String(id))));
    await click(page, 'next-part');
    assert.match(await says(), /빈칸으로 들어오는 것만 그렸고.*뜻은 아닙니다/);
    await click(page, 'head-2');
    const n = explanation.tokens.length;
    for (const [s, row] of (await rows()).slice(1).entries())
      for (let layer = explanation.local; layer < explanation.layers; ++layer) {
        const at2 = (((layer - explanation.local) * explanation.heads + 2) * n + masks[0].position) * n + s;
        assert.ok(Math.abs(Number.parseFloat(row[layer + 1].replace(/[<>]/, '')) - 100 * explanation.attention[at2]) < 0.06, row.join());
      }
    await click(page, 'head--1');
    for (let layer = 1; layer <= explanation.layers; ++layer) {
      const sum = (await rows()).slice(1).reduce((all, row) => all + Number.parseFloat(row[layer].replace(/[<>]/, '')), 0);
      assert.ok(Math.abs(sum - 100) < 1, `${sum}`);
    }
    await click(page, 'next-part');
    for (const [stage, row] of (await rows()).slice(1).entries()) {
      explanation.masks[0].stages[stage].slice(0, 3).forEach((guess, k) => assert.ok(row[k + 1].startsWith(`${guess.text} `), row.join()));
      assert.ok(row[4].startsWith(`${explanation.masks[0].path[2 * stage].rank}위 `), row[4]);
    }
    assert.ok((await rows()).at(-1)[1].startsWith(`${best.text} `));
    await click(page, 'next-part');
    assert.ok((await state(page)).boxes['switch-1']);
    await click(page, 'next-part');
    assert.ok((await state(page)).boxes['guess-0-2'], 'back at the sentence');
    await fresh(at, link(text, '&v=explain'));
    await page.evaluate(() => window.minibert.page.setText('나는 간다'));
    await settled(page);
    assert.equal(await page.evaluate(() => document.querySelectorAll('#page table').length), 0);
    assert.deepEqual(page.errors, []);
  },

  async 'window.minibert.intervene gives what fill-mask prints, to the bit'(at) {
    const text = '대한민국의 수도는 [MASK]이다.';
    const other = '대한민국의 도시는 [MASK]이다.';
    const { models: [model] } = await (await fetch(`${at.url}manifest.json`)).json();
    const native = (...flags) => JSON.parse(execFileSync(process.env.MINIBERT_PROGRAM,
      ['fill-mask', '--run', `${at.demo}/${model.file}`, '--json', ...flags, text], { encoding: 'utf8' })).masks[0];
    const page = await fresh(at, link(text));
    const ask = (options) => page.evaluate(([t, o]) => window.minibert.intervene(t, o), [text, options]);
    for (const [options, flags] of [
      [{}, []],
      [{ withoutHeads: ['2.3'] }, ['--without-head', '2.3']],
      [{ withoutLayers: [1], withoutHeads: ['2.1', '2.2'] }, ['--without-layer', '1', '--without-head', '2.1', '--without-head', '2.2']],
      [{ patch: { text: other, layer: 1, at: [2] } }, ['--patch', other, '--patch-layer', '1', '--patch-at', '2']],
      [{ patch: { text: other, layer: 2, at: ['3:4'] } }, ['--patch', other, '--patch-layer', '2', '--patch-at', '3:4']],
    ]) {
      const { masks: [mask], word } = await ask({ ...options, top: 5, word: '서울' });
      const plain = mask.guesses.map(({ before, ...guess }) => guess);
      assert.deepEqual(plain, native('--top-k', '5', ...flags).guesses, flags.join(' '));
      assert.deepEqual(mask.before, native('--top-k', '5').guesses);
      assert.deepEqual(word, native('--word', '서울', ...flags).map(({ layer, ...score }) => score));
    }
    const { masks: [{ guesses: [{ text: first }] }] } = await ask({ top: 1 });
    const path = await page.evaluate(async (t) => (await window.minibert.explain(t)).masks[0].path, text);
    assert.deepEqual(path, native('--half-layers', '--word', first)
      .map(({ pieces: [{ rank, probability }] }) => ({ rank, probability })));
    const refused = await page.evaluate((t) => Promise.all([
      { withoutHeads: [3] }, { withoutHeads: '2.3' }, { withoutLayers: [0] }, { patch: 'x' }, { patch: { text: '', layer: 1 } },
      { patch: { text: 'x' } }, { patch: { text: 'x', layer: 1, at: ['a'] } }, { word: 3 }, { mask: -1 }, { top: 0 }, { withoutLayers: [9] }, { withoutHeads: ['9.1'] },
      { withoutHeads: ['2.99'] }, { patch: { text: t, layer: 9 } }, { patch: { text: `${t}${t}`, layer: 1 } }, { patch: { text: t, layer: 1, at: [99] } }, { topk: 3 }, 3,
    ].map((options) => window.minibert.intervene(t, options).then(() => 'none', ({ code, values }) => `${code} ${values.name ?? ''}`))), text);
    assert.deepEqual(refused, ['bad-argument withoutHeads', 'bad-argument withoutHeads', 'bad-argument withoutLayers', 'bad-argument patch',
      'bad-argument patch.text', 'bad-argument patch.layer', 'bad-argument patch.at', 'bad-argument word', 'bad-argument mask', 'bad-argument top', 'bad-argument withoutLayers',
      'bad-argument withoutHeads', 'bad-argument withoutHeads', 'bad-argument patch.layer', 'bad-argument patch.text', 'bad-argument patch.at',
      'bad-argument options', 'bad-argument options']);
  },

  async 'equal tokens are told apart'(at) {
    const page = await fresh(at, link('나는 왕이고 나는 [MASK]이다.', '&v=explain&xown=1&xpart=3'));
    assert.match(await page.textContent('#page'), /나\(1\).*나\(2\)/s);
  },

  async 'while it learns: each checkpoint guesses what fill-mask says of it, and a slider moves among them'(at) {
    const text = '그는 1910년 서울에서 [MASK].';
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const series = models.find((one) => one.series);
    assert.ok(series.bytes < 2e6, `${series.bytes}`);
    const page = await fresh(at, link(text, '&v=explain&xown=1'));
    await click(page, 'to-training');
    await until(page, async (id) => (await window.minibert.models()).find((one) => one.id === id).state === 'ready', series.id);
    await settled(page);
    const { checkpoints } = await page.evaluate((id) => window.minibert.load(id), series.id);
    const all = await page.evaluate(([t, model]) => window.minibert.checkpoints(t, { top: 5, model }), [text, series.id]);
    assert.deepEqual(all.map(({ share }) => share), checkpoints);
    assert.deepEqual([checkpoints[0], checkpoints.at(-1)], [0, 1000]);
    for (const { share, masks } of [all[0], all[2], all.at(-1)]) {
      const native = JSON.parse(execFileSync(process.env.MINIBERT_PROGRAM,
        ['fill-mask', '--run', `${at.demo}/${series.file}@${share}`, '--json', '--top-k', '5', text], { encoding: 'utf8' }));
      assert.deepEqual(masks[0].guesses, native.masks[0].guesses, `at ${share}`);
    }
    const shown = (index) => page.evaluate((i) => [...document.querySelectorAll('#page table')[i].rows]
      .slice(1).map((row) => [...row.cells].map((cell) => cell.textContent)), index);
    const best = (one) => one.masks[0].guesses[0].text;
    assert.equal((await shown(0))[0][0], best(all.at(-1)));
    (await shown(1)).forEach(([, first], i) => assert.ok(first.startsWith(`${best(all[i])} `), `${first}, ${best(all[i])}`));
    const slider = page.locator('#page label:has-text("학습") input');
    await slider.fill('0');
    await settled(page);
    assert.equal(await slider.getAttribute('aria-valuetext'), '0 %');
    assert.equal((await shown(0))[0][0], best(all[0]));
    await page.waitForFunction(() => location.hash.includes('share=0'));
    // It is for this view alone.
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('#page select')].some((one) => one.textContent.includes('0.1M'))), false);
    assert.deepEqual(await page.evaluate((t) => window.minibert.checkpoints(t, { model: 'everyday-1m' }).then(() => 'none', ({ code }) => code), text), 'wrong-model');
    await page.evaluate(() => window.minibert.page.setText('나는 간다'));
    await settled(page);
    assert.match(await page.evaluate(() => document.getElementById('page').textContent), /\[MASK\]를 넣으면 예측이 나옵니다/);
    assert.deepEqual(page.errors, []);
  },

  async 'the explanation opens with the BERT of the books, changes no model elsewhere, and leaving restores all'(at) {
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const teaching = models.find((one) => one.teaching);
    const text = '대한민국의 수도는 [MASK]이다.';
    const page = await fresh(at, link(text));
    const says = async () => (await page.textContent('#page')).replaceAll(/ · [\d.]+ MB/g, '');  // what is still to come
    const before = await says();
    const first = (model) => page.evaluate(async ([t, m]) => (await window.minibert.fill(t, { model: m })).masks[0].guesses[0].text, [text, model]);
    await click(page, 'to-explain');
    await until(page, async (id) => (await window.minibert.models()).find((one) => one.id === id).state === 'ready', teaching.id);
    await settled(page);
    assert.ok((await says()).includes(`이렇게 예측했습니다: ${await first(teaching.id)} `));
    assert.equal((await state(page)).model, models[0].id, 'the sentence keeps its model');
    await click(page, 'explain-own');
    await settled(page);
    assert.ok((await says()).includes(`이렇게 예측했습니다: ${await first(models[0].id)} `));
    await click(page, 'part-5');
    await press(page, '2층');
    await click(page, 'back');
    assert.equal(await says(), before);
  },

  async 'an explanation whose model does not come is of the one that is here'(at) {
    const page = await started(await open(at.browser, at.url + link('나는 [MASK]에 간다.')));
    await page.route('**/kowiki-1m.mbq', (route) => route.abort());
    await click(page, 'to-explain');
    await page.waitForFunction(() => window.minibert.page.state().boxes.hiding);
    const best = await page.evaluate(async () => (await window.minibert.fill('나는 [MASK]에 간다.')).masks[0].guesses[0].text);
    assert.ok((await page.textContent('#page')).includes(`이렇게 예측했습니다: ${best} `));
    await click(page, 'back');
    assert.ok((await state(page)).boxes['guess-0-0'], 'the guesses are still here');
    await page.context().close();
  },

  async 'heads off and vectors swapped in are what fill-mask says of them, and change all that stands above'(at) {
    const text = '대한민국의 수도는 [MASK]이다.';
    const other = '대한민국의 도시는 [MASK]이다.';
    const { models: [model] } = await (await fetch(`${at.url}manifest.json`)).json();
    const native = (...flags) => JSON.parse(execFileSync(process.env.MINIBERT_PROGRAM,
      ['fill-mask', '--run', `${at.demo}/${model.file}`, '--json', ...flags, text], { encoding: 'utf8' })).masks[0];
    const page = await fresh(at, link(text, '&v=explain&xown=1&xpart=5'));
    const table = () => page.evaluate(() => {
      const found = document.querySelector('#page table');
      return found && [...found.rows].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent));
    });
    const near = (shown, probability) => assert.ok(Math.abs(Number.parseFloat(shown.replace(/[<>]/, '')) - 100 * probability) < 0.051, `${shown}, ${probability}`);
    const blank = () => page.textContent('.field b');
    const compare = async (...flags) => {
      const changed = native('--top-k', '6', ...flags).guesses;
      const before = native('--top-k', '1000').guesses;
      const rows = await table();
      assert.equal(rows.length, 6);
      rows.forEach(([word, now, then], i) => {
        assert.equal(word, changed[i].text);
        near(now, changed[i].probability);
        const same = before.find(({ id }) => id === changed[i].id);
        if (same) near(then, same.probability);
      });
      assert.equal(await blank(), changed[0].text, 'the word in the blank');
      assert.ok((await page.textContent('#page')).includes(`이렇게 예측했습니다: ${changed[0].text} `));
      await click(page, 'part-4');
      const stages = (await table()).at(-1);
      changed.slice(0, 3).forEach((guess, k) => assert.ok(stages[k + 1].startsWith(`${guess.text} `), `${stages}`));
      await click(page, 'part-5');
    };
    assert.equal(await table(), null, 'an untouched model has no difference to show');
    await press(page, '2.3');
    await compare('--without-head', '2.3');
    await click(page, 'part-3');
    const brought = async (head) => {
      await click(page, `head-${head}`);
      return (await table()).reduce((sum, row) => sum + Number.parseFloat(row[2].replace(/[<>]/, '')), 0);
    };
    assert.ok(await brought(2) < 0.2 && await brought(1) > 99, 'a head that is off brings nothing');
    await click(page, 'part-5');
    await page.waitForFunction(() => location.hash.includes('xoff=2.3'));
    await press(page, '1층');
    await compare('--without-head', '2.3', '--without-layer', '1');
    await press(page, '모두 되돌리기');
    assert.equal(await table(), null);
    await press(page, '다른 문장의 벡터 넣기');
    await page.fill('dialog input', other);
    await page.keyboard.press('Enter');
    await settled(page);
    await page.selectOption('#page select:has(option:text-is("모든 자리"))', { index: 3 });
    await settled(page);
    await compare('--patch', other, '--patch-layer', '1', '--patch-at', '2');
    // A link has it all.
    await page.waitForFunction(() => location.hash.includes('xat=2'));
    const address = await page.evaluate(() => location.hash);
    await fresh(at, link('가 [MASK]'));
    await fresh(at, address);
    await compare('--patch', other, '--patch-layer', '1', '--patch-at', '2');
    // What cannot be done is said in the reader's language, and can be undone.
    for (const [change, told] of [['xother=비가 온다.', /두 문장의 토큰 수가 달라/], ['xother=비&xat=6', /다른 문장에는 그 자리가 없습니다/],
      ['xoff=1.1', /이 모델에 없는 층이나 헤드/]]) {
      await fresh(at, link(text, `&v=explain&xown=1&xpart=5&${encodeURI(change)}`));
      assert.match(await page.textContent('#page'), told);
      await press(page, '모두 되돌리기');
      assert.equal(await blank(), native('--top-k', '1').guesses[0].text);
    }
    assert.deepEqual(page.errors, []);
  },

  async 'a pressed token is masked, too'(at) {
    const text = '나는 오늘 [MASK]에 간다.';
    const page = await fresh(at, link(text, '&v=explain&xown=1&xpart=2'));
    const tokens = await page.evaluate((t) => window.minibert.tokenize(t), text);
    await click(page, `token-${tokens.findIndex((token) => token.piece.includes('오늘'))}`);
    assert.equal((await state(page)).text, '나는 [MASK] [MASK]에 간다.');
    await click(page, 'explain-mask-1');
    await page.waitForFunction(() => location.hash.includes('xmask=1'));
  },

  async 'how many guesses, copied'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', ''));
    await page.selectOption('#page select >> nth=2', { label: '20' });
    await page.waitForFunction(() => window.minibert.page.state().boxes['guess-0-19']);
    await page.waitForFunction(() => location.hash.includes('k=20'));
    await press(page, '텍스트로 복사');
    await page.waitForFunction(() => window.minibert.page.state().notice !== '');
    const rows = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    assert.deepEqual(rows.slice(0, 3), ['나는 [MASK]에 간다.', '작은 모델', '빈칸 1']);
    assert.equal(rows.length, 23);
    for (const row of rows.slice(3)) assert.match(row, /^\S+\t[<>]?[\d.]+%$/);
  },

  async 'a copy names the sentence and every model that is shown'(at) {
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const page = await fresh(at, link('나는 [MASK]에 간다.', `&c=${models[1].id}`));
    await page.waitForFunction(() => window.minibert.page.state().boxes['second-guess-0-9']);
    await settled(page);
    const copied = async (button) => {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await press(page, button);
      await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const text = await copied('텍스트로 복사');
    assert.match(text, /^나는 \[MASK\]에 간다\.\n/);
    for (const { shown } of models.slice(0, 2)) assert.ok(text.includes(`\n${shown.ko}\n`), text);
  },

  async 'a saved picture holds all of the content, and no more'({ browser, url }) {
    const page = await started(await open(browser, url + link('나는 [MASK]에 간다.', '&v=explain&xown=1&xpart=3'), { width: 1280, height: 500 }));
    await page.mouse.wheel(0, 200);
    await settled(page);
    const before = (await state(page)).boxes;
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '그림 저장')]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.readUInt32BE(16), 1280);
    assert.ok(bytes.readUInt32BE(20) > 600, `${bytes.readUInt32BE(20)} pixels high`);
    await settled(page);
    assert.deepEqual((await state(page)).boxes, before, 'the page stands as it stood');
    assert.deepEqual(await page.evaluate(() => document.getElementById('canvas').height), 500);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  async 'two models side by side'(at) {
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const page = await fresh(at, link('나는 [MASK]에 간다.', `&c=${models[1].id}`));
    await page.waitForFunction(() => window.minibert.page.state().boxes['second-guess-0-9']);
    await settled(page);
    const { boxes } = await state(page);
    assert.ok(boxes['second-guess-0-0'][0] > boxes['guess-0-0'][0] + boxes['guess-0-0'][2]);
    const { masks } = await page.evaluate((model) => window.minibert.fill('나는 [MASK]에 간다.', { model }), models[1].id);
    await click(page, 'second-guess-0-0');
    assert.equal((await state(page)).text, `나는 ${masks[0].guesses[0].text}에 간다.`);
  },

  async 'a window 360 px wide: all is inside, and a finger scrolls'({ browser, url }) {
    const text = '[MASK]의 수도는 [MASK]이고 세종대왕은 조선의 제4대 임금이다.';
    const page = await started(await open(browser, url + link(text), { width: 360, height: 640, ratio: 2, hasTouch: true, isMobile: true }));
    await assertInside(page, 360);
    const top = (await state(page)).boxes.guesses[1];
    const session = await page.context().newCDPSession(page);
    const touch = (type, y) => session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: 350, y }] });
    await touch('touchStart', 500);
    for (let y = 490; y >= 200; y -= 30) await touch('touchMove', y);
    await touch('touchEnd');
    await settled(page);
    assert.ok((await state(page)).boxes.guesses[1] < top - 150, 'the page has scrolled');
    assert.equal((await state(page)).text, text);
    await assertInside(page, 360);
  },

  async 'the layout follows the window'({ browser, url }) {
    const page = await started(await open(browser, url + link('나는 [MASK]')));
    for (const width of [1400, 1000, 700, 420, 360]) {
      await page.setViewportSize({ width, height: 700 });
      await settled(page);
      await assertInside(page, width);
      const { more, guesses } = (await state(page)).boxes;
      assert.equal(more[0] > guesses[0] + guesses[2] - 1, width >= 1000, `columns at ${width}`);
    }
  },

  async 'text is drawn at the device pixels of every ratio'({ browser, url }) {
    for (const ratio of [1, 1.5, 2, 3]) {
      const page = await started(await open(browser, url, { width: 500, height: 400, ratio }));
      const size = await page.evaluate(() => [document.getElementById('canvas').width, document.getElementById('canvas').height]);
      assert.deepEqual(size, [500 * ratio, 400 * ratio]);
      const [, , width] = (await state(page)).boxes['insert-mask'];
      assert.ok(width > 90 && width < 130, `the button is ${width} CSS px wide at ratio ${ratio}`);
      assert.ok(await distinctColors(page) > 50);
      await page.context().close();
    }
  },

  async 'rare syllables bring the full font, other scripts the browser\'s'({ browser, url }) {
    const fonts = [];
    const context = await browser.newContext({ viewport: { width: 900, height: 600 }, serviceWorkers: 'block' });
    const page = await context.newPage();
    page.on('request', (request) => { if (request.url().endsWith('font-full.ttf')) fonts.push(request.url()); });
    await page.goto(url + link('서울'));
    await started(page);
    assert.equal(fonts.length, 0);
    const picture = async () => {
      const [x, y, width] = (await state(page)).boxes.editor;
      return (await page.screenshot({ clip: { x, y, width, height: 36 } })).toString('base64');
    };
    const pictures = new Set();
    for (const text of ['뷁', '쀍', '똠방각하 펲시콜라', 'ไทย', '😀']) {
      await page.evaluate((t) => window.minibert.page.setText(t), text);
      await settled(page);
      pictures.add(await picture());
    }
    assert.equal(fonts.length, 1);
    assert.equal(pictures.size, 5, 'each text looks different');
  },

  async 'a lost WebGL context comes back'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&c='));
    const before = await distinctColors(page);
    await page.evaluate(async () => {
      const gl = document.getElementById('canvas').getContext('webgl2');
      const extension = gl.getExtension('WEBGL_lose_context');
      extension.loseContext();
      await new Promise((done) => setTimeout(done, 200));
      extension.restoreContext();
      await new Promise((done) => setTimeout(done, 200));
    });
    await settled(page);
    assert.equal(await page.evaluate(() => document.getElementById('canvas').getContext('webgl2').isContextLost()), false);
    assert.ok(await distinctColors(page) > before / 2);
  },
};
