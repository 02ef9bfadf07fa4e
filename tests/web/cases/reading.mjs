// Reviews judged and names marked: as the native program does, with keyboard, link, mirror, class and small window.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import axe from 'axe-core';
import { addressWith, click, fresh, open, press, settled, started, state } from '../browser.mjs';

const REVIEW = '기대하지 않고 봤는데 정말 재미있었어요!';
const SENTENCE = '이순신은 1545년 4월 28일 서울에서 태어났다.';
const look = '&l=ko&theme=light';
const link = (task, text, rest = '') =>
  `t=${encodeURIComponent('나는 [MASK].')}&task=${task}&${task === 'labels' ? 'r' : 'n'}=${encodeURIComponent(text)}${look}${rest}`;
const live = (page) => page.evaluate(() => document.getElementById('live').textContent);
const table = (page, label) => page.evaluate((wanted) => [...document.querySelectorAll(`#page [role=region][aria-label^="${wanted}"] tr`)]
  .map((row) => [...row.cells].map((cell) => cell.textContent)), label);
const names = (page) => page.evaluate(() => [...document.querySelectorAll('#page ol[data-name="name"] button')].map((button) => button.textContent));

async function violations(page) {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() => window.axe.run());
  return found.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}

function native(demo, models, task, command, text) {
  const { id } = models.find((model) => model.task === task);
  const out = execFileSync(process.env.MINIBERT_PROGRAM, [...command, '--json', '--run', `${demo}-models/${id}.mbq`, text], { encoding: 'utf8' });
  return JSON.parse(out);
}

