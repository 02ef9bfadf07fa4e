// Korean input methods, through the devtools protocol: what an input method does to the focused element.
import assert from 'node:assert/strict';
import { click, fresh, settled, state, until } from '../browser.mjs';

const link = (text) => `#t=${encodeURIComponent(text)}&l=ko&theme=light&v=tokens`;

// A page with `text` and the caret at its end, and an input method on it.
async function typing(at, text) {
  const page = await fresh(at, link(text));
  const session = await page.context().newCDPSession(page);
  return {
    page,
    compose: (preedit) => session.send('Input.imeSetComposition', {
      text: preedit, selectionStart: preedit.length, selectionEnd: preedit.length,
    }),
    commit: (word) => session.send('Input.insertText', { text: word }),
    text: async () => (await state(page)).text,
  };
}

export const tests = {
  async 'a composition shows in place, at the caret, jamo by jamo'(at) {
    const { page, compose, commit } = await typing(at, '나는 ');
    for (const preedit of ['ㅎ', '하', '한']) {
      await compose(preedit);
      await settled(page);
      const now = await state(page);
      assert.equal(now.text, `나는 ${preedit}`);
      assert.deepEqual(now.composition, [3, 4]);
      assert.equal(now.caret, 4);
    }
    const before = (await state(page)).caretBox;
    await commit('한');
    for (const preedit of ['ㄱ', '구', '국']) await compose(preedit);
    await settled(page);
    let now = await state(page);
    assert.equal(now.text, '나는 한국');
    assert.deepEqual(now.composition, [4, 5]);
    assert.ok(now.caretBox[0] > before[0] + 10, 'the caret has moved on by a syllable');
    const input = await page.evaluate(() => document.getElementById('input').getBoundingClientRect().toJSON());
    assert.ok(Math.abs(input.x - now.caretBox[0]) < 3 && Math.abs(input.y - now.caretBox[1]) < 3, 'the element is at the caret');
    await commit('국');
    await settled(page);
    now = await state(page);
    assert.equal(now.text, '나는 한국');
    assert.deepEqual(now.composition, [0, 0]);
    assert.deepEqual(page.errors, []);
  },

  async 'a composition in the middle of the text goes where the caret is'(at) {
    const { page, compose, commit, text } = await typing(at, '나는 간다');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await compose('집');
    assert.equal(await text(), '나는 집간다');
    await commit('집');
    await page.keyboard.type('에 ');
    assert.equal(await text(), '나는 집에 간다');
  },

  async 'Enter after a composition neither loses nor doubles the last syllable'(at) {
    const { page, compose, commit, text } = await typing(at, '');
    await compose('한');
    await commit('한');
    await compose('국');
    // What Chromium sends for Enter during a composition: the key as 229, the commit, then the key.
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 });
    await commit('국');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await text(), '한국');
    assert.deepEqual((await state(page)).composition, [0, 0]);
  },

  async 'a button in the middle of a composition neither loses nor doubles the last syllable'(at) {
    const { page, compose, text } = await typing(at, '나는 ');
    await compose('집');
    await settled(page);
    await click(page, 'insert-mask');
    assert.equal(await text(), '나는 집[MASK]');
    assert.deepEqual((await state(page)).composition, [0, 0]);
    await compose('에');
    assert.equal(await text(), '나는 집[MASK]에');
  },

  async 'a click elsewhere in the text in the middle of a composition keeps the syllable once'(at) {
    const { page, compose, commit, text } = await typing(at, '나는 ');
    await compose('집');
    await settled(page);
    const [x, y] = (await state(page)).boxes.editor;
    await page.mouse.click(x + 1, y + 12);
    await settled(page);
    assert.equal(await text(), '나는 집');
    assert.equal((await state(page)).caret, 0);
    await compose('오');
    await commit('오');
    assert.equal(await text(), '오나는 집');
  },

  async 'losing the focus in the middle of a composition keeps the syllable once'(at) {
    const { page, compose, text } = await typing(at, '한');
    await compose('국');
    await page.evaluate(() => document.getElementById('input').blur());
    await settled(page);
    assert.equal(await text(), '한국');
    assert.deepEqual((await state(page)).composition, [0, 0]);
  },

  async 'an emptied composition (Escape, Backspace in the input method) leaves the text as it was'(at) {
    const { page, compose, text } = await typing(at, '한국');
    for (const preedit of ['ㅇ', '어', 'ㅇ', '']) await compose(preedit);
    await settled(page);
    assert.equal(await text(), '한국');
    assert.deepEqual((await state(page)).composition, [0, 0]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    assert.equal(await text(), '한');
  },

  async 'a composition replaces the selection, and one undo brings it back'(at) {
    const { page, compose, commit, text } = await typing(at, '나는 학교');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await compose('ㅈ');
    await compose('집');
    assert.equal(await text(), '나는 집');
    await commit('집');
    assert.equal(await text(), '나는 집');
    await page.keyboard.press('Control+z');
    assert.equal(await text(), '나는 학교');
  },

  async 'Backspace after a composition takes one syllable'(at) {
    const { page, compose, commit, text } = await typing(at, '');
    for (const syllable of ['대', '한']) {
      await compose(syllable);
      await commit(syllable);
    }
    await page.keyboard.press('Backspace');
    assert.equal(await text(), '대');
  },

  async 'keys of a composition do nothing by themselves'(at) {
    const { page, compose, text } = await typing(at, '가나다');
    await compose('라');
    const session = await page.context().newCDPSession(page);
    for (const [key, code] of [['Backspace', 'Backspace'], ['ArrowLeft', 'ArrowLeft'], ['Enter', 'Enter'], ['m', 'KeyM']])
      await page.evaluate(([key, code]) => document.getElementById('input').dispatchEvent(new KeyboardEvent('keydown',
        { key, code, keyCode: 229, isComposing: true, ctrlKey: code === 'KeyM', bubbles: true, cancelable: true })), [key, code]);
    await session.detach();
    assert.equal(await text(), '가나다라');
    assert.deepEqual((await state(page)).composition, [3, 4]);
  },

  async 'guesses follow while the last syllable is still being composed'(at) {
    const { page, compose } = await typing(at, '[MASK] ');
    await compose('집');
    await until(page, async () => {
      const tokens = await window.minibert.tokenize(window.minibert.page.state().text);
      return window.minibert.page.state().boxes['guess-0-0'] && tokens.length > 3;
    });
    assert.match(await page.evaluate(() => document.getElementById('live').textContent), /%/);
  },
};
