// Sections of the report about examples: wins and losses, length, calibration, confusion.

const MOST_ROWS = 100;
const MOST_LABELS = 20;
const LENGTHS = [1, 2, 3, 4, 5, 7, 9, 12, 16, 24, Infinity];
const BINS = 10;

// An arm's predictions, with what it was asked.
const examplesOf = (arm) => {
  const one = DATA.examples.arms.find(({ label }) => label === arm);
  return one && { ...DATA.examples.sets[one.set], ...one };
};
const armsWithExamples = () => arms().filter((arm) => examplesOf(arm));
// The measure that scores an example: the first that every given arm has a column of.
const scoreOf = (...all) => DATA.measures.map(({ name }) => name).find((name) => all.every(({ numbers }) => numbers[name]))
  ?? (all.every(({ numbers }) => numbers.absolute_error) ? 'absolute_error' : null);

function winsAndLosses() {
  const names = armsWithExamples().filter((arm) => scoreOf(examplesOf(arm)));
  if (names.length < 2) return [];
  // At first the best against the worst.
  const ranked = [...names].sort((x, y) => mean(examplesOf(y).numbers[scoreOf(examplesOf(y))]) - mean(examplesOf(x).numbers[scoreOf(examplesOf(x))]));
  if (!names.includes(state.first)) state.first = ranked[0];
  if (!names.includes(state.second) || state.second === state.first) state.second = ranked.findLast((name) => name !== state.first);
  const a = examplesOf(state.first), b = examplesOf(state.second), measure = scoreOf(a, b);
  const choice = [select('first', names), select('second', names)];
  const place = new Map(b.id.map((id, i) => [id, i]));
  const pairs = measure ? a.id.map((id, i) => ({ id, i, j: place.get(id) })).filter(({ j }) => j != null)
    .map((pair) => ({ ...pair, by: a.numbers[measure][pair.i] - b.numbers[measure][pair.j] })) : [];
  if (pairs.length === 0) return [controls(...choice), make('p', { class: 'empty' }, say('nothingShared'))];
  const better = pairs.filter(({ by }) => by > 0), worse = pairs.filter(({ by }) => by < 0);
  const cells = ({ id, i, j }) => [id, a.text?.[i] ?? '', a.gold?.[i] ?? '', a.texts.prediction?.[i] ?? '', b.texts.prediction?.[j] ?? ''];
  const needle = state.search.toLowerCase();
  const found = (state.side === 'worse' ? worse : better).filter((pair) => cells(pair).some((one) => one.toLowerCase().includes(needle)))
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

function lengths() {
  const rows = armsWithExamples().flatMap((arm) => {
    const examples = examplesOf(arm), measure = scoreOf(examples);
    // The length of what was asked, where labels answer it; of the answer, where that is a text.
    const texts = isLabelled(examples) ? examples.text : examples.gold;
    if (!measure || !texts) return [];
    const step = isLabelled(examples) ? 10 : 1;
    return LENGTHS.slice(0, -1).map((edge, k) => {
      const from = k === 0 ? 1 : edge * step, to = LENGTHS[k + 1] * step;
      const scores = texts.map((text, i) => [[...text].length, examples.numbers[measure][i]])
        .filter(([length]) => length >= from && length < to).map(([, score]) => score);
      return { arm, bin: to === Infinity ? `${from}+` : to - from === 1 ? `${from}` : `${from}–${to - 1}`, count: scores.length, mean: mean(scores) };
    }).filter(({ count }) => count > 0);
  });
  const measures = [...new Set(armsWithExamples().map((arm) => scoreOf(examplesOf(arm))))];
  return rows.length > 0 ? [chart(byLength(rows, { x: say('characters'), y: measures.join(', ') }))] : [];
}

function calibrations() {
  const rows = armsWithExamples().flatMap((arm) => {
    const { numbers } = examplesOf(arm);
    const right = numbers.exact_match ?? numbers.accuracy, probability = numbers.probability ?? numbers.score;
    if (!probability || !right) return [];
    // Bins of as many examples each.
    const order = probability.map((one, i) => [one, right[i]]).sort((x, y) => x[0] - y[0]);
    return Array.from({ length: BINS }, (_, k) => order.slice(Math.floor(k * order.length / BINS), Math.floor((k + 1) * order.length / BINS)))
      .filter((bin) => bin.length > 0)
      .map((bin) => ({ arm, count: bin.length, probability: mean(bin.map(([one]) => one)), share: mean(bin.map(([, one]) => one)) }));
  });
  return rows.length > 0 ? [chart(calibration(rows, { x: say('probability'), y: say('share') }))] : [];
}

const isLabelled = ({ gold, texts }) => gold != null && texts.prediction != null
  && new Set([...gold, ...texts.prediction]).size <= MOST_LABELS;

function confusions() {
  const names = armsWithExamples().filter((arm) => isLabelled(examplesOf(arm)));
  if (names.length === 0) return [];
  if (!names.includes(state.confusion)) state.confusion = names.at(-1);
  const { gold, texts: { prediction } } = examplesOf(state.confusion);
  const labels = [...new Set([...gold, ...prediction])].sort();
  const rows = labels.flatMap((label) => {
    const predictions = prediction.filter((_, i) => gold[i] === label);
    return labels.map((other) => {
      const count = predictions.filter((one) => one === other).length;
      return { gold: label, prediction: other, count, share: predictions.length > 0 ? count / predictions.length : 0 };
    });
  });
  return [controls(select('confusion', names, say('arm'))), chart(confusion(rows, { x: say('prediction'), y: say('gold') }))];
}
