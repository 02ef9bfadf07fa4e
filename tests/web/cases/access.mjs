// Without a pointer, without sight, without WebGL: the elements that mirror the canvas.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { fresh, open, press, settled, started, state } from '../browser.mjs';

const link = (text, rest = '') => `t=${encodeURIComponent(text)}&l=ko&theme=light&k=10${rest}`;
const TEXT = '제2차 세계 [MASK]은 1945년에 끝났다.';

// What axe-core finds wrong, in a word a finding.
async function violations(page) {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() => window.axe.run());
  return found.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}

async function withoutWebGL(browser, url, hash = '') {
  const context = await browser.newContext({ locale: 'ko-KR', serviceWorkers: 'block', viewport: { width: 900, height: 700 } });
  await context.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : original.call(this, kind, ...rest);
    };
  });
  const page = await context.newPage();
  await page.goto(`${url}#${hash}`);
  await started(page);
  return page;
}

// Presses Tab until the element with this text or label has the focus.
async function tabTo(page, name) {
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement: now } = document;
      if (now === document.body) return '';
      return now.getAttribute('aria-label') ?? now.labels?.[0]?.textContent ?? now.textContent;
    });
    if (at?.includes(name)) return;
  }
  throw new Error(`Tab never reaches "${name}"`);
}

