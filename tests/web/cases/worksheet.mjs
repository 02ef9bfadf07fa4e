// The worksheet: its links open the page in the state that an exercise asks about, its answers are what the page
// shows, and it prints on one sheet.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decoded, fresh, open, settled, started, state, until } from '../browser.mjs';

const LANGUAGES = ['ko', 'en'];
const links = (demo, language) => [...readFileSync(`${demo}/lesson.${language}.html`, 'utf8').matchAll(/href="index\.html#([^"]+)"/g)]
  .map(([, fragment]) => fragment.replaceAll('&amp;', '&'));
const part = (fragment, name) => new URLSearchParams(fragment).get(name);

// Opens a link as a browser does, and waits for its model.
async function follow(at, fragment) {
  const page = await fresh(at, `#${encodeURI(fragment)}`);
  for (const id of [part(fragment, 'm'), part(fragment, 'v') === 'training' && 'learning'].filter(Boolean))
    await until(page, async (one) => (await window.minibert.models()).find((model) => model.id === one).state === 'ready', id);
  await settled(page);
  return page;
}

export const tests = {
  async 'each exercise opens the page in the state that it asks about'(at) {
    const [korean, english] = LANGUAGES.map((language) => links(at.demo, language));
    assert.equal(korean.length, 8);
    assert.deepEqual(korean.map((fragment) => fragment.replace('l=ko', 'l=en')), english);
    for (const fragment of korean) {
      const page = await follow(at, fragment);
      const now = await state(page);
      assert.equal(now.text, part(fragment, 'g') ?? part(fragment, 't'));
      assert.equal(now.model, 'kowiki-1m', 'the BERT of the books');
      // The address says the same again, so that nothing of the link was unknown or out of range.
      await page.waitForFunction((asked) => {
        const said = new URLSearchParams(location.hash.slice(1));
        return [...new URLSearchParams(asked)].every(([name, value]) => said.get(name) === value);
      }, fragment).catch(() => {});  // what is missing is told below
      const hash = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
      for (const [name, value] of new URLSearchParams(fragment)) assert.equal(hash.get(name) ?? 'none', value, `${name} of ${fragment}`);
      assert.deepEqual(page.errors, []);
    }
  },

  async 'what an exercise asks about comes into the window, on a phone and on a projector'({ browser, url, demo }) {
    const asked = links(demo, 'ko').filter((fragment) => /v=/.test(fragment));
    assert.equal(asked.length, 5);
    for (const [i, fragment] of asked.entries()) {
      const [width, height] = i % 2 ? [1280, 720] : [360, 740];
      const page = await started(await open(browser, `${url}#${encodeURI(fragment)}`, { width, height }));
      const name = fragment.includes('v=training') ? 'details' : /xoff|xother/.test(fragment) ? 'switch-1' : 'picture';
      await page.waitForFunction((box) => {
        const [, y] = window.minibert.page.state().boxes[box] ?? [0, -1];
        return y >= 0 && y < 0.6 * innerHeight;
      }, name);
      await page.context().close();
    }
  },

  async 'the answers for teachers are what the page shows'(at) {
    const [, , , path, off, swap, learn, bias] = links(at.demo, 'ko');
    const page = await follow(at, path);
    const ask = (code, ...given) => page.evaluate(([text, values]) => (0, eval)(`(${text})`)(...values), [`${code}`, given]);
    const king = part(path, 't');
    const changed = (text, options) => ask(async (t, o) => (await window.minibert.intervene(t, { model: 'kowiki-1m', ...o })).masks[0].guesses[0].text, text, options);
    const steps = await ask(async (t) => (await window.minibert.explain(t, { model: 'kowiki-1m' })).masks[0].path, king);
    assert.deepEqual([0, 2, 4].map((step) => steps[step].rank), [670, 158, 1]);
    assert.ok(steps[4].probability > 200 * steps[2].probability, 'layer 2');
    for (const head of ['1.1', '1.2', '1.3', '1.4', '2.1', '2.2', '2.3', '2.4'])
      assert.equal(await changed(king, { withoutHeads: [head] }), head === '2.4' ? '시대' : '왕', head);
    assert.equal(part(off, 'xoff'), '2.4');
    const at4 = { text: part(swap, 'xother'), layer: 0, at: [4] };
    assert.deepEqual([await changed(part(swap, 't'), { patch: at4 }), await changed(part(swap, 't'), { patch: { ...at4, layer: 1 } }),
      await changed(part(swap, 't'), { patch: { ...at4, layer: 1, at: [5] } })], ['입학', '졸업', '입학']);
    const { rank } = await ask(async () => (await window.minibert.score('지구는 [MASK]의 주위를 돈다.', '태양', { model: 'kowiki-1m' })).pieces[0]);
    assert.equal(rank, 2);
    const looks = await ask(async (t) => {
      const { tokens, heads, weights } = await window.minibert.attention(t, { model: 'kowiki-1m' });
      const n = tokens.length, mask = tokens.findIndex(({ piece }) => piece === '[MASK]');
      return [0, 3].map((head) => {
        const row = [...weights.slice(((heads + head) * n + mask) * n).slice(0, n)];
        return tokens[row.indexOf(Math.max(...row))].piece;
      });
    }, king);
    assert.deepEqual(looks, ['[MASK]', '왕']);
    const told = await ask(async (t) => (await window.minibert.checkpoints(t)).map(({ share, masks }) => [share, masks[0].guesses[0].text]), part(learn, 't'));
    assert.equal(told[0][0], 0);
    assert.equal(told.at(-1)[0], 1000);
    for (const [share, first] of told) assert.equal(first === '축구', share >= 500, `${share}: ${first}`);
    const [he, she] = await ask(async (texts) => Promise.all(texts.map(async (t) =>
      Object.fromEntries((await window.minibert.fill(t, { model: 'kowiki-1m', top: 200 })).masks[0].guesses.map(({ text: word, probability }) => [word, probability])))),
    [part(bias, 'f'), part(bias, 'g')]);
    for (const word of ['가수', '선수']) assert.ok(he[word] > she[word], word);
    for (const word of ['영화', '드라마']) assert.ok(she[word] > he[word], word);
    assert.deepEqual(page.errors, []);
  },

  async 'it prints on one sheet of A4, and is as wide as a phone; its codes open its exercises'({ browser, url, demo }) {
    for (const language of LANGUAGES) {
      const page = await open(browser, `${url}lesson.${language}.html`, { width: 360, height: 740, ratio: 4 });
      await page.waitForSelector('.code >> nth=7', { state: 'attached' });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page[^s]/g).length;
      assert.equal(sheets, 1, language);
      await page.setViewportSize({ width: 680, height: 1024 });  // a sheet of A4 within its margins
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.textContent('.address'), url);
      const last = await page.locator('footer').boundingBox();
      assert.ok(last.y + last.height > 960, `the sheet is filled to ${last.y + last.height} of 1024`);
      const asked = links(demo, language);
      for (const [i, code] of (await page.locator('.code').all()).entries()) {
        const found = await decoded(page, await code.screenshot());
        const { unpackFragment } = await import(resolve(demo, 'link.js'));
        assert.equal(decodeURIComponent(await unpackFragment(new URL(found).hash)), asked[i]);
      }
      assert.deepEqual(page.errors.filter((error) => !/favicon/.test(error)), []);
      await page.context().close();
    }
  },
};
