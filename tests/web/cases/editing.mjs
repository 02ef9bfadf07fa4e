// The sentence with mouse and keyboard: masks, guesses, undo, clipboard, links.
import assert from 'node:assert/strict';
import { click, fresh, open, settled, started, state } from '../browser.mjs';

const link = (text) => `t=${encodeURIComponent(text)}&l=ko&theme=light&v=timing&c=`;
const page = (at, text) => fresh(at, link(text));
const textOf = async (at) => (await state(at)).text;

// The middle of the n-th character's left edge, from the layout that the caret shows.
async function caretBoxAt(at, position) {
  await at.keyboard.press('Control+Home');
  for (let i = 0; i < position; ++i) await at.keyboard.press('ArrowRight');
  await settled(at);
  const [x, y, , height] = (await state(at)).caretBox;
  return [x, y + height / 2];
}

export const tests = {
  async 'a guess goes in with a click and out with undo'(at) {
    const p = await page(at, '대한민국의 수도는 [MASK]이다.');
    const best = (await p.evaluate(() => window.minibert.fill('대한민국의 수도는 [MASK]이다.'))).masks[0].guesses;
    await click(p, 'guess-0-1');
    assert.equal(await textOf(p), `대한민국의 수도는 ${best[1].text}이다.`);
    await click(p, 'undo');
    assert.equal(await textOf(p), '대한민국의 수도는 [MASK]이다.');
    await click(p, 'redo');
    assert.equal(await textOf(p), `대한민국의 수도는 ${best[1].text}이다.`);
    await p.keyboard.press('Control+z');
    assert.equal(await textOf(p), '대한민국의 수도는 [MASK]이다.');
  },

  async 'undo and redo are where their letters are, and in a Hangul layout where those would be'(at) {
    const p = await page(at, '나는 학교에 간다');
    const masked = '나는 학교에 [MASK]';
    const press = async (key, code) => {
      await p.evaluate((init) => document.getElementById('input').dispatchEvent(new KeyboardEvent('keydown',
        { ...init, ctrlKey: true, bubbles: true, cancelable: true })), { key, code });
      await settled(p);
      return textOf(p);
    };
    assert.equal(await press('m', 'KeyM'), masked);
    assert.equal(await press('z', 'KeyY'), '나는 학교에 간다', 'QWERTZ');
    assert.equal(await press('y', 'KeyZ'), masked, 'QWERTZ');
    assert.equal(await press('ㅋ', 'KeyZ'), '나는 학교에 간다');
    assert.equal(await press('ㅛ', 'KeyY'), masked);
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
    assert.ok(boxes['guess-0-9'] && boxes['guess-1-9'] && boxes['chip-1'] && boxes['chip-2']);
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
    const [x, y] = await caretBoxAt(p, 4);
    await p.mouse.dblclick(x, y);
    await settled(p);
    assert.deepEqual([(await state(p)).anchor, (await state(p)).caret], [3, 6]);
    await click(p, 'mask-word');
    assert.equal(await textOf(p), '나는 [MASK] 간다');
  },

  async 'Home, End, arrows, selection with Shift, Delete'(at) {
    const p = await page(at, '가나 [MASK] 다라');
    await p.keyboard.press('Home');
    assert.equal((await state(p)).caret, 0);
    await p.keyboard.press('End');
    assert.equal((await state(p)).caret, 12);
    await p.keyboard.press('Control+ArrowLeft');
    await p.keyboard.press('ArrowLeft');
    await p.keyboard.press('ArrowLeft');
    assert.equal((await state(p)).caret, 3, 'an arrow steps over a chip');
    await p.keyboard.press('Delete');
    assert.equal(await textOf(p), '가나  다라');
    await p.keyboard.press('Shift+Home');
    await p.keyboard.type('x');
    assert.equal(await textOf(p), 'x 다라');
    await p.keyboard.press('Control+a');
    await p.keyboard.press('Backspace');
    assert.equal(await textOf(p), '');
  },

  async 'dragging selects, a shift-click extends, three clicks take all'(at) {
    const p = await page(at, '나는 학교에 간다');
    const [right, y] = await caretBoxAt(p, 6);
    const [left] = await caretBoxAt(p, 3);
    await p.mouse.move(left, y);
    await p.mouse.down();
    await p.mouse.move((left + right) / 2, y, { steps: 3 });
    await settled(p);
    await p.mouse.move(right, y, { steps: 3 });
    await settled(p);
    await p.mouse.up();
    await settled(p);
    assert.deepEqual([(await state(p)).anchor, (await state(p)).caret], [3, 6]);
    await p.keyboard.type('집에');
    assert.equal(await textOf(p), '나는 집에 간다');
    await p.waitForTimeout(500);
    await p.mouse.click(left, y, { clickCount: 3, delay: 30 });
    await settled(p);
    const now = await state(p);
    assert.deepEqual([now.anchor, now.caret], [0, 8]);
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
    await click(p, 'view-tokens');
    await click(p, 'theme');
    await p.keyboard.press('End');
    await p.keyboard.type('!');
    await settled(p);
    await p.waitForFunction(() => location.hash.includes('v=tokens') && location.hash.includes('theme=dark') &&
      decodeURIComponent(location.hash).includes('간다.!'));
    const address = p.url();
    const other = await started(await open(at.browser, address));
    assert.equal(await textOf(other), '나는 [MASK]에 간다.!');
    assert.ok((await state(other)).boxes['token-0'], 'the token view is open');
    assert.equal(await other.evaluate(() => document.documentElement.style.colorScheme), 'dark');
  },

  async 'a link is copied by the button'(at) {
    const p = await page(at, '나는 [MASK]');
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

  async 'a tap on the sentence opens the keyboard: focus is taken inside the touch event'(at) {
    const p = await started(await open(at.browser, `${at.url}#${link('나는 간다')}`,
      { width: 390, height: 800, ratio: 2, hasTouch: true, isMobile: true }));
    await p.evaluate(() => document.getElementById('input').blur());
    const trusted = p.evaluate(() => new Promise((done) => document.getElementById('input').addEventListener('focus',
      () => done(navigator.userActivation.isActive), { once: true })));
    const [x, y, width] = (await state(p)).boxes.editor;
    await p.touchscreen.tap(x + width / 4, y + 15);
    assert.equal(await trusted, true);
    await settled(p);
    await p.keyboard.type('x');
    assert.match(await textOf(p), /x/);
  },

  async 'a finger that scrolls and ends over the sentence leaves the keyboard closed'(at) {
    const p = await started(await open(at.browser, `${at.url}#${link('나는 간다')}`,
      { width: 390, height: 800, ratio: 2, hasTouch: true, isMobile: true }));
    await p.evaluate(() => document.getElementById('input').blur());
    const [x, y, width] = (await state(p)).boxes.editor;
    const session = await p.context().newCDPSession(p);
    const touch = (type, ...downs) => session.send('Input.dispatchTouchEvent',
      { type, touchPoints: downs.map((down) => ({ x: x + width / 4, y: y + down })) });
    await touch('touchStart', 4);
    for (const down of [10, 16, 22]) await touch('touchMove', down);
    await touch('touchEnd');
    await settled(p);
    assert.notEqual(await p.evaluate(() => document.activeElement.id), 'input');
  },
};
