// Korean input methods, through the devtools protocol: what an input method does to the focused element.
import assert from 'node:assert/strict';
import { click, fresh, settled, state, until } from '../browser.mjs';

const link = (text) => `#t=${encodeURIComponent(text)}&l=ko&theme=light`;

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
  async 'the page reads a composition jamo by jamo, and makes no blank of half a text'(at) {
    const { page, compose, commit, text } = await typing(at, '나는 ');
    for (const preedit of ['ㅎ', '하', '한']) {
      await compose(preedit);
      await settled(page);
      assert.equal(await text(), `나는 ${preedit}`);
    }
    await commit('한');
    await compose('( )');
    await settled(page);
    assert.equal(await text(), '나는 한( )');
    await commit('( )');
    await settled(page);
    assert.equal(await text(), '나는 한[MASK]');
    assert.deepEqual(page.errors, []);
  },

  async 'a button in the middle of a composition neither loses nor doubles the last syllable'(at) {
    const { page, compose, text } = await typing(at, '나는 ');
    await compose('집');
    await settled(page);
    await click(page, 'insert-mask');
    assert.equal(await text(), '나는 집[MASK]');
    await compose('에');
    assert.equal(await text(), '나는 집[MASK]에');
  },

  async 'keys of a composition do nothing by themselves'(at) {
    const { page, compose, text } = await typing(at, '가나다');
    await compose('라');
    for (const [key, code] of [['Enter', 'Enter'], ['m', 'KeyM']])
      await page.evaluate(([key, code]) => document.getElementById('input').dispatchEvent(new KeyboardEvent('keydown',
        { key, code, keyCode: 229, isComposing: true, ctrlKey: true, bubbles: true, cancelable: true })), [key, code]);
    assert.equal(await text(), '가나다라');
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
