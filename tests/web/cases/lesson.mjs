// What a class needs: words of one's own, whole words, hidden guesses, exercises in the link, its QR code.
import assert from 'node:assert/strict';
import { addressWith, click, decoded, fresh, open, press, settled, started, state, until } from '../browser.mjs';

const TEXT = '제2차 세계 [MASK]은 1945년에 끝났다.';
const link = (text, rest = '') => `t=${encodeURIComponent(text)}&l=ko&theme=light&k=10${rest}`;
const has = async (page, name) => name in (await state(page)).boxes;

// What a class shares: link, code, exercises.
async function openShare(page) {
  if (await has(page, 'share')) return;
  if (!await has(page, 'share-menu')) await click(page, 'menu');
  await click(page, 'share-menu');
}

export const tests = {
  async 'class mode: guesses are hidden until asked for, for every sentence; type is larger'(at) {
    const page = await fresh(at, link(TEXT));
    const small = (await state(page)).boxes['insert-mask'][3];
    await click(page, 'lesson');
    assert.ok(!await has(page, 'guess-0-0') && await has(page, 'show'));
    assert.ok((await state(page)).boxes['insert-mask'][3] > 1.3 * small);
    await click(page, 'show');
    assert.ok(await has(page, 'guess-0-0'));
    await press(page, '세종대왕은 조선의 제4대 [MASK]이다.');
    assert.ok(!await has(page, 'guess-0-0'), 'another sentence');
    assert.match(await page.evaluate(() => document.getElementById('live').textContent), /숨겼습니다/);
    await page.waitForFunction(() => location.hash.includes('lesson=1'));
  },

  async 'a class is not offered certain words, and the page names them'(at) {
    const sentence = '나는 오늘 아침에 [MASK]을 먹었다.';
    const all = (await (await fresh(at, link(sentence, '&m=everyday-10m'))).evaluate(async (text) =>
      (await window.minibert.fill(text, { top: 30, model: 'everyday-10m' })).masks[0].guesses.map((guess) => guess.text), sentence));
    const shown = async (page) => {
      await until(page, async () => window.minibert.page.state().model === 'everyday-10m' && window.minibert.page.state().boxes['guess-0-9']);
      await settled(page);
      return page.evaluate(() => [...document.querySelectorAll('#page ol[aria-label="예측"] button')].map((button) => button.textContent.split(' ')[1]));
    };
    const page = await fresh(at, link(sentence, '&m=everyday-10m'));
    assert.deepEqual(await shown(page), all.slice(0, 10));
    assert.equal(all[0], '술');
    await click(page, 'lesson');
    await click(page, 'show');
    const [, named] = /이 낱말들을 뺍니다: ([^.]+)\./.exec(await page.textContent('#page'));
    assert.deepEqual(await shown(page), all.filter((word) => !named.split(', ').includes(word)).slice(0, 10));
    assert.doesNotMatch(await page.textContent('#live'), /술/);
    await page.evaluate((text) => window.minibert.page.open(`task=contrast&f=${encodeURIComponent(text)}&g=${encodeURIComponent(text)}&wm=everyday-10m&lesson=1&l=ko`), sentence);
    await until(page, () => window.minibert.page.state().boxes.show);
    await settled(page);
    await click(page, 'show');
    assert.match(await page.textContent('#page'), /이 낱말들을 뺍니다/);
    assert.ok(!(await page.evaluate(() => [...document.querySelectorAll('#page td')].map((cell) => cell.textContent))).includes('술'));
  },

  async 'exercises travel in the link'(at) {
    const page = await fresh(at, link(TEXT, '&lesson=1'));
    await openShare(page);
    await press(page, '이 문장을 문제로 추가');
    await page.evaluate(() => window.minibert.page.setText('그는 서울대학교를 [MASK]하였다.'));
    await settled(page);
    await press(page, '이 문장을 문제로 추가');
    const address = await addressWith(page, `x=${TEXT}`, 'x=그는 서울대학교를 [MASK]하였다.');
    const other = await started(await open(at.browser, address));
    assert.equal((await state(other)).text, TEXT, 'a class begins with the first one');
    assert.ok(!await has(other, 'clear-exercises'), 'a pupil sees no button that removes them');
    await click(other, 'example-1');
    assert.equal((await state(other)).text, '그는 서울대학교를 [MASK]하였다.');
    await click(other, 'example-0');
    assert.equal((await state(other)).text, TEXT);
    await openShare(other);
    await press(other, '문제 모두 지우기');
    assert.ok(await has(other, 'example-5'), 'the examples are back');
  },

  async 'a pupil\'s own guess is written down before the model\'s is shown, and stands beside it'(at) {
    const page = await fresh(at, link(TEXT, '&lesson=1'));
    const { masks } = await page.evaluate((text) => window.minibert.fill(text), TEXT);
    for (const [word, told] of [[masks[0].guesses[1].text, '모델의 2순위와 같습니다'], ['도토리', '모델의 10순위 안에는 없습니다']]) {
      await click(page, 'own-guess');
      await page.fill('dialog input', word);
      await page.keyboard.press('Enter');
      await settled(page);
      assert.ok(!await has(page, 'guess-0-0') && (await page.textContent('#page')).includes(`내 답: ${word}`));
      await click(page, 'show');
      assert.ok((await page.textContent('#page')).includes(`내 답: ${word}. ${told}`));
      await press(page, '예측 숨기기');
    }
  },

  async 'an exercise that is very long is shown in part, and the page goes on'(at) {
    const page = await fresh(at, link(TEXT, `&x=${'a'.repeat(200000)}`));
    const [, , width] = (await state(page)).boxes['example-0'];
    assert.ok(width > 100 && width < 1280, `${width}`);
  },

  async 'the QR code holds the page\'s link, and says when a sentence is too long for one'(at) {
    const page = await fresh(at, link(TEXT));
    if (!await has(page, 'code')) await click(page, 'share-menu');
    await click(page, 'code');
    const picture = await (await page.waitForSelector('dialog svg')).screenshot();
    const found = await decoded(page, picture);
    assert.ok(found?.startsWith(at.url), found);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    await page.evaluate(() => window.minibert.page.setText('다른 문장'));
    await page.evaluate((hash) => { location.hash = hash; }, new URL(found).hash);
    await page.waitForFunction((text) => window.minibert.page.state().text === text, TEXT);
    let seed = 1;
    const noise = Array.from({ length: 4000 }, () => String.fromCharCode(97 + (seed = seed * 48271 % 2147483647) % 26)).join('');
    await page.evaluate((text) => window.minibert.page.setText(text), noise);
    await settled(page);
    await click(page, 'code');
    await page.waitForFunction(() => window.minibert.page.state().notice.includes('QR'));
  },

  async 'a code has its link also after the link of the code before was followed'(at) {
    const page = await fresh(at, link(TEXT));
    if (!await has(page, 'code')) await click(page, 'share-menu');
    for (const when of ['before', 'after']) {
      await click(page, 'code');
      const shown = await (await page.waitForSelector('dialog a')).getAttribute('href');
      assert.ok(new URL(shown).hash.length > 1, `${when}: ${shown}`);
      await page.evaluate(() => document.querySelector('dialog a').click());
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
      await settled(page);
    }
  },

  async 'a word of one\'s own has its rank and probability, and can be put in'(at) {
    const page = await fresh(at, link(TEXT));
    const { masks } = await page.evaluate((text) => window.minibert.fill(text), TEXT);
    await click(page, 'my-word-0');
    await page.keyboard.type(masks[0].guesses[2].text);
    await page.waitForFunction(() => /^.*3위 · /.test(document.querySelector('dialog table')?.textContent ?? ''));
    await page.fill('#my-word', '한국전쟁이었던것');
    await page.waitForFunction(() => document.querySelector('dialog table')?.textContent.includes('낱말 전체'));
    await page.fill('#my-word', '전쟁');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state(page)).text, TEXT.replace('[MASK]', '전쟁'));
  },

  async 'whole words of several pieces'(at) {
    const page = await fresh(at, link(TEXT, '&words=1'));
    const words = await page.evaluate((text) => window.minibert.words(text, { top: 50 }), TEXT);
    assert.equal(words.length, 50);
    assert.ok(words.some(({ pieces }) => pieces.length > 1));
    const spoken = await page.evaluate(() => document.getElementById('live').textContent);
    assert.ok(spoken.includes(words[0].text) && spoken.includes(words[1].text), spoken);
    await click(page, 'guess-0-1');
    assert.equal((await state(page)).text, TEXT.replace('[MASK]', words[1].text));
    const codes = await page.evaluate(async (text) => {
      const attempts = [window.minibert.words(text, { mask: -1 }), window.minibert.words(text, { mask: 1 }), window.minibert.score(text, 3)];
      return Promise.all(attempts.map((attempt) => attempt.then(() => 'none', (error) => error.code)));
    }, TEXT);
    assert.deepEqual(codes, ['bad-argument', 'bad-argument', 'bad-argument']);
  },
};
