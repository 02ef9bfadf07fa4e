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
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=attention'));
    await settled(page);
    const before = (await state(page)).frames;
    await page.waitForTimeout(2000);
    assert.equal((await state(page)).frames, before);
    await page.mouse.move(300, 300);
    await settled(page);
    assert.ok((await state(page)).frames > before);
  },

  async 'attention: layers, heads, hovering over pieces and the map'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=attention&head=-1'));
    const shot = async () => (await page.screenshot()).toString('base64');
    const { boxes } = await state(page);
    const [x, y, w, h] = boxes['piece-1'];
    const plain = await shot();
    await page.mouse.move(x + w / 2, y + h / 2);
    await settled(page);
    assert.equal((await state(page)).attentionFrom, 1);
    const hovered = await shot();
    assert.notEqual(hovered, plain);
    await click(page, 'head-0');
    await page.waitForFunction(() => location.hash.includes('head=0'));
    const [mx, my, mw, mh] = boxes['heat-map'];
    await page.mouse.move(mx + mw - 5, my + 5);
    await settled(page);
    assert.equal((await state(page)).attentionFrom, 0);
    await page.mouse.move(mx + 5, my + mh - 5);
    await settled(page);
    assert.ok((await state(page)).attentionFrom > 3);
  },

  async 'the colors of the attention map have a legend, and its tokens are named without signs'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=attention'));
    const { boxes } = await state(page);
    assert.ok(boxes['heat-scale'][1] >= boxes['heat-map'][1] + boxes['heat-map'][3], 'below the map');
    assert.ok((await page.textContent('#page')).includes('색이 나타내는 비율'));
    const named = (prefix) => page.evaluate((title) => [...document.querySelectorAll('#page button, #page th')]
      .map((one) => one.textContent).filter((text) => text.includes('·') && !text.includes(' · ')), prefix);
    assert.deepEqual(await named(), []);
    await click(page, 'view-tokens');
    assert.deepEqual(await named(), []);
  },

  async 'in a long text the map stands above its many tokens'(at) {
    const page = await fresh(at, link('그는 [MASK]에 갔다가 왔다. '.repeat(20), '&v=attention'));
    const { boxes } = await state(page);
    assert.ok(boxes['piece-90'], 'more than ninety tokens');
    assert.ok(boxes['piece-0'][1] > boxes['heat-map'][1] + boxes['heat-map'][3]);
    assert.ok(boxes['heat-map'][1] < 400, `the map at ${boxes['heat-map'][1]}`);
  },

  async 'tokens and model facts are shown'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=tokens'));
    const pieces = await page.evaluate(() => window.minibert.tokenize('나는 [MASK]에 간다.'));
    assert.ok((await state(page)).boxes[`token-${pieces.length - 1}`]);
    assert.equal((await state(page)).boxes[`token-${pieces.length}`], undefined);
    for (const view of ['view-tokens', 'view-model']) {
      await click(page, view);
      assert.ok((await state(page)).boxes.details[3] > 120);
    }
  },

  async 'the explanation: steps, heads and units, ending in the guesses'(at) {
    const text = '세종대왕은 조선의 제4대 [MASK]이다.';
    const page = await fresh(at, link(text, '&v=explain&xown=1'));
    const table = (index) => page.evaluate((i) => [...document.querySelectorAll('#page table')[i].rows]
      .map((row) => [...row.cells].map((cell) => cell.textContent)), index);
    const explanation = await page.evaluate(async (t) => {
      const { tokens, local_layers: local, heads, masks, attention } = await window.minibert.explain(t, { top: 10 });
      return { tokens, local, heads, masks, attention: [...attention] };
    }, text);
    const { masks } = await page.evaluate((t) => window.minibert.fill(t), text);
    assert.deepEqual(explanation.masks[0].stages.at(-1).map((guess) => guess.text), masks[0].guesses.map((guess) => guess.text));
    const stages = (await table(2)).at(-1);
    masks[0].guesses.slice(0, 3).forEach((guess, k) => assert.ok(stages[k + 1].startsWith(`${guess.text} `), stages[k + 1]));
    // One head of the second layer: its best token and weight.
    await press(page, '2층 어텐션');
    await press(page, '헤드 3');
    const n = explanation.tokens.length;
    const row = explanation.attention.slice((((1 - explanation.local) * explanation.heads + 2) * n + masks[0].position) * n).slice(0, n);
    const best = Math.max(...row);
    const [, [piece, , , weight]] = await table(1);
    assert.equal(piece, explanation.tokens[row.indexOf(best)].piece.replaceAll('▁', '·'));
    assert.ok(Math.abs(Number.parseFloat(weight.replace(/[<>]/, '')) - 100 * best) < 0.06, weight);
    await press(page, '1층 피드포워드');
    assert.equal((await table(1)).length, 9);
    await press(page, '출력');
    const likely = async () => Number.parseFloat((await table(1))[1][2]);
    const warm = await likely();
    assert.ok(Math.abs(warm - 100 * masks[0].guesses[0].probability) < 0.06);
    // The sliders: by keyboard, and with the pointer where the canvas draws the knob.
    const slider = page.locator('#page label:has-text("온도") input');
    await slider.focus();
    for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowLeft');
    await settled(page);
    assert.equal(await slider.getAttribute('aria-valuetext'), '0.50');
    assert.ok(await likely() > warm);
    await page.mouse.move(900, 600);
    await page.mouse.wheel(0, 500);
    await settled(page);
    const [x, y, width, height] = (await state(page)).boxes.temperature;
    assert.ok(y > 0 && y + height < 860, `the slider is at ${y}`);
    await page.mouse.click(x + width - 2, y + height / 2);
    await settled(page);
    assert.equal(await slider.getAttribute('aria-valuetext'), '3.00');
    assert.ok(await likely() < warm);
    await page.locator('#page label:has-text("개수") input').fill('3');
    await settled(page);
    assert.equal((await table(1)).length, 4);
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

  async 'the path of the first guess is what fill-mask says of it after each half of a layer, and equal tokens have numbers'(at) {
    const text = '나는 왕이고 나는 [MASK]이다.';
    const { models: [model] } = await (await fetch(`${at.url}manifest.json`)).json();
    const page = await fresh(at, link(text, '&v=explain&xown=1'));
    const { masks: [{ guesses: [first] }] } = await page.evaluate((t) => window.minibert.fill(t, { top: 1 }), text);
    const { masks: [stages] } = JSON.parse(execFileSync(process.env.MINIBERT_PROGRAM, ['fill-mask', '--run', `${at.demo}/${model.file}`, '--json',
      '--half-layers', '--word', first.text, text], { encoding: 'utf8' }));
    const rows = await page.evaluate(() => [...document.querySelectorAll('#page table')[0].rows]
      .map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.equal(rows.length, stages.length + 1);
    stages.forEach(({ probability }, i) => {
      const [, shown] = rows[i + 1];
      assert.ok(Math.abs(Number.parseFloat(shown.replace(/[<>]/, '')) - 100 * probability) < 0.051, `${shown}, ${probability}`);
    });
    const { path } = (await state(page)).boxes;
    assert.ok(path[3] > 20 * stages.length, 'it is drawn');
    await press(page, '2층 어텐션');
    const names = () => page.evaluate(() => document.getElementById('page').textContent);
    assert.match(await names(), /·나¹/);
    assert.match(await names(), /·나²/);
    await click(page, 'view-attention');
    assert.match(await names(), /나¹.*나²/s);
    assert.deepEqual(page.errors, []);
  },

  async 'while it learns: each checkpoint guesses what fill-mask says of it, and a slider moves among them'(at) {
    const text = '그는 1910년 서울에서 [MASK].';
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const series = models.find((one) => one.series);
    assert.ok(series.bytes < 2e6, `${series.bytes}`);
    const page = await fresh(at, link(text, '&v=attention'));
    await click(page, 'view-training');
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
    const slider = page.locator('#page label:has-text("훈련") input');
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

  async 'the explanation opens with the BERT of the books, another model says in what it differs'(at) {
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const teaching = models.find((one) => one.teaching);
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=attention'));
    const says = () => page.evaluate(() => document.getElementById('page').textContent);
    await click(page, 'view-explain');
    await until(page, async (id) => (await window.minibert.models()).find((one) => one.id === id).state === 'ready', teaching.id);
    await settled(page);
    assert.match(await says(), /여기서는 교과서 BERT의 예측을 봅니다/);
    assert.doesNotMatch(await says(), /교과서의 BERT와 다릅니다/);
    assert.equal((await state(page)).model, models[0].id, 'the sentence keeps its model');
    await click(page, 'explain-own');
    await settled(page);
    assert.match(await says(), /교과서의 BERT와 다릅니다: 1층은 어텐션 대신 합성곱/);
    await click(page, 'standard');
    assert.doesNotMatch(await says(), /교과서의 BERT와 다릅니다/);
  },

  async 'an explanation whose model does not come is of the one that is here'(at) {
    const page = await started(await open(at.browser, at.url + link('나는 [MASK]에 간다.', '&v=tokens')));
    await page.route('**/kowiki-1m.mbq', (route) => route.abort());
    await click(page, 'view-explain');
    await page.waitForFunction(() => window.minibert.page.state().boxes.path);
    assert.ok((await state(page)).boxes['guess-0-0']);
    assert.match(await page.textContent('#page'), /교과서의 BERT와 다릅니다/);
    await page.context().close();
  },

  async 'heads off, a state swapped in and a followed word are what fill-mask says of them'(at) {
    const text = '대한민국의 수도는 [MASK]이다.';
    const other = '대한민국의 도시는 [MASK]이다.';
    const { models: [model] } = await (await fetch(`${at.url}manifest.json`)).json();
    const native = (...flags) => JSON.parse(execFileSync(process.env.MINIBERT_PROGRAM,
      ['fill-mask', '--run', `${at.demo}/${model.file}`, '--json', ...flags, text], { encoding: 'utf8' })).masks[0];
    const page = await fresh(at, link(text, '&v=explain&xown=1&xword=서울'));
    const table = (label) => page.evaluate((wanted) => {
      const found = [...document.querySelectorAll('#page table')].find((one) =>
        (one.getAttribute('aria-label') ?? one.caption?.textContent ?? '').includes(wanted));
      return found && [...found.rows].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent));
    }, label);
    const near = (shown, probability) => assert.ok(Math.abs(Number.parseFloat(shown.replace(/[<>]/, '')) - 100 * probability) < 0.051, `${shown}, ${probability}`);
    const compare = async (...flags) => {
      const changed = native('--top-k', '10', ...flags).guesses;
      const before = native('--top-k', '1000').guesses;
      const rows = await table('바뀐 예측');
      assert.equal(rows.length, 10);
      rows.forEach(([word, now, then], i) => {
        assert.equal(word, changed[i].text);
        near(now, changed[i].probability);
        const same = before.find(({ id }) => id === changed[i].id);
        if (same) near(then, same.probability);
      });
      const stages = native('--word', '서울', ...flags);
      const followed = await table('서울');
      assert.equal(followed.length, stages.length);
      followed.forEach(([, rank, now], i) => {
        assert.equal(rank, stages[i].pieces.map((piece) => piece.rank).join(', '));
        near(now, stages[i].probability);
      });
    };
    assert.equal(await table('바뀐 예측'), undefined, 'an untouched model has no difference to show');
    await press(page, '2.3');
    await compare('--without-head', '2.3');
    await page.waitForFunction(() => location.hash.includes('xoff=2.3'));
    await press(page, '1층');
    await compare('--without-head', '2.3', '--without-layer', '1');
    await press(page, '모두 켜기');
    assert.equal(await table('바뀐 예측'), undefined);
    await press(page, '다른 문장의 상태 넣기');
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
    // All positions of a text of another length are an error that says so.
    await fresh(at, link(text, `&v=explain&xown=1&xother=${encodeURIComponent('비가 온다.')}`));
    assert.match(await page.evaluate(() => document.getElementById('page').textContent), /두 문장의 토큰 수가 다르면/);
    await fresh(at, link(text, '&v=explain&xown=1&xoff=1.1'));
    assert.match(await page.evaluate(() => document.getElementById('page').textContent), /heads 1 to 5 in layers 2 to 2/);
    assert.deepEqual(page.errors, []);
  },

  async 'a pressed token is masked, a pressed small map enlarged'(at) {
    const page = await fresh(at, link('나는 오늘 학교에 간다.', '&v=tokens'));
    const tokens = await page.evaluate(() => window.minibert.tokenize('나는 오늘 학교에 간다.'));
    const index = tokens.findIndex((token) => token.piece.includes('오늘'));
    await click(page, `token-${index}`);
    assert.equal((await state(page)).text, '나는 [MASK] 학교에 간다.');
    await click(page, 'view-attention');
    await press(page, '층 2, 헤드 3');
    await page.waitForFunction(() => location.hash.includes('layer=1&head=2'));
  },

  async 'how many guesses, copied'(at) {
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=tokens'));
    await page.selectOption('#page select >> nth=2', { label: '20' });
    await page.waitForFunction(() => window.minibert.page.state().boxes['guess-0-19']);
    await page.waitForFunction(() => location.hash.includes('k=20'));
    await press(page, 'CSV로 복사');
    await page.waitForFunction(() => window.minibert.page.state().notice !== '');
    const rows = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    assert.equal(rows.length, 21);
    assert.equal(rows[0], 'sentence,model,mask,rank,text,probability');
    assert.match(rows[1], /^"나는 \[MASK\]에 간다\.","작은 모델",1,1,".+",0\.\d{6}$/);
  },

  async 'a copy names the sentence and every model that is shown'(at) {
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const page = await fresh(at, link('나는 [MASK]에 간다.', `&v=tokens&c=${models[1].id}`));
    await page.waitForFunction(() => window.minibert.page.state().boxes['second-guess-0-9']);
    await settled(page);
    const copied = async (button) => {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await press(page, button);
      await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const rows = (await copied('CSV로 복사')).trim().split('\n');
    assert.equal(rows.length, 21);
    assert.ok(rows[11].startsWith(`"나는 [MASK]에 간다.","${models[1].shown.ko}",1,1,`), rows[11]);
    const text = await copied('텍스트로 복사');
    assert.match(text, /^나는 \[MASK\]에 간다\.\n/);
    for (const { shown } of models.slice(0, 2)) assert.ok(text.includes(`\n${shown.ko}\n`), text);
  },

  async 'a saved picture holds all of the content, and no more'({ browser, url }) {
    const page = await started(await open(browser, url + link('나는 [MASK]에 간다.', '&v=explain&xown=1'), { width: 1280, height: 500 }));
    await page.mouse.wheel(0, 200);
    await settled(page);
    const before = (await state(page)).boxes;
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '그림 저장')]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.readUInt32BE(16), 1280);
    assert.ok(bytes.readUInt32BE(20) > 800, `${bytes.readUInt32BE(20)} pixels high`);
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
      const { details, sentence } = (await state(page)).boxes;
      assert.equal(details[0] > sentence[0] + sentence[2] - 1, width >= 1000, `columns at ${width}`);
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
    const page = await fresh(at, link('나는 [MASK]에 간다.', '&v=attention&c='));
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
