// Sections of the report about examples: wins and losses, length, calibration, confusion.

const MOST_ROWS = 100;
const MOST_LABELS = 20;
const LENGTHS = [1, 2, 3, 4, 5, 7, 9, 12, 16, 24, Infinity];
const BINS = 10;

// Means of columns, row by row.
function meansOf(columns) {
  const sums = new Array(columns[0].length).fill(0);
  for (const column of columns) for (let i = 0; i < sums.length; ++i) sums[i] += column[i];
  return sums.map((sum) => sum / columns.length);
}

// The labels of a task that has them, in order; null where answers are texts.
function labelsOf(columns) {
  const labels = new Set();
  for (const column of columns)
    for (const label of column)
      if (labels.add(label).size > MOST_LABELS) return null;
  return [...labels].sort();
}

// What an arm was asked, the means of its chosen runs' numbers, the runs' predictions one by one, and the labels
// among them. Made once a choice: `redraw` of report.js forgets them.
const madeExamples = new Map();
function examplesOf(arm) {
  if (!madeExamples.has(arm)) madeExamples.set(arm, makeExamples(arm));
  return madeExamples.get(arm);
}
function makeExamples(arm) {
  const seeds = DATA.examples.runs.filter(({ run }) => DATA.runs[run].label === arm && chosen.has(DATA.runs[run].id));
  if (seeds.length === 0) return null;
  const names = Object.keys(seeds[0].numbers).filter((name) => seeds.every(({ numbers }) => numbers[name]));
  const numbers = Object.fromEntries(names.map((name) => [name, meansOf(seeds.map((seed) => seed.numbers[name]))]));
  const predictions = seeds.map(({ prediction }) => prediction).filter((prediction) => prediction != null);
  const asked = DATA.examples.sets[seeds[0].set];
  return { ...asked, numbers, predictions, labels: asked.gold && predictions.length > 0 ? labelsOf([asked.gold, ...predictions]) : null };
}
const armsWithExamples = () => arms().filter((arm) => examplesOf(arm));
// The measure that scores an example: the first that every given arm has a column of.
const measureOf = (...all) => DATA.measures.find(({ name, better }) => better !== 0 && all.every(({ numbers }) => numbers[name]));
const scoreOf = (...all) => measureOf(...all)?.name;

function winsAndLosses() {
  const names = armsWithExamples().filter((arm) => scoreOf(examplesOf(arm)));
  if (names.length < 2) return [];
  // At first the best against the worst.
  const quality = (examples) => measureOf(examples).better * mean(examples.numbers[scoreOf(examples)]);
  const ranked = [...names].sort((x, y) => quality(examplesOf(y)) - quality(examplesOf(x)));
  if (!names.includes(state.first)) state.first = ranked[0];
  if (!names.includes(state.second) || state.second === state.first) state.second = ranked.findLast((name) => name !== state.first);
  const a = examplesOf(state.first), b = examplesOf(state.second), measure = scoreOf(a, b), sign = measureOf(a, b)?.better;
  const choice = [select('first', names), select('second', names)];
  const place = new Map(b.id.map((id, i) => [id, i]));
  const pairs = measure ? a.id.map((id, i) => ({ id, i, j: place.get(id) })).filter(({ j }) => j != null)
    .map((pair) => ({ ...pair, by: sign * (a.numbers[measure][pair.i] - b.numbers[measure][pair.j]) })) : [];
  if (pairs.length === 0) return [controls(...choice), make('p', { class: 'empty' }, say('nothingShared'))];
  const better = pairs.filter(({ by }) => by > 0), worse = pairs.filter(({ by }) => by < 0);
  const cells = ({ id, i, j }) => [id, a.text?.[i] ?? '', a.gold?.[i] ?? '', a.predictions[0]?.[i] ?? '', b.predictions[0]?.[j] ?? ''];
  const needle = state.search.toLowerCase();
  const found = (state.side === 'worse' ? worse : better).filter((pair) => needle === '' || cells(pair).some((one) => one.toLowerCase().includes(needle)))
    .sort((x, y) => Math.abs(y.by) - Math.abs(x.by));
  const search = make('input', { type: 'search', name: 'search', value: state.search, onchange: () => { state.search = search.value; redraw(); } });
  const sides = make('select', { name: 'side', onchange: () => { state.side = sides.value; redraw(); } },
    make('option', { value: 'better', selected: state.side === 'better' }, say('onlyBetter')),
    make('option', { value: 'worse', selected: state.side === 'worse' }, say('onlyWorse')));
  const score = (pair) => `${number(a.numbers[measure][pair.i], 3)} / ${number(b.numbers[measure][pair.j], 3)}`;
  const hasText = a.text?.some((one) => one !== '');
  const columns = (values) => hasText ? values : values.filter((_, i) => i !== 1);
  return [
    controls(...choice, sides, make('label', {}, `${say('search')} `, search)),
    make('p', {}, `${measure}: ${say('better', better.length)}, ${say('worse', worse.length)}, ${say('equal', pairs.length - better.length - worse.length)}.`,
      found.length > MOST_ROWS ? ` ${say('shownOf', MOST_ROWS, found.length)}` : ''),
    table([...columns([say('id'), say('text'), say('gold'), state.first, state.second]), measure],
      found.slice(0, MOST_ROWS).map((pair) => [...columns(cells(pair)), score(pair)]), 'text'),
  ];
}

