// What is on the first screen of phones and projectors: the sentence and its best guesses, whatever the tab.
import assert from 'node:assert/strict';
import { click, open, press, settled, started, state } from '../browser.mjs';

const TEXT = '제2차 세계 [MASK]은 1945년에 끝났다.';
const link = (rest = '') => `#t=${encodeURIComponent(TEXT)}&l=ko&theme=light${rest}`;
const PHONES = [[360, 740], [390, 844], [360, 420], [740, 360]];  // the third with its keyboard up

// These widgets are wholly in the window.
async function assertSeen(page, names, what) {
  const { boxes } = await state(page);
  const { width, height } = page.viewportSize();
  for (const name of names) {
    assert.ok(boxes[name], `${what}: no ${name}`);
    const [x, y, w, h] = boxes[name];
    assert.ok(x >= 0 && y >= 0 && x + w <= width + 0.5 && y + h <= height, `${what}: ${name} at ${x},${y} ${w} × ${h}`);
  }
}

export const tests = {
  async 'a phone shows the sentence and its three best guesses, with the keyboard up, too'({ browser, url }) {
    for (const [width, height] of PHONES) {
      const page = await started(await open(browser, url + link(), { width, height, hasTouch: true, isMobile: true }));
      await assertSeen(page, ['editor', 'best-0', 'best-1', 'best-2', 'insert-mask'], `${width} × ${height}`);
      const { masks } = await page.evaluate((text) => window.minibert.fill(text), TEXT);
      await click(page, 'best-1');
      assert.equal((await state(page)).text, TEXT.replace('[MASK]', masks[0].guesses[1].text));
      await page.context().close();
    }
  },

  async 'a phone shows the best of every tab, and stays on it while it is typed'({ browser, url }) {
    const page = await started(await open(browser, url + link(), { width: 360, height: 740, hasTouch: true, isMobile: true }));
    for (const tab of ['질문하기', '감성 분석', '이름 찾기']) {
      await press(page, tab);
      await page.waitForFunction(() => window.minibert.page.state().boxes['best-0']);
      await settled(page);
      await assertSeen(page, ['editor', 'best-0'], tab);
    }
    await page.setViewportSize({ width: 360, height: 420 });
    await page.focus('#input');
    await page.keyboard.type(' 그리고 김연아는 2010년에 캐나다 밴쿠버로 갔다.');
    await settled(page);
    await assertSeen(page, ['best-0'], 'after typing');
    await page.context().close();
  },

  async 'a phone is told to press a row, and only a keyboard of its keys'({ browser, url }) {
    for (const [touch, tabs] of [[true, ['질문하기', '이름 찾기']], [false, []]]) {
      const page = await started(await open(browser, url + link(), { width: 390, height: 844, hasTouch: touch, isMobile: touch }));
      for (const tab of [null, ...tabs]) {
        if (tab) await press(page, tab);
        await page.waitForFunction(() => window.minibert.page.state().boxes['best-0']);
        await settled(page);
        const text = await page.textContent('#page');
        assert.match(text, touch ? /누르면 (글에서 그|그) 자리/ : /Alt\+1…9를 누르면 그 자리/);
        assert.equal(text.includes('Alt+1'), !touch);
      }
      await page.context().close();
    }
  },

  async 'models, link and rare tools fold on a phone, and unfold'({ browser, url }) {
    const page = await started(await open(browser, url + link(), { width: 360, height: 740, hasTouch: true, isMobile: true }));
    for (const name of ['share-menu', 'model', 'fill-all', 'clear']) assert.ok(!(await state(page)).boxes[name], name);
    await click(page, 'menu');
    await click(page, 'tools');
    await assertSeen(page, ['share-menu', 'lesson', 'language', 'theme', 'model', 'compare'], 'unfolded');
    for (const name of ['fill-all', 'clear', 'to-explain', 'view-model']) assert.ok((await state(page)).boxes[name], name);
    await page.context().close();
  },

  async 'a class sees on a projector the guesses that it asked for, and none before'({ browser, url }) {
    for (const [width, height] of [[1280, 720], [1366, 768], [1920, 1080], [360, 740]]) {
      const size = `${width} × ${height}`;
      const page = await started(await open(browser, url + link('&lesson=1'), { width, height }));
      await assertSeen(page, ['editor', 'show'], size);
      assert.ok(!Object.keys((await state(page)).boxes).some((name) => /^(best|guess)-/.test(name)), size);
      await click(page, 'show');
      await assertSeen(page, ['editor', 'best-0', 'best-1', 'best-2'], size);
      await page.context().close();
    }
  },

  async 'on usual notebooks a result is whole on the first screen, and what it is about'({ browser, url }) {
    for (const [width, height] of [[1280, 720], [1366, 768]]) {
      const size = `${width} × ${height}`;
      const page = await started(await open(browser, url + link(), { width, height }));
      await assertSeen(page, ['editor', 'insert-mask', 'example-0', 'guess-0-0', 'guess-0-2'], size);
      assert.ok((await state(page)).boxes['example-5'], 'the rest of the examples is below');
      for (const [tab, result] of [['감성 분석', 'verdicts'], ['이름 찾기', 'names'], ['질문하기', 'answers']]) {
        await press(page, tab);
        await page.waitForFunction((name) => window.minibert.page.state().boxes[name]?.[3] > 150, result);
        await settled(page);
        await assertSeen(page, ['editor', result, 'example-0'], `${tab}, ${size}`);
        assert.ok(!(await state(page)).boxes.details, 'the model\'s facts are behind a button');
      }
      await page.context().close();
    }
  },

  async 'a phone has no gap where guesses would be, and its code\'s address is whole'({ browser, url }) {
    const page = await started(await open(browser, `${url}#t=${encodeURIComponent('나는 학교에 간다.')}&l=ko`, { width: 360, height: 740, hasTouch: true, isMobile: true }));
    const { editor, 'insert-mask': button } = (await state(page)).boxes;
    assert.ok(button[1] - editor[1] - editor[3] < 16, `${button[1] - editor[1] - editor[3]} pixels`);
    for (const name of ['menu', 'share-menu', 'code']) await click(page, name);
    const [address, dialog] = await page.evaluate(() => ['dialog a', 'dialog'].map((found) => document.querySelector(found))
      .map((one) => ({ right: one.getBoundingClientRect().right, over: one.scrollWidth - one.clientWidth })));
    assert.ok(address.right < dialog.right && address.over <= 0 && dialog.over <= 0 && dialog.right <= 360, JSON.stringify([address, dialog]));
    await page.context().close();
  },

  async 'the bands of sixteen tokens are whole in a window of 1280 × 720'({ browser, url }) {
    const text = '이 영화는 2003년에 [MASK]된 대한민국의 유명한 코미디 영화이다.';
    const page = await started(await open(browser, `${url}#t=${encodeURIComponent(text)}&v=explain&xpart=3&l=ko`, { width: 1280, height: 720 }));
    await page.waitForFunction(() => window.minibert.page.state().boxes.picture?.[3] > 200);
    await settled(page);
    await assertSeen(page, ['picture'], text);
    await page.context().close();
  },

  async 'while it loads the page has its colours, light and dark'({ browser, url }) {
    for (const [colorScheme, ground, name] of [['light', 'rgb(243, 244, 247)', 'rgb(52, 84, 209)'], ['dark', 'rgb(18, 20, 26)', 'rgb(143, 165, 255)']]) {
      const page = await open(browser, 'about:blank', { width: 360, height: 740, colorScheme });
      await page.route('**/page.wasm', () => {});
      await page.goto(url, { waitUntil: 'commit' });
      await page.waitForFunction(() => document.getElementById('message')?.textContent);
      await page.waitForFunction(() => document.styleSheets.length > 0);
      assert.deepEqual(await page.evaluate(() => [getComputedStyle(document.getElementById('start')).backgroundColor,
        getComputedStyle(document.querySelector('#start h1')).color]), [ground, name]);
      assert.doesNotMatch(await page.textContent('#start'), /MB/);
      await page.context().close();
    }
  },

  async 'a large window is used'({ browser, url }) {
    const page = await started(await open(browser, url + link(), { width: 1920, height: 1080 }));
    const { header, 'guess-0-2': last } = (await state(page)).boxes;
    assert.ok(header[2] > 1700, `${header[2]} pixels of 1920`);
    assert.ok(last[1] + last[3] < 1080, 'three guesses');
    await page.context().close();
  },
};
