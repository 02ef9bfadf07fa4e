// The report: sections that are made anew when a run is chosen, a control turned or the language changed.
const DATA = JSON.parse(document.getElementById('data').textContent);
const ARMS = [...new Set(DATA.runs.map((run) => run.label))];
const chosen = new Set(DATA.runs.map((run) => run.id));
// What the controls stand at; kept over redraws.
const state = { measure: null, axis: 'step', smoothing: 0, band: false, allKeys: false, first: null, second: null, search: '', side: 'better', confusion: null };

const runs = () => DATA.runs.filter((run) => chosen.has(run.id));
const arms = () => ARMS.filter((arm) => runs().some((run) => run.label === arm));
const examplesOf = (arm) => DATA.examples.find((one) => one.label === arm);
const armsWithExamples = () => arms().filter((arm) => examplesOf(arm));

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const number = (value, digits = 5) => value == null ? '' : Number.isInteger(value) ? value.toLocaleString('en-US')
  : Number(value.toPrecision(digits)).toString();
const shown = (value) => value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
const signed = (value) => (value > 0 ? '+' : '') + value.toFixed(2);

function table(head, rows, className = '') {
  return make('div', { class: 'wide' }, make('table', { class: className },
    make('thead', {}, make('tr', {}, ...head.map((cell) => make('th', {}, cell)))),
    make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map((cell) =>
      cell instanceof Node ? cell : make('td', {}, cell)))))));
}

function select(key, values, label = say(key)) {
  const box = make('select', { onchange: () => { state[key] = box.value; render(); } },
    ...values.map((value) => make('option', { value, selected: value === state[key] }, say(value))));
  return make('label', {}, `${label} `, box);
}

function tick(key) {
  const box = make('input', { type: 'checkbox', checked: state[key], onchange: () => { state[key] = box.checked; render(); } });
  return make('label', {}, box, ` ${say(key === 'allKeys' ? 'showAll' : key)}`);
}

const chart = (spec) => {
  const element = make('div', { class: 'chart', style: 'width:100%' });
  queueMicrotask(() => draw(element, spec));
  return element;
};

// --- Comparison ------------------------------------------------------------------------------------

function comparison() {
  const names = [...new Set(runs().flatMap((run) => Object.keys(run.summary)))];
  // The measures first, then whatever else a summary has.
  const first = DATA.measures.filter((name) => names.includes(name));
  const columns = [...first, ...names.filter((name) => !first.includes(name)).sort()];
  const mean = (arm, name) => {
    const values = runs().filter((run) => run.label === arm && run.summary[name] != null).map((run) => run.summary[name]);
    if (values.length === 0) return null;
    const average = values.reduce((a, b) => a + b, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((a, b) => a + (b - average) ** 2, 0) / (values.length - 1));
    return { average, deviation: values.length > 1 ? deviation : null };
  };
  const cell = (figure) => make('td', {}, figure == null ? '' : number(figure.average, 4) +
    (figure.deviation ? ` ± ${number(figure.deviation, 2)}` : ''));
  const rows = arms().map((arm) => [arm, String(runs().filter((run) => run.label === arm).length), ...columns.map((name) => cell(mean(arm, name)))]);
  const parts = [table([say('arm'), say('runs'), ...columns], rows)];
  const differences = DATA.differences.filter((one) => arms().includes(one.arm) && arms().includes(one.baseline));
  if (differences.length > 0)
    parts.push(make('p', {}), table([say('difference'), say('measure'), '', say('interval'), say('examples')],
      differences.flatMap((one) => Object.entries(one.intervals).map(([name, interval]) => [
        `${one.arm} − ${one.baseline}`, name,
        make('td', { class: interval.low > 0 || interval.high < 0 ? 'sure' : '' }, signed(interval.difference)),
        `${signed(interval.low)} … ${signed(interval.high)}`, number(one.examples)]))));
  return parts;
}

// --- Learning curves -------------------------------------------------------------------------------

// Exponential moving average, corrected for its start.
function smoothed(values, weight) {
  let sum = 0, total = 0;
  return values.map((value) => {
    sum = sum * weight + value * (1 - weight);
    total = total * weight + (1 - weight);
    return sum / total;
  });
}

function learningCurves() {
  const names = [...new Set(runs().flatMap((run) => Object.keys(run.metrics)))].sort();
  if (names.length === 0) return [];
  if (!names.includes(state.measure))
    state.measure = DATA.measures.map((name) => `dev/${name}`).find((name) => names.includes(name)) ?? names[0];
  const rows = runs().filter((run) => run.metrics[state.measure]).flatMap((run) => {
    const [steps, values] = run.metrics[state.measure];
    const last = run.summary.steps || Math.max(...Object.values(run.metrics).map(([all]) => all.at(-1) ?? 0), 1);
    const whole = { step: last, epoch: run.epochs, seconds: run.summary.train_seconds,
      tokens: run.summary.tokens_per_second * run.summary.train_seconds }[state.axis];
    if (!whole) return [];
    return smoothed(values, Number(state.smoothing)).map((y, i) => ({ run: run.id, arm: run.label, x: steps[i] / last * whole, y }));
  });
  const slider = make('input', { type: 'range', min: 0, max: 0.98, step: 0.02, value: state.smoothing,
    onchange: () => { state.smoothing = slider.value; render(); } });
  return [
    make('div', { class: 'controls' }, select('measure', names), select('axis', ['step', 'epoch', 'tokens', 'seconds']),
      make('label', {}, `${say('smoothing')} `, slider), tick('band')),
    rows.length > 0 ? chart(curves(ARMS, rows, { x: say(state.axis), y: state.measure, band: state.band })) : null,
  ];
}

