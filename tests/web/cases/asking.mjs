// Questions about a text: answers, their place, fields, link, model on demand, without canvas or network.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import axe from 'axe-core';
import { addressWith, click, fresh, open, press, settled, started, state, until } from '../browser.mjs';
import { serve } from '../../../wasm_demo/serve.mjs';

const TEXT = '세종대왕은 조선의 제4대 국왕이다. 1418년에 즉위하여 1450년까지 재위하였다. 1443년에 훈민정음을 창제하고 1446년에 반포하였다.';
const QUESTION = '훈민정음은 언제 창제되었는가?';
const link = (question = QUESTION, text = TEXT, rest = '') =>
  `t=${encodeURIComponent('나는 [MASK].')}&ask=1&q=${encodeURIComponent(question)}&p=${encodeURIComponent(text)}&l=ko&theme=light${rest}`;
const shown = async (page) => page.evaluate(() => [...document.querySelectorAll('#page ol[data-name="answer"] button')].map((button) => button.textContent));
const answered = (page) => page.waitForFunction(() => window.minibert.page.state().marks.length > 0);

export const tests = {
  async 'a question is answered, and the answer marked in its text'(at) {
    const page = await fresh(at, link());
    const now = await state(page);
    assert.equal(now.task, 'answers');
    assert.equal([...TEXT].slice(...now.marks[0]).join(''), '1443년');
    assert.match((await shown(page))[0], /^1\. 1443년 >?\d/);
    assert.match(await page.evaluate(() => document.getElementById('live').textContent), /^답: 1443년 >?\d+%$/);
    assert.match(await page.textContent('#page'), /처음 보는 질문.*정확히 맞힌 비율\(%\) \d\d\.\d+ \(시험 데이터\)/);
    await click(page, 'answer-1');
    const next = await state(page);
    assert.ok((await shown(page))[1].includes([...TEXT].slice(...next.marks[0]).join('')));
    await page.keyboard.press('Alt+1');
    await settled(page);
    assert.deepEqual((await state(page)).marks, now.marks);
    assert.doesNotMatch(await page.textContent('#page'), /확률이 낮습니다/);
    const asked = await fresh(at, link('세종대왕은 어디에서 태어났는가?'));
    assert.match(await asked.textContent('#page'), /확률이 낮습니다\. 글에 답이 없을지도 모릅니다/);
    assert.match(await asked.evaluate(() => document.getElementById('live').textContent), /%\. 확률이 낮습니다/);
  },

  async 'the page answers as the native program does'({ browser, url, demo }) {
    const page = await started(await open(browser, url));
    const { models } = await page.evaluate(() => fetch('manifest.json').then((r) => r.json()));
    const { id } = models.find(({ task }) => task === 'answers');
    for (const [question, text] of [[QUESTION, TEXT], ['국왕은 누구인가?', `😀 ${TEXT}`], ['어디인가?', `${TEXT} `.repeat(12)]]) {
      const native = JSON.parse(execFileSync(process.env.MINIBERT_PROGRAM,
        ['predict', '--run', `${demo}-models/${id}.mbq`, '--question', question, '--context', text, '--json'], { encoding: 'utf8' }));
      const here = await page.evaluate(([q, t]) => window.minibert.answer(q, t), [question, text]);
      assert.equal(here.windows > 1, text.length > 500);
      here.answers.forEach((answer, i) => {
        assert.equal(text.slice(answer.begin, answer.end), answer.text);
        assert.equal(answer.text, native[i].text);
        assert.equal([...text.slice(0, answer.begin)].length, native[i].start);
        assert.ok(Math.abs(answer.probability - native[i].probability) < 1e-4, `${answer.probability} ${native[i].probability}`);
      });
    }
  },

  async 'the question is asked again without each of its words, as the program answers those questions'(at) {
    const page = await fresh(at, link());
    const table = () => page.evaluate(() => [...document.querySelectorAll('#page table tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent)));
    assert.deepEqual(await table(), []);
    await press(page, '낱말 하나씩 빼 보기');
    await settled(page);
    const rows = await table();
    assert.deepEqual(rows.slice(1).map(([word]) => word), ['없음', ...QUESTION.split(' ')]);
    for (const [word, answer, probability] of rows.slice(1)) {
      const asked = QUESTION.split(' ').filter((other) => other !== word).join(' ');
      const { answers } = await page.evaluate(([q, t]) => window.minibert.answer(q, t, { top: 20 }), [asked, TEXT]);
      assert.equal(answer, answers[0].text);
      const same = answers.find(({ text }) => text === '1443년')?.probability ?? 0;
      assert.ok(Math.abs(Number.parseFloat(probability.replace(/[<>]/, '')) - 100 * same) < 0.06, `${word}: ${probability}, ${same}`);
    }
    await page.keyboard.type(' ');
    await settled(page);
    assert.deepEqual(await table(), [], 'of another question');
    await page.evaluate(() => window.minibert.page.setText('무엇인가?'));
    await settled(page);
    await press(page, '낱말 하나씩 빼 보기');
    await settled(page);
    assert.deepEqual((await table()).at(-1), ['무엇인가?', '', '0%']);
    assert.deepEqual(page.errors, []);
  },

  async 'in a long text the answer is scrolled to'(at) {
    const page = await fresh(at, link(QUESTION, `${'눈이 온 날이었다. '.repeat(60)}${TEXT} ${'비가 온 날이었다. '.repeat(60)}`));
    const seen = async () => {
      const { boxes: { 'text-field': field } } = await state(page);
      const marked = await page.evaluate(() => {
        const { y, height } = document.querySelector('.field mark').getBoundingClientRect();
        return [y, height];
      });
      assert.ok(marked[0] >= field[1] - 1 && marked[0] + marked[1] <= field[1] + field[3] + 1, `${marked} in ${field}`);
      assert.ok(field[1] >= 0 && field[1] + field[3] <= 860, 'in the window');
    };
    await seen();
    const [x, y, width, height] = (await state(page)).boxes['text-field'];
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(200);
    await page.keyboard.press('Alt+2');
    await settled(page);
    await seen();
    await page.keyboard.press('Alt+1');
    await settled(page);
    await seen();
  },

  async 'every example is answered rightly'(at) {
    const page = await fresh(at, link());
    const right = { '훈민정음은 언제 창제되었는가?': '1443년', '조선의 제4대 국왕은 누구인가?': '세종대왕', '1443년에 무엇을 창제하였는가?': '훈민정음',
      '훈민정음은 언제 반포되었는가?': '1446년' };
    const shownExamples = await page.evaluate(() => [...document.querySelectorAll('#page ol[data-name="examples"] button')].map((b) => b.textContent));
    assert.deepEqual(shownExamples.sort(), Object.keys(right).sort());
    for (const [question, answer] of Object.entries(right))
      assert.equal((await page.evaluate(([q, t]) => window.minibert.answer(q, t), [question, TEXT])).answers[0].text, answer, question);
  },

  async 'text and question are edited each by itself, by pointer and by keyboard'(at) {
    const page = await fresh(at, link());
    await page.keyboard.press('Control+a');
    await page.keyboard.type('국왕은 누구인가?');
    await settled(page);
    assert.equal((await state(page)).texts.q, '국왕은 누구인가?');
    await click(page, 'text-field');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' 끝[MASK]( )');
    await settled(page);
    assert.equal((await state(page)).texts.p, `${TEXT} 끝[MASK]( )`, 'nothing becomes a mask here');
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal((await state(page)).texts.q, '국왕은 누구인가?');
    await page.keyboard.press('Tab');
    await settled(page);
    assert.equal(await page.inputValue('#input'), '국왕은 누구인가?');
    await press(page, '빈칸 채우기');
    assert.equal((await state(page)).text, '나는 [MASK].');
    assert.ok((await state(page)).boxes['guess-0-0']);
    await press(page, '질문하기');
    await answered(page);
    await press(page, '조선의 제4대 국왕은 누구인가?');
    await answered(page);
    assert.equal((await state(page)).texts.p, TEXT);
    assert.match((await shown(page))[0], /세종대왕/);
  },

  async 'Korean is composed in the question as in a sentence'(at) {
    const page = await fresh(at, link(''));
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: '한', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.insertText', { text: '한' });
    await settled(page);
    assert.equal((await state(page)).texts.q, '한');
    assert.deepEqual(page.errors, []);
  },

  async 'a link keeps task, text and question'(at) {
    const page = await fresh(at, link('제4대 국왕은?', `${TEXT} ${'긴 글이다. '.repeat(40)}`));
    const address = await addressWith(page, 'q=제4대 국왕은?');
    assert.match(address, /#z=/);
    const other = await started(await open(at.browser, address));
    const now = await state(other);
    assert.deepEqual([now.task, now.texts.q, now.text], ['answers', '제4대 국왕은?', '제4대 국왕은?']);
    assert.ok(now.texts.p.startsWith(TEXT) && now.texts.p.length > 300);
    await press(other, '빈칸 채우기');
    assert.equal((await state(other)).text, '나는 [MASK].');
    await other.context().close();
  },

  async 'what is missing or too long is told, in Korean'(at) {
    const page = await fresh(at, link(''));
    assert.match(await page.textContent('#page'), /글과 질문을 쓰면/);
    await page.evaluate((text) => window.minibert.page.open(text), link('왕은 '.repeat(100)));
    await page.waitForFunction(() => /질문이 너무 깁니다: 토큰 \d+개, 이 모델은 64개까지/.test(document.getElementById('page').textContent));
    const codes = await page.evaluate(async ([question, text]) => {
      const { minibert } = window;
      const models = await minibert.models();
      const id = (task) => models.find((model) => model.task === task).id;
      const attempts = {
        'empty-question': () => minibert.answer('', text), 'empty-text': () => minibert.answer(question, ' '),
        'question-too-long': () => minibert.answer('왕은 '.repeat(100), text),
        'bad-argument type': () => minibert.answer(1, text), 'bad-argument top': () => minibert.answer(question, text, { top: 0 }),
        'wrong-model answer': () => minibert.answer(question, text, { model: id('masks') }),
        'wrong-model fill': () => minibert.fill('나는 [MASK]', { model: id('answers') }),
      };
      const found = {};
      for (const [name, attempt] of Object.entries(attempts)) found[name] = await attempt().then(() => 'none', (error) => error.code);
      return found;
    }, [QUESTION, TEXT]);
    for (const [name, code] of Object.entries(codes)) assert.equal(code, name.split(' ')[0]);
    const { masks } = await page.evaluate(() => window.minibert.fill('나는 [MASK]에'));
    assert.equal(masks.length, 1, 'masks are filled by a model that fills them');
  },

  async 'the model comes with the first question, and stays for use without a network'({ browser, demo }) {
    const sent = [];
    const server = await serve(demo, 0, { onSent: (path) => sent.push(path) });
    const page = await started(await open(browser, server.url, { serviceWorkers: 'allow' }));
    await until(page, async () => (await navigator.serviceWorker.getRegistration())?.active && !!navigator.serviceWorker.controller);
    const { models } = await page.evaluate(() => fetch('manifest.json').then((r) => r.json()));
    const { file } = models.find(({ task }) => task === 'answers');
    assert.ok(!sent.includes(`/${file}`));
    await press(page, '질문하기');
    await answered(page);
    assert.equal(sent.filter((path) => path === `/${file}`).length, 1);
    // The address, which the reload goes by, follows what is done with some delay.
    await page.waitForFunction(() => location.hash.includes('ask=1'));
    await page.context().setOffline(true);
    await page.reload();
    await started(page);
    assert.equal((await state(page)).task, 'answers');
    await answered(page);
    await page.context().close();
    await server.close();
  },

  async 'a model that does not come is told once, by its name on the page, and asked for again'({ browser, url }) {
    const page = await started(await open(browser, url));
    await page.route('**/korquad*.mbq', (route) => route.fulfill({ status: 503, body: '' }));
    const told = async (language, button, name) => {
      await page.evaluate((l) => window.minibert.page.open(`t=a&ask=1&l=${l}`), language);
      await page.waitForFunction((text) => document.getElementById('page').textContent.includes(text), button);
      await settled(page);
      const text = await page.textContent('#page');
      assert.equal(text.split('HTTP 503').length, 2, text);
      assert.ok(text.includes(`${name}: `) && !text.includes('.mbq'), text);
      assert.equal((await state(page)).notice, '');
    };
    await told('ko', '다시 받기', '질문 모델');
    assert.match(await page.textContent('#alert'), /^질문 모델: .*HTTP 503/);
    await told('en', 'Try again', 'Question model');
    await page.unroute('**/korquad*.mbq');
    await press(page, 'Try again');
    await answered(page);
  },

  async 'in class answers are hidden until asked for'(at) {
    const page = await fresh(at, link(QUESTION, TEXT, '&lesson=1'));
    assert.deepEqual((await state(page)).marks, []);
    assert.deepEqual(await shown(page), []);
    await press(page, '예측 보기');
    assert.match((await shown(page))[0], /1443년/);
  },

  async 'axe finds nothing; without WebGL the page is its mirror, and answers'(at) {
    const check = async (page) => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`), []);
    };
    await check(await fresh(at, link()));
    const context = await at.browser.newContext({ locale: 'ko-KR', serviceWorkers: 'block', viewport: { width: 900, height: 700 } });
    await context.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === 'webgl2' ? null : original.call(this, kind, ...rest);
      };
    });
    const page = await context.newPage();
    await page.goto(`${at.url}#l=ko`);
    await started(page);
    await page.click('button:has-text("질문하기")');
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('1. 1443년 '));
    await page.fill('#input', '조선의 제4대 국왕은 누구인가?');
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('1. 세종대왕'));
    await page.locator('textarea >> nth=0').focus();
    await page.waitForFunction(() => document.getElementById('input').value.startsWith('세종대왕은 조선의'));
    await check(page);
    await page.click('button:has-text("English")');
    await page.waitForFunction(() => document.getElementById('page').textContent.includes('Where the text holds no answer'));
  },

  async 'fingers get targets of 44 pixels, and nothing is wider than the window'({ browser, url }) {
    const page = await started(await open(browser, `${url}#${link()}`, { width: 360, height: 780, ratio: 2, hasTouch: true, isMobile: true }));
    const { boxes } = await state(page);
    for (const [name, [x, , width, height]] of Object.entries(boxes)) {
      assert.ok(x >= 0 && x + width <= 360.5, `${name} from ${x} to ${x + width}`);
      if (/^(task|answer-\d|example|text-field|question-field|undo|clear)/.test(name))
        assert.ok(height >= 43.5, `${name}: ${height}`);
    }
    assert.deepEqual(page.errors, []);
  },
};