export const tests = {
  async 'a review is judged, with what each word brings, and announced'(at) {
    const page = await fresh(at, link('labels', REVIEW));
    const now = await state(page);
    assert.equal(now.task, 'labels');
    const { labels, words } = await page.evaluate((text) => window.minibert.classify(text), REVIEW);
    assert.equal(labels[0].label, 'positive');
    const percent = (p) => `${(100 * p).toFixed(p < 0.0995 ? 2 : 1)}%`;
    assert.deepEqual((await table(page, '확률')).slice(1), [['긍정', percent(labels[0].probability)], ['부정', percent(labels[1].probability)]]);
    const logOdds = (p) => Math.log(p / (1 - p));
    const brings = ({ probability }) => Math.abs(logOdds(labels[0].probability) - logOdds(probability));
    const sorted = [...words].sort((a, b) => brings(b) - brings(a));
    assert.deepEqual((await table(page, '낱말의 기여도')).slice(1).map(([word]) => word), sorted.map(({ text }) => text));
    assert.equal(await live(page), `긍정 ${percent(labels[0].probability)}. 가장 크게 기여한 낱말: ${sorted[0].text}`);
    // The words that bring most are marked in the text.
    const marked = now.marks.map(([begin, end]) => REVIEW.slice(begin, end));
    assert.ok(marked.includes(sorted[0].text), `${marked}`);
    assert.match(await page.textContent('#page'), /영화평\(NSMC\)과 상품평\(SentiNeg\).*정확도 0\.\d+ \(시험 데이터\)/);
    await page.evaluate(() => window.minibert.page.setText(''));
    await settled(page);
    assert.match(await page.textContent('#page'), /문장을 쓰면 여기에 보입니다/);
    assert.deepEqual(page.errors, []);
  },

  async 'a long review is judged and announced without what each word brings'(at) {
    const page = await fresh(at, link('labels', REVIEW));
    await page.evaluate((text) => window.minibert.page.setText(text), `${REVIEW} `.repeat(100));
    await settled(page);
    assert.equal((await table(page, '확률')).length, 3);
    assert.deepEqual(await table(page, '낱말의 기여도'), []);
    assert.deepEqual((await state(page)).marks, []);
    assert.match(await live(page), /^긍정 \S+%$/);
  },

  async 'names are marked in their text, listed and announced'(at) {
    const page = await fresh(at, link('names', SENTENCE));
    const { entities } = await page.evaluate((text) => window.minibert.tag(text), SENTENCE);
    assert.ok(entities.length >= 2);
    const now = await state(page);
    assert.deepEqual(now.marks.map(([begin, end]) => SENTENCE.slice(begin, end)), entities.map(({ text }) => text));
    const listed = await names(page);
    entities.forEach(({ text }, i) => assert.ok(listed[i].startsWith(`${i + 1}. ${text} `), listed[i]));
    assert.match(await live(page), new RegExp(`^찾은 이름: ${entities[0].text} `));
    for (const { type } of entities) assert.ok(now.boxes[`legend-${type}`], `the color of ${type} is told`);
    await click(page, 'name-1');
    await page.keyboard.press('Alt+1');
    await settled(page);
    await page.evaluate(() => window.minibert.page.setText('그렇다.'));
    await settled(page);
    assert.match(await live(page), /이름을 찾지 못했습니다/);
    assert.deepEqual(page.errors, []);
  },

  async 'of a long text the first hundred names are listed, all are marked and copied'({ browser, url }) {
    const page = await started(await open(browser, `${url}#${link('names', SENTENCE)}&l=ko`, { permissions: ['clipboard-read', 'clipboard-write'] }));
    const text = `${SENTENCE} `.repeat(60);
    const { entities } = await page.evaluate((t) => window.minibert.tag(t), text);
    assert.ok(entities.length > 110);
    await page.evaluate((t) => window.minibert.page.setText(t), text);
    await settled(page);
    assert.equal((await names(page)).filter((name) => /^\d+\. /.test(name)).length, 100);
    assert.ok((await page.textContent('#page')).includes(`그 밖에 ${entities.length - 100}개가 더 있습니다.`));
    assert.equal((await state(page)).marks.length, entities.length);
    assert.match(await live(page), new RegExp(`그 밖에 ${entities.length - 20}개$`));
    await press(page, '텍스트로 복사');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied.trim().split('\n').length, entities.length + 2);
  },

  async 'the page labels and marks as the native program does, to the bit'({ browser, url, demo }) {
    const page = await started(await open(browser, url));
    const { models } = await page.evaluate(() => fetch('manifest.json').then((r) => r.json()));
    for (const text of [REVIEW, `😀 ${SENTENCE}`, '大韓民國의 수도는　서울이다. é Å', `${SENTENCE} `.repeat(20)]) {
      const labels = native(demo, models, 'labels', ['predict', '--words'], text);
      const here = await page.evaluate((t) => window.minibert.classify(t), text);
      assert.deepEqual(Object.fromEntries(here.labels.map(({ label, probability }) => [label, probability])), labels.probabilities);
      assert.deepEqual(here.words.map(({ text: word, probability }) => [word, probability]),
        labels.words.map(({ text: word, probability }) => [word, probability]));
      here.words.forEach(({ begin, end }, i) => {
        assert.equal(text.slice(begin, end), labels.words[i].text);
        assert.equal([...text.slice(0, begin)].length, labels.words[i].start);
      });
      const found = native(demo, models, 'names', ['predict'], text);
      const marked = await page.evaluate((t) => window.minibert.tag(t), text);
      assert.deepEqual(marked.entities.map(({ type, text: name, probability }) => [type, name, probability]),
        found.entities.map(({ type, text: name, probability }) => [type, name, probability]));
      marked.entities.forEach(({ begin, end, text: name }) => assert.equal(text.slice(begin, end), name));
      assert.equal(marked.read, marked.pieces);
    }
    const codes = await page.evaluate(async () => {
      const { minibert } = window;
      const id = async (task) => (await minibert.models()).find((model) => model.task === task).id;
      const attempts = {
        'empty-text classify': () => minibert.classify(' '), 'empty-text tag': () => minibert.tag(''),
        'bad-argument text': () => minibert.classify(1), 'bad-argument words': () => minibert.classify('글', { words: 1 }),
        'wrong-model classify': async () => minibert.classify('글', { model: await id('names') }),
        'wrong-model tag': async () => minibert.tag('글', { model: await id('masks') }),
      };
      const found = {};
      for (const [name, attempt] of Object.entries(attempts)) found[name] = await attempt().then(() => 'none', (error) => error.code);
      return found;
    });
    for (const [name, code] of Object.entries(codes)) assert.equal(code, name.split(' ')[0]);
    await page.context().close();
  },

  async 'tabs and examples by keyboard alone'(at) {
    const page = await fresh(at, `t=a${look}`);
    const tabTo = async (name) => {
      for (let i = 0; i < 60; ++i) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate(() => document.activeElement.textContent)) === name) return;
      }
      throw new Error(`Tab never reaches "${name}"`);
    };
    await tabTo('빈칸 채우기');
    for (const [task, example] of [['labels', '마지막 장면에서'], ['names', '관객 12만']]) {
      await tabTo(task === 'labels' ? '감성 분석' : '이름 찾기');
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal((await state(page)).task, task);
      const wanted = await page.evaluate((start) => [...document.querySelectorAll('#page button')].find((b) => b.textContent.startsWith(start)).textContent, example);
      await tabTo(wanted);
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal((await state(page)).text, wanted);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' 끝');
      await settled(page);
      assert.equal((await state(page)).text, `${wanted} 끝`);
      await page.keyboard.press('Control+z');
      await settled(page);
    }
  },

  async 'every example is judged and marked rightly'(at) {
    const page = await fresh(at, link('labels', REVIEW));
    const examples = () => page.evaluate(() => [...document.querySelectorAll('#page ol[data-name="examples"] button')].map((b) => b.textContent));
    const verdicts = { '음악은 훌륭한데 결말이 허무하다.': 'negative', '마지막 장면에서 눈물이 났다. 오래 기억에 남을 영화.': 'positive',
      '기대하지 않고 봤는데 정말 재미있었어요!': 'positive', '배우들의 연기는 좋았지만 이야기가 너무 지루했다.': 'negative' };
    assert.deepEqual((await examples()).sort(), Object.keys(verdicts).sort());
    for (const [text, label] of Object.entries(verdicts))
      assert.equal((await page.evaluate((t) => window.minibert.classify(t), text)).labels[0].label, label, text);
    await press(page, '이름 찾기');
    const marked = {
      '류현진이 2019년 미국 로스앤젤레스에서 공을 던졌다.': ['PS 류현진', 'DT 2019년', 'LC 미국 로스앤젤레스'],
      '김연아 선수는 2010년 캐나다에서 금메달을 땄다.': ['PS 김연아', 'DT 2010년', 'LC 캐나다'],
      '국회는 지난해 12월 3일 예산안을 통과시켰다.': ['OG 국회', 'DT 지난해 12월 3일'],
      '관객 12만 명이 오후 7시 서울 잠실에서 공연을 봤다.': ['QT 12만 명', 'TI 오후 7시', 'LC 서울 잠실'],
    };
    assert.deepEqual((await examples()).sort(), Object.keys(marked).sort());
    for (const [text, found] of Object.entries(marked))
      assert.deepEqual((await page.evaluate((t) => window.minibert.tag(t), text)).entities.map(({ type, text: name }) => `${type} ${name}`), found, text);
  },

  async 'a link keeps task and text, and the texts of other tasks stay'(at) {
    const long = `${SENTENCE} ${'긴 글이다. '.repeat(80)}`.trim();
    const page = await fresh(at, link('names', long));
    const address = await addressWith(page, `n=${long}`);
    assert.match(address, /#z=/);
    const other = await started(await open(at.browser, address));
    let now = await state(other);
    assert.deepEqual([now.task, now.text], ['names', long]);
    await press(other, '감성 분석');
    await press(other, '이름 찾기');
    now = await state(other);
    assert.deepEqual([now.task, now.text], ['names', long]);
    await press(other, '빈칸 채우기');
    assert.equal((await state(other)).text, '나는 [MASK].');
    await other.context().close();
  },

  async 'a reload keeps the texts of all tasks, and a link that is opened has its own'({ browser, url }) {
    const page = await started(await open(browser, `${url}#${link('names', SENTENCE)}`));
    const shown = async (task) => {
      await press(page, task);
      return (await state(page)).text;
    };
    await press(page, '감성 분석');
    await page.evaluate((text) => window.minibert.page.setText(text), REVIEW);
    await settled(page);
    await press(page, '빈칸 채우기');
    await settled(page);
    await page.waitForFunction(() => !location.hash.includes('task='));
    await page.reload();
    await started(page);
    assert.equal(await shown('감성 분석'), REVIEW);
    assert.equal(await shown('이름 찾기'), SENTENCE);
    await page.goto('about:blank');
    await page.goto(`${url}#t=가&l=ko`);
    await started(page);
    assert.notEqual(await shown('감성 분석'), REVIEW);
    await page.context().close();
  },

  async 'a long text is read to its end'(at) {
    const page = await fresh(at, link('labels', REVIEW));
    for (const [task, text] of [['classify', `${REVIEW} `.repeat(20)], ['tag', `${SENTENCE} `.repeat(20)]]) {
      const { pieces, read } = await page.evaluate(([f, t]) => window.minibert[f](t), [task, text]);
      assert.ok(pieces > 128, task);
      assert.equal(read, pieces, task);
    }
    const { entities } = await page.evaluate((t) => window.minibert.tag(t), `${SENTENCE} `.repeat(20));
    assert.ok(entities.at(-1).begin > SENTENCE.length * 19, 'a name of the last sentence');
  },

  async 'in class verdicts and names are hidden until asked for'(at) {
    for (const [task, text, shown] of [['labels', REVIEW, /긍정/], ['names', SENTENCE, /이순신/]]) {
      const page = await fresh(at, link(task, text, '&lesson=1'));
      assert.deepEqual((await state(page)).marks, []);
      assert.match(await live(page), /예측을 숨겼습니다/);
      await press(page, '예측 보기');
      assert.ok((await state(page)).marks.length > 0);
      assert.match(await page.textContent('#page'), shown);
      await press(page, '예측 숨기기');
      assert.deepEqual((await state(page)).marks, []);
    }
  },

  async 'axe finds nothing; in English, too'(at) {
    for (const [task, text] of [['labels', REVIEW], ['names', SENTENCE]]) {
      const page = await fresh(at, link(task, text));
      assert.deepEqual(await violations(page), [], task);
      await press(page, 'English');
      assert.deepEqual(await violations(page), [], `${task} in English`);
      assert.match(await page.textContent('#page'), task === 'labels' ? /film reviews.*Accuracy 0\.\d+ \(test data\)/ : /Entity macro-F1 0\.\d+ \(test data\)/);
      await press(page, '한국어');
    }
  },

  async 'fingers get targets of 44 pixels, and nothing is wider than the window'({ browser, url }) {
    for (const [task, text, ratio] of [['labels', REVIEW, 2], ['names', SENTENCE, 1]]) {
      const page = await started(await open(browser, `${url}#${link(task, text)}`, { width: 360, height: 780, ratio, hasTouch: true, isMobile: true }));
      const { boxes } = await state(page);
      for (const [name, [x, , width, height]] of Object.entries(boxes)) {
        assert.ok(x >= 0 && x + width <= 360.5, `${name} from ${x} to ${x + width}`);
        if (/^(task|name-\d|example|undo|clear|copy-text|save-picture|view-model)/.test(name)) assert.ok(height >= 43.5, `${name}: ${height}`);
      }
      assert.deepEqual(page.errors, []);
      await page.context().close();
    }
  },
};