// --- Configurations, environment, data ---------------------------------------------------------------

// A row a key, a column an arm or run; what differs is marked.
function keys(columns, valuesOf, all) {
  const names = [...new Set(columns.flatMap((column) => Object.keys(valuesOf(column))))].sort();
  return names.map((name) => ({ name, values: columns.map((column) => shown(valuesOf(column)[name])) }))
    .map((row) => ({ ...row, differs: new Set(row.values).size > 1 })).filter((row) => all || row.differs)
    .map(({ name, values, differs }) => [name, ...values.map((value) => make('td', { class: differs ? 'differs' : '' }, value))]);
}

function configurations() {
  const columns = arms();
  const rows = keys(columns, (arm) => runs().find((run) => run.label === arm).config, state.allKeys);
  return [make('div', { class: 'controls' }, tick('allKeys')), rows.length > 0 ? table([say('key'), ...columns], rows, 'text') : null];
}

function provenance() {
  // Runs made alike share a column.
  const groups = new Map();
  for (const run of runs()) {
    const key = JSON.stringify(run.provenance);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const columns = [...groups.values()];
  const name = (group) => group.length === 1 ? group[0].id : `${group[0].id} + ${group.length - 1}`;
  return [table([say('key'), ...columns.map(name)], keys(columns, (group) => group[0].provenance, true), 'text')];
}

// --- Examples --------------------------------------------------------------------------------------

const measureOf = (examples) => DATA.measures.find((name) => examples.numbers[name]) ?? Object.keys(examples.numbers)[0];

function winsAndLosses() {
  const names = armsWithExamples();
  if (names.length < 2) return [];
  // At first the best against the worst.
  const mean = (arm) => (examplesOf(arm).numbers[measureOf(examplesOf(arm))] ?? []).reduce((x, y, _, all) => x + y / all.length, 0);
  const ranked = [...names].sort((x, y) => mean(y) - mean(x));
  if (!names.includes(state.first)) state.first = ranked[0];
  if (!names.includes(state.second) || state.second === state.first) state.second = ranked.findLast((name) => name !== state.first);
  const a = examplesOf(state.first), b = examplesOf(state.second);
  const measure = DATA.measures.find((name) => a.numbers[name] && b.numbers[name]) ?? measureOf(a);
  if (!measure || !b.numbers[measure]) return [];
  const place = new Map(b.id.map((id, i) => [id, i]));
  const pairs = a.id.map((id, i) => ({ id, i, j: place.get(id) })).filter(({ j }) => j != null)
    .map((pair) => ({ ...pair, by: a.numbers[measure][pair.i] - b.numbers[measure][pair.j] }));
  const better = pairs.filter(({ by }) => by > 0), worse = pairs.filter(({ by }) => by < 0);
  const needle = state.search.toLowerCase();
  const text = (examples, column, i) => examples.texts[column]?.[i] ?? '';
  const list = (state.side === 'worse' ? worse : better)
    .filter(({ id, i, j }) => [id, text(a, 'gold', i), text(a, 'prediction', i), text(b, 'prediction', j)].some((one) => one.toLowerCase().includes(needle)))
    .sort((x, y) => Math.abs(y.by) - Math.abs(x.by)).slice(0, 100);
  const search = make('input', { type: 'search', value: state.search, onchange: () => { state.search = search.value; render(); } });
  const sides = make('select', { onchange: () => { state.side = sides.value; render(); } },
    make('option', { value: 'better', selected: state.side === 'better' }, say('onlyBetter')),
    make('option', { value: 'worse', selected: state.side === 'worse' }, say('onlyWorse')));
  return [
    make('div', { class: 'controls' }, select('first', names), select('second', names), sides, make('label', {}, `${say('search')} `, search)),
    make('p', {}, `${measure}: ${say('better', better.length)}, ${say('worse', worse.length)}, ${say('equal', pairs.length - better.length - worse.length)}`),
    table([say('id'), say('gold'), state.first, state.second, measure], list.map(({ id, i, j }) => [
      id, text(a, 'gold', i), text(a, 'prediction', i), text(b, 'prediction', j),
      `${number(a.numbers[measure][i], 3)} / ${number(b.numbers[measure][j], 3)}`]), 'text'),
  ];
}

function lengths() {
  const edges = [1, 2, 3, 4, 5, 7, 9, 12, 16, 24, Infinity];
  const rows = armsWithExamples().flatMap((arm) => {
    const examples = examplesOf(arm), measure = measureOf(examples);
    if (!measure || !examples.texts.gold) return [];
    return edges.slice(0, -1).map((from, k) => {
      const to = edges[k + 1];
      const scores = examples.texts.gold.map((gold, i) => [[...gold].length, examples.numbers[measure][i]])
        .filter(([length]) => length >= from && length < to).map(([, score]) => score);
      return { arm, bin: to === Infinity ? `${from}+` : to - from === 1 ? `${from}` : `${from}–${to - 1}`, count: scores.length,
        mean: scores.reduce((x, y) => x + y, 0) / scores.length };
    }).filter(({ count }) => count > 0);
  });
  const measures = [...new Set(armsWithExamples().map((arm) => measureOf(examplesOf(arm))))];
  return rows.length > 0 ? [chart(byLength(ARMS, rows, { x: say('characters'), y: measures.join(', ') }))] : [];
}

function calibrations() {
  const rows = armsWithExamples().flatMap((arm) => {
    const { numbers } = examplesOf(arm);
    const right = numbers.exact_match ?? numbers.accuracy ?? numbers.correct;
    if (!numbers.score || !right) return [];
    // Ten bins of as many examples each.
    const order = numbers.score.map((score, i) => [score, right[i]]).sort((x, y) => x[0] - y[0]);
    return Array.from({ length: 10 }, (_, k) => order.slice(Math.floor(k * order.length / 10), Math.floor((k + 1) * order.length / 10)))
      .filter((bin) => bin.length > 0).map((bin) => ({ arm, count: bin.length,
        probability: bin.reduce((sum, [score]) => sum + score, 0) / bin.length, share: bin.reduce((sum, [, one]) => sum + one, 0) / bin.length }));
  });
  return rows.length > 0 ? [chart(calibration(ARMS, rows, { x: say('probability'), y: say('share') }))] : [];
}

function confusions() {
  const isLabelled = (arm) => {
    const { texts } = examplesOf(arm);
    return texts.gold && texts.prediction && new Set([...texts.gold, ...texts.prediction]).size <= 20;
  };
  const names = armsWithExamples().filter(isLabelled);
  if (names.length === 0) return [];
  if (!names.includes(state.confusion)) state.confusion = names.at(-1);
  const { texts } = examplesOf(state.confusion);
  const labels = [...new Set([...texts.gold, ...texts.prediction])].sort();
  const rows = labels.flatMap((gold) => {
    const predictions = texts.prediction.filter((_, i) => texts.gold[i] === gold);
    return labels.map((prediction) => {
      const count = predictions.filter((one) => one === prediction).length;
      return { gold, prediction, count, share: predictions.length > 0 ? count / predictions.length : 0 };
    });
  });
  return [make('div', { class: 'controls' }, select('confusion', names, say('arm'))), chart(confusion(rows, { x: say('prediction'), y: say('gold') }))];
}

// --- The page --------------------------------------------------------------------------------------

const SECTIONS = [['comparison', comparison], ['curves', learningCurves], ['config', configurations], ['wins', winsAndLosses],
  ['length', lengths], ['calibration', calibrations], ['confusion', confusions], ['provenance', provenance]];

function chooser() {
  const toggle = (ids, on) => { for (const id of ids) on ? chosen.add(id) : chosen.delete(id); render(); };
  const all = DATA.runs.map((run) => run.id);
  return [
    make('span', {}, make('button', { type: 'button', onclick: () => toggle(all, true) }, say('all')), ' ',
      make('button', { type: 'button', onclick: () => toggle(all, false) }, say('none'))),
    ...ARMS.map((arm) => make('fieldset', {}, make('legend', {}, make('span', { class: 'swatch', style: `background:${colourOf(ARMS, arm)}` }), arm),
      ...DATA.runs.filter((run) => run.label === arm).map((run) => {
        const box = make('input', { type: 'checkbox', checked: chosen.has(run.id), onchange: () => toggle([run.id], box.checked) });
        return make('label', { title: `${run.id} (${run.status})` }, box, ` ${run.seed}`);
      }))),
  ];
}

function render() {
  document.documentElement.lang = language;
  document.title = `${DATA.title} · minibert`;
  document.querySelector('h1').textContent = `${say('title')}: ${DATA.title}`;
  document.querySelector('.lead').textContent = say('lead', DATA.runs.length, ARMS.length);
  document.getElementById('language').textContent = say('other');
  document.getElementById('runs').replaceChildren(...chooser());
  for (const old of document.querySelectorAll('.chart')) old.view?.finalize();
  document.querySelector('main').replaceChildren(...SECTIONS.map(([key, section]) => {
    const parts = section().filter((part) => part != null);
    return make('section', { id: key }, make('h2', {}, say(key)), WORDS[language][`${key}Why`] ? make('p', { class: 'why' }, say(`${key}Why`)) : null,
      ...(parts.length > 0 ? parts : [make('p', { class: 'empty' }, say('nothing'))]));
  }));
}

document.getElementById('language').addEventListener('click', () => {
  language = language === 'ko' ? 'en' : 'ko';
  render();
});
render();