// Characters of each of a column's texts, counted once; of right answers, a line each, those of the first.
const countedTexts = new WeakMap();
function charactersOf(texts, areAnswers) {
  const counted = (text) => areAnswers ? text.split('\n', 1)[0] : text;
  if (!countedTexts.has(texts)) countedTexts.set(texts, texts.map((text) => [...counted(text)].length));
  return countedTexts.get(texts);
}

function lengths() {
  const rows = armsWithExamples().flatMap((arm) => {
    const examples = examplesOf(arm), measure = scoreOf(examples);
    // The length of what was asked, where labels answer it; of the answer, where that is a text.
    const texts = examples.labels ? examples.text : examples.gold;
    if (!measure || !texts) return [];
    const characters = charactersOf(texts, !examples.labels), step = examples.labels ? 10 : 1;
    return LENGTHS.slice(0, -1).map((edge, k) => {
      const from = k === 0 ? 1 : edge * step, to = LENGTHS[k + 1] * step;
      const scores = examples.numbers[measure].filter((_, i) => characters[i] >= from && characters[i] < to);
      return { arm, bin: to === Infinity ? `${from}+` : to - from === 1 ? `${from}` : `${from}–${to - 1}`, count: scores.length, mean: mean(scores) };
    }).filter(({ count }) => count > 0);
  });
  const measures = [...new Set(armsWithExamples().map((arm) => scoreOf(examplesOf(arm))))];
  return rows.length > 0 ? [chart(byLength(rows, { x: say('characters'), y: measures.join(', ') }))] : [];
}

function calibrations() {
  const rows = armsWithExamples().flatMap((arm) => {
    const { numbers } = examplesOf(arm);
    const measure = DATA.measures.find(({ name, right }) => right && numbers[name]);
    const right = numbers[measure?.name], probability = numbers[measure?.probability];
    if (!probability || !right) return [];
    // Bins of as many examples each.
    const order = Uint32Array.from(probability.keys()).sort((i, j) => probability[i] - probability[j]);
    return Array.from({ length: BINS }, (_, k) => [...order.subarray(Math.floor(k * order.length / BINS), Math.floor((k + 1) * order.length / BINS))])
      .filter((bin) => bin.length > 0)
      .map((bin) => ({ arm, count: bin.length, probability: mean(bin.map((i) => probability[i])), share: mean(bin.map((i) => right[i])) }));
  });
  return rows.length > 0 ? [chart(calibration(rows, { x: say('probability'), y: say('share') }))] : [];
}

function confusions() {
  const names = armsWithExamples().filter((arm) => examplesOf(arm).labels);
  if (names.length === 0) return [];
  if (!names.includes(state.confusion)) state.confusion = names.at(-1);
  const { gold, predictions, labels } = examplesOf(state.confusion);
  const counts = new Map(labels.map((label) => [label, new Map(labels.map((other) => [other, 0]))]));
  for (const prediction of predictions)
    prediction.forEach((label, i) => counts.get(gold[i]).set(label, counts.get(gold[i]).get(label) + 1));
  const rows = labels.flatMap((label) => {
    const row = counts.get(label), all = [...row.values()].reduce((a, b) => a + b, 0);
    return labels.map((other) => ({ gold: label, prediction: other, count: row.get(other), share: all > 0 ? row.get(other) / all : 0 }));
  });
  return [controls(select('confusion', names, say('arm'))), chart(confusion(rows, { x: say('prediction'), y: say('gold') }))];
}