export const tests = {
  async 'a syllable is one glyph in HTML, too, whichever of the page\'s fonts has it'({ browser, url }) {
    const page = await withoutWebGL(browser, url, link('우리 기니 미리 뷁 쩗'));
    await page.waitForFunction(() => [...document.fonts].filter(({ family, status }) => family === 'minibert' && status === 'loaded').length > 1);
    const wider = await page.evaluate(() => {
      const context = document.createElement('canvas').getContext('2d');
      context.font = '40px minibert';
      const width = (text) => context.measureText(text).width;
      const syllables = new Set(`${document.body.textContent}우리 기니 미리 뷁 쩗`.match(/[가-힣]/g));
      return [...syllables].filter((one) => width(one) > 1.2 * width('가'));
    });
    assert.deepEqual(wider, []);
    await page.context().close();
  },

  async 'axe finds nothing, over the canvas and without it'(at) {
    for (const view of ['sentence', 'training', 'model', ...[1, 2, 3, 4, 5].map((part) => `explain&xown=1&xoff=2.1&xpart=${part}`)])
      assert.deepEqual(await violations(await fresh(at, link(TEXT, `&v=${view}`))), [], view);
    const page = await fresh(at, link(TEXT, '&lesson=1'));
    if (!(await state(page)).boxes['share-menu']) await press(page, '모델, 링크, 화면 설정');  // a case before may have
    if (!(await state(page)).boxes.code) await press(page, '공유');
    for (const name of ['QR 코드', '내 낱말']) {
      if (name === '내 낱말') await press(page, '예측 보기');
      await press(page, name);
      await page.waitForSelector('dialog');
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
    }
    const plain = await withoutWebGL(at.browser, at.url, link(TEXT));
    assert.deepEqual(await violations(plain), [], 'without WebGL');
  },

  async 'the accessibility tree has every control with role, name and state'(at) {
    const page = await fresh(at, link(TEXT));
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const seen = nodes.filter((node) => !node.ignored).map((node) => ({
      role: node.role?.value, name: node.name?.value,
      ...Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value])),
    }));
    const find = (role, name) => seen.find((node) => node.role === role && node.name?.includes(name));
    for (const [role, name] of [['textbox', '문장'], ['button', '[MASK] 넣기'], ['button', '되돌리기'], ['combobox', '모델'],
      ['combobox', '비교할 모델'], ['button', '1. 대전'], ['button', '세종대왕'],
      ['heading', 'minibert'], ['status', '']])
      assert.ok(find(role, name), `${role} "${name}"`);
    assert.equal(find('button', '되돌리기').disabled, true);
    assert.equal(find('button', '빈칸 채우기').pressed, 'true');
    assert.equal(find('button', '질문하기').pressed, 'false');
  },

  async 'the whole task by keyboard alone'(at) {
    const page = await fresh(at, link(''));
    await page.keyboard.type('세종대왕은 조선의 제4대 ');
    await tabTo(page, '[MASK] 넣기');
    assert.ok((await state(page)).boxes['insert-mask']);
    await page.keyboard.press('Enter');
    await settled(page);
    await page.keyboard.press('Escape');
    await page.keyboard.type('이다.');
    await settled(page);
    assert.equal((await state(page)).text, '세종대왕은 조선의 제4대 [MASK]이다.');
    // A guess from the list, walked with the arrow keys.
    const best = (await page.evaluate(() => window.minibert.fill('세종대왕은 조선의 제4대 [MASK]이다.'))).masks[0].guesses;
    await tabTo(page, `1. ${best[0].text}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state(page)).text, `세종대왕은 조선의 제4대 ${best[1].text}이다.`);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'input', 'what had the focus is gone');
    await page.keyboard.press('Control+z');
    await settled(page);
    // The best one by its number.
    await page.keyboard.press('Alt+1');
    await settled(page);
    assert.equal((await state(page)).text, `세종대왕은 조선의 제4대 ${best[0].text}이다.`);
    await page.keyboard.press('Control+z');
    // Another model: first in the list of models to compare with.
    await tabTo(page, '비교할 모델');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => window.minibert.page.state().boxes['second-guess-0-0']);
    // The explanation, whose picture is a table, too.
    await tabTo(page, '어떻게 예측했나');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.minibert.page.state().boxes['part-3']);
    await tabTo(page, '3 섞기');
    await page.keyboard.press('Enter');
    await settled(page);
    const table = await page.evaluate(() => [...document.querySelectorAll('#page table tr')].map((row) => row.children.length));
    const tokens = await page.evaluate(() => window.minibert.tokenize(window.minibert.page.state().text));
    assert.deepEqual(table, new Array(tokens.length + 1).fill(3));
  },

  async 'the first Tab stop leads past the header, and headings go down step by step'(at) {
    const page = await started(await open(at.browser, `${at.url}#${link(TEXT)}`));
    await page.evaluate(() => document.activeElement.blur());
    await page.evaluate(() => document.getElementById('skip').focus());
    const [, , width] = await page.evaluate(() => Object.values(document.getElementById('skip').getBoundingClientRect().toJSON()));
    assert.ok(width > 50, 'it is seen');
    assert.equal(await page.evaluate(() => document.querySelector('main').firstElementChild.id), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'input');
    for (const view of ['sentence', 'explain&xown=1', 'training', 'model']) {
      await page.evaluate((hash) => window.minibert.page.open(hash), link(TEXT, `&v=${view}`));
      await settled(page);
      const levels = await page.evaluate(() => [...document.querySelectorAll('#page :is(h1, h2, h3)')].map(({ tagName, textContent }) => [Number(tagName[1]), textContent]));
      assert.deepEqual(levels[0], [1, 'minibert']);
      levels.forEach(([level, text], i) => assert.ok(i === 0 || level <= levels[i - 1][0] + 1, text));
      assert.equal(new Set(levels.map(([, text]) => text)).size, levels.length, 'no heading twice');
    }
    await page.context().close();
  },

  async 'the focus is seen, and brought into the window'(at) {
    const page = await fresh(at, link(TEXT));
    const plain = (await page.screenshot()).toString('base64');
    await tabTo(page, '모두 채우기');
    await settled(page);
    assert.notEqual((await page.screenshot()).toString('base64'), plain, 'a ring');
    await tabTo(page, '10. ');
    await settled(page);
    const [, y, , height] = (await state(page)).boxes['guess-0-9'];
    assert.ok(y >= 0 && y + height <= 860, `${y}`);
  },

  async 'guesses, notices and errors are announced'(at) {
    const page = await fresh(at, link(TEXT));
    const live = () => page.evaluate(() => document.getElementById('live').textContent);
    assert.match(await live(), /빈칸 1: 대전 >?\d+%/);
    await page.evaluate(() => window.minibert.page.setText('나는 간다'));
    await settled(page);
    assert.match(await live(), /\[MASK\]를 넣으면/);
    await page.evaluate(() => window.minibert.page.setText(`${'가 나 '.repeat(900)}[MASK]`));
    await page.waitForFunction(() => document.getElementById('alert').textContent.includes('너무 깁니다'));
    await page.evaluate((text) => window.minibert.page.setText(text), TEXT);
    await settled(page);
    assert.equal(await page.evaluate(() => document.getElementById('alert').textContent), '', 'the error is over');
  },

  async 'guesses are announced once typing rests'(at) {
    const page = await fresh(at, link(TEXT));
    await page.evaluate(() => {
      window.said = [];
      new MutationObserver(() => window.said.push(document.getElementById('live').textContent))
        .observe(document.getElementById('live'), { childList: true, characterData: true, subtree: true });
    });
    await page.keyboard.type(' 그리고 그는 갔다', { delay: 120 });
    await settled(page);
    const said = (await page.evaluate(() => window.said)).filter(Boolean);
    assert.equal(said.length, 1, said.join(' | '));
    assert.match(said[0], /^빈칸 1: /);
  },

  async 'without WebGL the page is its mirror, and does all'(at) {
    const page = await withoutWebGL(at.browser, at.url, link(TEXT));
    assert.equal(await page.isVisible('#input'), true);
    assert.match(await page.textContent('#reason'), /하드웨어 가속/);
    await page.fill('#input', '그는 서울대학교를 [MASK]하였다.');
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('1. 졸업'));
    await page.click('button:has-text("1. 졸업")');
    await page.waitForFunction(() => document.getElementById('input').value === '그는 서울대학교를 졸업하였다.');
    await page.fill('#input', '그는 서울대학교를 [MASK]하였다.');
    await page.click('button:has-text("어떻게 예측했나")');
    await page.click('button:has-text("4 답")');
    await page.waitForSelector('#page table');
    await page.click('button:has-text("돌아가기")');
    await page.selectOption('select >> nth=1', { index: 1 });
    await page.click('button:has-text("English")');
    await page.waitForFunction(() => document.documentElement.lang === 'en');
  },

  async 'zooming is the browser\'s: Ctrl and the wheel, a pinch'(at) {
    const page = await fresh(at, link(TEXT));
    const taken = (ctrlKey) => page.evaluate((ctrl) => !document.getElementById('canvas').dispatchEvent(
      new WheelEvent('wheel', { deltaY: 10, ctrlKey: ctrl, cancelable: true, bubbles: true })), ctrlKey);
    assert.equal(await taken(true), false);
    assert.equal(await taken(false), true);
    assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById('canvas')).touchAction), 'pinch-zoom');
  },

  async 'theme and language are the system\'s until chosen, then remembered'({ browser, url }) {
    const page = await started(await open(browser, url, { colorScheme: 'light' }));
    const look = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.style.colorScheme]);
    assert.deepEqual(await look(), ['ko', 'light']);
    await page.emulateMedia({ colorScheme: 'dark' });
    await settled(page);
    assert.deepEqual(await look(), ['ko', 'dark']);
    for (const name of ['밝게', 'English']) await press(page, name);
    assert.deepEqual(await look(), ['en', 'light']);
    await page.goto('about:blank');
    await page.goto(url);
    await started(page);
    assert.deepEqual(await look(), ['en', 'light']);
  },

  async 'forced colors are used'({ browser, url }) {
    const page = await started(await open(browser, url, { forcedColors: 'active', colorScheme: 'dark' }));
    const ground = await page.evaluate(() => document.documentElement.style.getPropertyValue('--page'));
    assert.equal(ground, '#000000');
  },

  async 'fingers get targets of 44 pixels'({ browser, url }) {
    const page = await started(await open(browser, `${url}#${link(TEXT, '&v=explain&xown=1&xpart=5')}`,
      { width: 390, height: 800, ratio: 2, hasTouch: true, isMobile: true }));
    const { boxes } = await state(page);
    const targets = Object.entries(boxes).filter(([name]) => /^(back|view|part-|switch|swap|next|explain-own)/.test(name));
    assert.ok(targets.length > 14);
    for (const [name, [, , width, height]] of targets) assert.ok(Math.min(width, height) >= 43.5, `${name}: ${width} × ${height}`);
    assert.deepEqual(page.errors, []);
  },
};
