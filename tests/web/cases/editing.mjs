// The sentence with mouse and keyboard: masks, guesses, undo, clipboard, links.
import assert from 'node:assert/strict';
import { click, fresh, open, settled, started, state } from '../browser.mjs';

const link = (text) => `t=${encodeURIComponent(text)}&l=ko&theme=light&k=10&c=`;
const page = (at, text) => fresh(at, link(text));
const textOf = async (at) => (await state(at)).text;

export const tests = {
  async 'a guess goes in with a click and out with undo'(at) {
    const p = await page(at, '대한민국의 수도는 [MASK]이다.');
    const best = (await p.evaluate(() => window.minibert.fill('대한민국의 수도는 [MASK]이다.'))).masks[0].guesses;
    await click(p, 'guess-0-1');
    assert.equal(await textOf(p), `대한민국의 수도는 ${best[1].text}이다.`);
    await click(p, 'undo');
    assert.equal(await textOf(p), '대한민국의 수도는 [MASK]이다.');
    await p.keyboard.press('Control+Shift+z');
    assert.equal(await textOf(p), `대한민국의 수도는 ${best[1].text}이다.`);
    await p.keyboard.press('Control+z');
    assert.equal(await textOf(p), '대한민국의 수도는 [MASK]이다.');
  },

  async 'the field is a textarea that breaks its lines as the copies that paint marks and guesses do'(at) {
    const p = await started(await open(at.browser, `${at.url}#${link('나는 [MASK]에 간다. '.repeat(12))}`, { width: 390, height: 800 }));
    for (const text of [null, 'supercalifragilisticexpialidocious'.repeat(4), '👩‍🚀 مرحبا 나는 ไทย 학교에 ✊🏽 간다 '.repeat(9), `${'가'.repeat(70)}  [MASK]`]) {
      if (text) await p.evaluate((t) => window.minibert.page.setText(t), text);
      await settled(p);
      const [heights, places] = await p.evaluate(() => {
        const area = document.getElementById('input');
        const [behind, before] = area.parentElement.querySelectorAll('div');
        const marks = (layer) => [...layer.querySelectorAll('mark')].map((mark) => [mark.offsetLeft, mark.offsetTop, mark.offsetWidth]);
        area.style.height = '0';
        const natural = area.scrollHeight;
        area.style.height = '';
        return [[natural, behind.offsetHeight, before.offsetHeight], [marks(behind), marks(before)]];
      });
      assert.equal(new Set(heights).size, 1, `${heights}`);
      assert.deepEqual(places[0], places[1]);
    }
    await p.context().close();
  },

  async 'the best guess stands in its blank, in a class once it is asked for'(at) {
    const text = '대한민국의 수도는 [MASK]이다.';
    const p = await page(at, text);
    const shown = () => p.evaluate(() => [...document.querySelectorAll('.field b')].map((b) => b.textContent));
    const [{ guesses }] = (await p.evaluate((t) => window.minibert.fill(t), text)).masks;
    assert.deepEqual(await shown(), [guesses[0].text]);
    await click(p, 'lesson');
    assert.deepEqual(await shown(), []);
    await click(p, 'show');
    assert.deepEqual(await shown(), [guesses[0].text]);
  },

  async 'a field holds so many characters, and says so where that is reached'(at) {
    const p = await page(at, '가'.repeat(10001));
    assert.equal((await textOf(p)).length, 10000);
    assert.match((await state(p)).notice, /10000/);
    await p.keyboard.press('Control+End');
    await p.keyboard.type('나');
    assert.equal((await textOf(p)).length, 10000);
    assert.match(await p.textContent('#page'), /10000자까지 쓸/);
    await p.keyboard.press('Backspace');
    await settled(p);
    assert.doesNotMatch(await p.textContent('#page'), /10000자까지 쓸/);
  },

  async 'a press that comes in one frame with the movement before it counts'(at) {
    const p = await page(at, '나는 [MASK]에 간다.');
    const { boxes } = await state(p);
    await p.evaluate(([x, y, width, height]) => {
      for (const type of ['pointermove', 'pointerdown', 'pointerup'])
        document.getElementById('canvas').dispatchEvent(new PointerEvent(type,
          { clientX: x + width / 2, clientY: y + height / 2, button: 0, pointerId: 1, pointerType: 'mouse', bubbles: true }));
    }, boxes['guess-0-0']);
    await settled(p);
    assert.doesNotMatch(await textOf(p), /MASK/);
  },

  async 'several masks: each has its guesses, all are filled at once, one undo brings them back'(at) {
    const text = '[MASK]의 수도는 [MASK]이다.';
    const p = await page(at, text);
    const { boxes } = await state(p);
    assert.ok(boxes['guess-0-9'] && boxes['guess-1-9']);
    const { filled } = await p.evaluate((t) => window.minibert.fill(t), text);
    await click(p, 'fill-all');
    assert.equal(await textOf(p), filled);
    await click(p, 'undo');
    assert.equal(await textOf(p), text);
    await p.keyboard.press('Control+Enter');
    assert.equal(await textOf(p), filled);
  },

  async 'the word at the caret is masked by button and by shortcut'(at) {
    const p = await page(at, '나는 학교에 간다');
    await p.keyboard.press('Control+m');
    assert.equal(await textOf(p), '나는 학교에 [MASK]');
    await p.keyboard.press('Control+z');
    await p.evaluate(() => document.getElementById('input').setSelectionRange(3, 6));
    await settled(p);
    await click(p, 'mask-word');
    assert.equal(await textOf(p), '나는 [MASK] 간다');
  },

  async 'a mask is one character for the caret and for deleting'(at) {
    const p = await page(at, '가나 [MASK] 다라');
    const caret = async () => {
      await settled(p);
      return (await state(p)).selection[1];
    };
    await p.keyboard.press('Home');
    for (let i = 0; i < 4; ++i) await p.keyboard.press('ArrowRight');
    assert.equal(await caret(), 9);
    await p.keyboard.press('ArrowLeft');
    assert.equal(await caret(), 3);
    await p.keyboard.press('Delete');
    assert.equal(await textOf(p), '가나  다라');
    await p.keyboard.press('Control+z');
    await p.keyboard.press('End');
    for (let i = 0; i < 4; ++i) await p.keyboard.press('Backspace');
    assert.equal(await textOf(p), '가나 ');
  },

  async 'copy, cut and paste, with a composed form of decomposed text'(at) {
    const p = await page(at, '서울 [MASK]');
    await p.keyboard.press('Control+a');
    await p.keyboard.press('Control+c');
    assert.equal(await p.evaluate(() => navigator.clipboard.readText()), '서울 [MASK]');
    await p.keyboard.press('Control+x');
    assert.equal(await textOf(p), '');
    await p.keyboard.press('Control+v');
    await p.keyboard.press('Control+v');
    assert.equal(await textOf(p), '서울 [MASK]서울 [MASK]');
    await p.evaluate(() => navigator.clipboard.writeText('부산'.normalize('NFD') + '\n시'));
    await p.keyboard.press('Control+a');
    await p.keyboard.press('Control+v');
    assert.equal(await textOf(p), '부산 시');
  },

  async 'the address reproduces sentence and settings'(at) {
    const p = await page(at, '나는 [MASK]에 간다.');
    await click(p, 'to-explain');
    await p.waitForFunction(() => window.minibert.page.state().boxes['part-2']);
    await click(p, 'part-2');
    await click(p, 'theme');
    await p.keyboard.press('End');
    await p.keyboard.type('!');
    await settled(p);
    await p.waitForFunction(() => location.hash.includes('v=explain') && location.hash.includes('xpart=2') && location.hash.includes('theme=dark') &&
      decodeURIComponent(location.hash).includes('간다.!'));
    const address = p.url();
    const other = await started(await open(at.browser, address));
    assert.equal(await textOf(other), '나는 [MASK]에 간다.!');
    await other.waitForFunction(() => window.minibert.page.state().boxes['token-0']);
    assert.equal(await other.evaluate(() => document.documentElement.style.colorScheme), 'dark');
  },

  async 'a link is copied by the button'(at) {
    const p = await page(at, '나는 [MASK]');
    if (!(await state(p)).boxes.share) await click(p, 'share-menu');
    await click(p, 'share');
    await p.waitForFunction(() => window.minibert.page.state().notice !== '');
    const copied = await p.evaluate(() => navigator.clipboard.readText());
    assert.ok(decodeURIComponent(copied).includes('t=나는 [MASK]'), copied);
  },

  async 'an example is put in, and can be undone'(at) {
    const p = await page(at, '가');
    await click(p, 'example-1');
    assert.match(await textOf(p), /세종대왕/);
    await click(p, 'undo');
    assert.equal(await textOf(p), '가');
  },

  async 'a press on a guess opens no phone\'s keyboard, and a finger that drags over the field scrolls the page'(at) {
    const p = await started(await open(at.browser, `${at.url}#${link('나는 [MASK]에 간다')}`,
      { width: 390, height: 600, ratio: 2, hasTouch: true, isMobile: true }));
    await p.evaluate(() => document.getElementById('input').blur());
    const [left, top, wide, high] = (await state(p)).boxes['best-1'];
    await p.touchscreen.tap(left + wide / 2, top + high / 2);
    await settled(p);
    assert.doesNotMatch(await textOf(p), /MASK/);
    assert.notEqual(await p.evaluate(() => document.activeElement.id), 'input');
    const [x, before, width] = (await state(p)).boxes.editor;
    const session = await p.context().newCDPSession(p);
    const touch = (type, ...downs) => session.send('Input.dispatchTouchEvent',
      { type, touchPoints: downs.map((down) => ({ x: x + width / 4, y: before + down })) });
    await touch('touchStart', 30);
    for (const down of [20, 0, -20, -40]) await touch('touchMove', down);
    await touch('touchEnd');
    await settled(p);
    assert.ok((await state(p)).boxes.editor[1] < before - 20);
    await p.context().close();
  },
};
