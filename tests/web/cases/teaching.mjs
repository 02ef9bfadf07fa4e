// Labels taught by the visitor, and two sentences against each other.
import assert from 'node:assert/strict';
import { click, fresh, open, press, settled, started, state, until } from '../browser.mjs';

const WEATHER = ['오늘은 비가 많이 온다', '내일은 맑고 바람이 분다', '어제는 눈이 내려서 추웠다', '여름에는 장마가 길다', '하늘에 구름이 많다',
  '아침에 안개가 끼었다', '기온이 크게 떨어졌다', '햇볕이 아주 뜨겁다', '밤새 천둥이 쳤다', '봄바람이 따뜻하다', '태풍이 올라온다', '낮에는 덥다',
  '길이 얼어서 미끄럽다', '소나기가 지나갔다', '겨울이라 해가 짧다'];
const FOOD = ['점심에 김치찌개를 먹었다', '빵과 우유를 샀다', '라면을 끓여 먹자', '사과가 아주 달다', '엄마가 만든 국이 맛있다', '저녁에는 고기를 구웠다',
  '떡볶이가 너무 맵다', '과자를 나눠 먹었다', '밥을 두 그릇 먹었다', '수박을 시원하게 먹었다', '급식에 생선이 나왔다', '간식으로 만두를 쪘다',
  '국수를 삶았다', '반찬이 조금 짜다', '케이크를 같이 만들었다'];
const LESSONS = [...WEATHER.map((text) => `날씨: ${text}.`), ...FOOD.map((text) => `음식: ${text}.`)].join('\n');
const TRIED = '아침부터 비가 오고 바람이 분다.';
const link = (lessons, tried = TRIED) => `t=${encodeURIComponent('나는 [MASK].')}&task=teach&d=${encodeURIComponent(lessons)}&e=${encodeURIComponent(tried)}&l=ko`;
const text = (page) => page.textContent('#page');
const table = (page, label) => page.evaluate((wanted) => [...document.querySelectorAll(`#page [role=region][aria-label^="${wanted}"] tr`)]
  .map((row) => [...row.cells].map((cell) => cell.textContent)), label);
const part = (page, pattern) => text(page).then((all) => pattern.exec(all));

export const tests = {
  async 'thirty sentences teach a classifier on a phone, within two seconds, and a link gives the same'({ browser, url }) {
    const page = await started(await open(browser, `${url}#${link(LESSONS)}`, { width: 360, height: 740, hasTouch: true, isMobile: true }));
    assert.deepEqual((await table(page, '이름표마다')).slice(1), [['날씨', '15'], ['음식', '15']]);
    const began = Date.now();
    await press(page, '배우기');
    await until(page, () => document.getElementById('page').textContent.includes('맞혔습니다'));
    const took = Date.now() - began;
    assert.ok(took < 2000, `${took} ms`);
    const [said, right] = await part(page, /처음 보는 문장 30개 가운데 (\d+)개를 맞혔습니다/);
    assert.ok(Number(right) >= 20, said);
    assert.match(await text(page), /하나로만 답하면 15개를 맞힙니다\(50%\)/);
    const tried = await table(page, '새 문장의');
    assert.equal(tried[1][0], '날씨');
    const weights = (await table(page, '낱말의 기여도')).slice(1);
    assert.deepEqual(weights.map(([word]) => word).sort(), TRIED.split(' ').sort());
    const sizes = weights.map(([, , odds]) => Math.abs(parseFloat(odds)));
    assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a), 'the weightiest first');
    const again = await started(await open(browser, await page.evaluate(() => location.href)));
    await press(again, '배우기');
    await until(again, () => document.getElementById('page').textContent.includes('맞혔습니다'));
    assert.equal((await state(again)).texts.d, LESSONS);
    assert.equal((await part(again, /처음 보는 문장 .*?맞혔습니다/))[0], said);
    assert.deepEqual(await table(again, '새 문장의'), tried);
    // Once learnt, it learns again from what changes.
    await again.evaluate(() => { document.querySelectorAll('textarea')[1].focus(); window.minibert.page.setText('고기와 국수를 먹었다.'); });
    await settled(again);
    assert.equal((await table(again, '새 문장의'))[1][0], '음식');
    assert.deepEqual([...page.errors, ...again.errors], []);
  },

  async 'what lessons lack is said, lines are typed, and a file of lessons is opened'(at) {
    const page = await fresh(at, link('날씨: 비가 온다.\n비가 온다.'));
    assert.match(await text(page), /2째 줄에 이름표가 없습니다.*이름표가 1가지입니다.*"날씨"의 문장이 모자랍니다/);
    await page.evaluate(() => { const area = document.querySelector('textarea'); area.focus(); area.setSelectionRange(0, 0); });
    await page.keyboard.type('음식: 밥이 달다.');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state(page)).texts.d, '음식: 밥이 달다.\n날씨: 비가 온다.\n비가 온다.');
    await page.evaluate((lessons) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([lessons], 'lessons.txt'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
    }, LESSONS.replaceAll('\n', '\r\n'));
    await until(page, () => document.getElementById('page').textContent.includes('15'));
    await settled(page);
    assert.equal((await state(page)).texts.d, LESSONS);
    const [saved] = await Promise.all([page.waitForEvent('download'), press(page, '파일로 저장')]);
    assert.equal(saved.suggestedFilename(), 'minibert.txt');
    assert.deepEqual(page.errors, []);
  },

  async 'two sentences stand against each other with what each gives more to'(at) {
    const [first, second] = ['그는 대한민국의 [MASK]이다.', '그녀는 대한민국의 [MASK]이다.'];
    const page = await fresh(at, `task=contrast&f=${encodeURIComponent(first)}&g=${encodeURIComponent(second)}&l=ko`);
    const rows = (await table(page, '견주기')).slice(1);
    const guesses = await page.evaluate((texts) => Promise.all(texts.map(async (one) => (await window.minibert.fill(one, { top: 200 })).masks[0].guesses)), [first, second]);
    const best = new Set(guesses.flatMap((all) => all.slice(0, 8).map((guess) => guess.text)));
    assert.deepEqual(new Set(rows.map(([word]) => word)), best);
    const gains = rows.map(([word]) => {
      const [a, b] = guesses.map((all) => (all.find((guess) => guess.text === word) ?? all.at(-1)).probability);
      return b - a;
    });
    assert.deepEqual(gains, [...gains].sort((a, b) => a - b));
    rows.forEach(([, , , told], i) => { if (told !== '=') assert.equal(Math.sign(parseFloat(told)), Math.sign(gains[i])); });
    await click(page, 'example-1');
    assert.deepEqual(Object.values((await state(page)).texts), ['아버지는 [MASK]에서 일하신다.', '어머니는 [MASK]에서 일하신다.']);
    assert.deepEqual(page.errors, []);
  },
};
