// Texts that are empty, long or from a link, and frames that cost nothing.
import assert from 'node:assert/strict';
import { addressWith, click, fresh, open, press, settled, started, state } from '../browser.mjs';

const link = (text, rest = '') => `t=${encodeURIComponent(text)}&l=ko&theme=light&k=10${rest}`;
const TEXT = '나는 [MASK]에 간다.';
const setText = async (page, text) => {
  await page.evaluate((t) => window.minibert.page.setText(t), text);
  await settled(page);
};

export const tests = {
  async 'an empty, blank or too long text leaves no former explanation standing'(at) {
    const page = await fresh(at, link(TEXT, '&v=explain&xown=1'));
    for (const text of ['', '   ', '가 나 '.repeat(2500), `${'가 나 '.repeat(900)}[MASK]`]) {
      await setText(page, TEXT);
      assert.ok((await state(page)).boxes.picture);
      await setText(page, text);
      assert.ok(!(await state(page)).boxes.picture, text.slice(0, 20));
    }
    assert.match(await page.textContent('#page'), /토큰 \d+개, 이 모델은 384개까지/);
    await press(page, 'English');
    await page.waitForFunction(() => /at most 384/.test(document.getElementById('page').textContent));
  },

  async 'a long text scrolls in its field, and the page around it where the field ends'(at) {
    const page = await started(await open(at.browser, `${at.url}#${link('가나다라 '.repeat(800), '')}`, { height: 420 }));
    const { boxes: { editor: [x, y], 'insert-mask': button } } = await state(page);
    assert.ok(button[1] < 420, 'the buttons stay in the window');
    const top = () => page.evaluate(() => document.getElementById('input').scrollTop);
    await page.keyboard.press('Control+Home');
    await page.mouse.move(x + 9, y + 9);
    await page.mouse.wheel(0, 100);
    await page.waitForFunction(() => document.getElementById('input').scrollTop > 50);
    assert.equal((await state(page)).boxes.editor[1], y);
    while (await top() > 0) {
      await page.mouse.wheel(0, -100);
      await page.waitForTimeout(50);
    }
    await page.keyboard.press('Control+End');
    await settled(page);
    for (let i = 0; i < 3; ++i) await page.mouse.wheel(0, 100);  // the first to the very end of the field
    await page.waitForFunction((before) => window.minibert.page.state().boxes.editor[1] < before, y);
  },

  async 'what one sees is what another sees: a link keeps nothing of the page that it is opened in'(at) {
    const { models } = await (await fetch(`${at.url}manifest.json`)).json();
    const page = await fresh(at, link('가 [MASK]', `&c=${models[2].id}&v=explain&k=20&xpart=3&xhead=2`));
    await page.waitForFunction(() => window.minibert.page.state().boxes.bands);
    await page.evaluate((hash) => { location.hash = hash; }, `#${link('나 [MASK]')}`);
    await page.waitForFunction(() => window.minibert.page.state().text === '나 [MASK]');
    await settled(page);
    const { boxes } = await state(page);
    assert.ok(!boxes['second-guess-0-0'], 'no comparison');
    assert.ok(!boxes['guess-0-10'], 'ten guesses');
    assert.ok(!boxes.place, 'the sentence');
    await page.evaluate((hash) => { location.hash = hash; }, `#${link('다 [MASK]', '&v=explain')}`);
    await page.waitForFunction(() => window.minibert.page.state().boxes.hiding);
  },

  async 'characters that are not seen divide no word, in a link, pasted or typed'(at) {
    const page = await fresh(at, link('가'));
    const cleaned = await page.evaluate(async () => {
      const { clean } = await import(new URL('link.js', location).href);
      return ['나\u200B는 학\uFEFF교에', '\uFEFF나는\u00AD 간\u2060다\u200E', '가\u00A0나\u3000다', '👩\u200D🚀 👩🏽\u200D🚀 가\u200D나'].map(clean);
    });
    assert.deepEqual(cleaned, ['나는 학교에', '나는 간다', '가 나 다', '👩\u200D🚀 👩🏽\u200D🚀 가나']);
    await page.evaluate((hash) => { location.hash = hash; }, `#t=${encodeURIComponent('나\u200B는 [MASK]에')}`);
    await page.waitForFunction(() => window.minibert.page.state().text === '나는 [MASK]에');
    await setText(page, '너\u200B는 [MASK]에\n간다');
    assert.equal((await state(page)).text, '너는 [MASK]에 간다');
    const session = await page.context().newCDPSession(page);
    const type = (text) => session.send('Input.insertText', { text });
    const now = async () => (await state(page)).text;
    await setText(page, '');
    await type('우리\u200B는 ');
    await type('학\uFEFF교에');
    await page.waitForFunction(() => window.minibert.page.state().text === '우리는 학교에');
    await page.keyboard.press('ArrowLeft');
    await type('\u200B만');  // the caret stays where it was typed
    await type('은');
    await page.waitForFunction(() => window.minibert.page.state().text !== '우리는 학교에');
    await settled(page);
    assert.equal(await now(), '우리는 학교만은에');
    await session.send('Input.imeSetComposition', { text: '가\u200B', selectionStart: 2, selectionEnd: 2 });
    await type('가\u200B');
    await settled(page);
    assert.equal(await now(), '우리는 학교만은가에');
  },

  async 'a link keeps a long text, and composes and cleans any'({ browser, url }) {
    const long = '대한민국의 수도는 서울이다. '.repeat(300);
    const page = await started(await open(browser, `${url}#${link('가')}`));
    await setText(page, long);
    const address = await addressWith(page, `t=${long}`);
    assert.match(address, /#z=/);
    assert.ok(address.length < 2000, `${address.length} characters`);
    const other = await started(await open(browser, address));
    assert.equal((await state(other)).text, long);
    await other.evaluate((hash) => { location.hash = hash; }, `#t=${encodeURIComponent(`${'한국'.normalize('NFD')}\n줄 [MASK]`)}`);
    await other.waitForFunction(() => window.minibert.page.state().text === '한국 줄 [MASK]');
    await other.evaluate(() => { location.hash = '#z=@@@&v=model'; });
    await other.waitForFunction(() => window.minibert.page.state().boxes.details);
    assert.deepEqual(other.errors, []);
  },

  async 'in a frame the page leaves the keyboard to the page around it'({ browser, url }) {
    const page = await open(browser, 'about:blank');
    await page.route(`${url}around`, (route) => route.fulfill({ contentType: 'text/html', body: '<input id="own" autofocus><iframe src="./"></iframe>' }));
    await page.goto(`${url}around`);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame.waitForFunction(() => window.minibert?.page?.state().boxes['best-0']);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'own');
    await page.context().close();
  },

  async 'Back leads to the tab or place before, which is as it was'(at) {
    const page = await started(await open(at.browser, `${at.url}#${link(TEXT)}`));
    await press(page, '질문하기');
    await page.waitForFunction(() => location.hash.includes('ask=1'));
    await page.goBack();
    await page.waitForFunction(() => window.minibert.page.state().task === 'masks');
    assert.equal((await state(page)).text, TEXT);
    const says = async () => (await page.textContent('#page')).replaceAll(/ · [\d.]+ MB/g, '');  // what is still to come
    const before = await says();
    await click(page, 'to-explain');
    await page.waitForFunction(() => window.minibert.page.state().boxes.steps && location.hash.includes('v=explain'));
    await page.goBack();
    await page.waitForFunction(() => !window.minibert.page.state().boxes.place);
    await settled(page);
    assert.equal(await says(), before);
    await page.context().close();
  },

  async 'a link that was cut says so, where it is opened and in an open page'({ browser, url }) {
    const text = '대한민국의 수도는 서울이다. 부산은 항구 도시이다. '.repeat(40);
    const page = await started(await open(browser, `${url}#${link('가')}`));
    await setText(page, text);
    const address = await addressWith(page, `t=${text}`);
    const from = address.indexOf('z=');
    const cut = address.slice(0, from + 60);
    const told = (at) => at.waitForFunction(() => /cut off|잘려/.test(window.minibert.page.state().notice));
    await told(await started(await open(browser, cut)));
    await page.evaluate((hash) => { location.hash = hash; }, new URL(cut).hash);
    await told(page);
    const whole = await started(await open(browser, address));
    assert.equal((await state(whole)).notice, '');
  },

  async 'a frame asks WebGL nothing, and draws only what differs'(at) {
    const page = await fresh(at, link(TEXT, ''));
    await page.evaluate(() => {
      const gl = document.getElementById('canvas').getContext('webgl2');
      window.asked = 0;
      for (const name of ['getParameter', 'isEnabled', 'getError'])
        gl[name] = function (...args) {
          ++window.asked;
          return WebGL2RenderingContext.prototype[name].apply(gl, args);
        };
    });
    const before = await state(page);
    await page.mouse.move(688, 855);
    await page.mouse.move(689, 858);
    await settled(page);
    const still = await state(page);
    assert.ok(still.frames > before.frames);
    assert.equal(still.drawn, before.drawn, 'the pointer over nothing changes nothing');
    await page.keyboard.type('x');
    await settled(page);
    assert.ok((await state(page)).drawn > still.drawn);
    assert.equal(await page.evaluate(() => window.asked), 0);
  },

  async 'a notice moves nothing and goes by itself'(at) {
    const page = await fresh(at, link(TEXT));
    const before = (await state(page)).boxes;
    await page.clock.install();
    await page.evaluate(() => window.minibert.page.notice({ ko: '알림', en: 'notice' }));
    await page.clock.runFor(200);
    const now = await state(page);
    assert.ok(now.boxes.notice);
    assert.deepEqual(now.boxes.sentence, before.sentence);
    await page.clock.runFor(7000);
    assert.equal((await state(page)).notice, '');
    await page.close();
  },
};
