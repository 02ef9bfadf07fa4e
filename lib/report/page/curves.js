// Section of the report about learning curves: along steps, epochs, tokens, seconds or operations, a line a run or a band an arm.

const MOST_CHARTS = 4;

// Exponential moving average, corrected for its start.
function smoothed(values, weight) {
  let sum = 0, total = 0;
  return values.map((value) => {
    if (value == null) return null;
    sum = sum * weight + value * (1 - weight);
    total = total * weight + (1 - weight);
    return sum / total;
  });
}

// Names of curves: those of runs, and of what is measured on both splits one curve of both, as "train+dev/loss".
const BOTH = 'train+dev/';
function curveNames() {
  const names = [...new Set(runs().flatMap((run) => Object.keys(run.metrics)))].sort();
  const both = names.filter((name) => name.startsWith('train/') && names.includes(name.replace('train/', 'dev/')));
  return [...both.map((name) => name.replace('train/', BOTH)), ...names];
}

// The four that tell most, of those that runs have.
function firstCurves(names) {
  const measures = DATA.measures.filter(({ better }) => better !== 0).map(({ name }) => `dev/${name}`);
  const wanted = [names.includes(`${BOTH}loss`) ? `${BOTH}loss` : 'train/loss', ...measures.slice().filter((name) => names.includes(name)).slice(0, 1), ...names.filter((name) => name.startsWith(BOTH) && name.endsWith('accuracy')),
    'train/learning_rate',
    'train/tokens_per_second', ...measures, 'dev/loss', ...names];
  return [...new Set(wanted)].filter((name) => names.includes(name)).slice(0, MOST_CHARTS);
}

// The value at x of a curve with the knots [[x, …], [y, …]]: straight between them, and beyond the last as before it.
function between([xs, ys], x) {
  let low = 0, high = xs.length - 1;
  if (high === 0) return ys[0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle; else high = middle;
  }
  return ys[low] + (ys[high] - ys[low]) * (x - xs[low]) / (xs[high] - xs[low]);
}

// Where a step of a run stands on the chosen axis; null where its record does not tell.
function placeOf(run) {
  if (state.axis === 'step') return (step) => step;
  const knots = run.axes[state.axis];
  return knots ? (step) => between(knots, step) : null;
}

// { run, place, steps, values } of one metric: what is there of it, smoothed.
const seriesOf = (name) => runs().filter((run) => run.metrics[name] && placeOf(run)).map((run) => {
  const [steps, values] = run.metrics[name];
  const there = smoothed(values, Number(state.smoothing)).map((value, i) => [steps[i], value]).filter(([, value]) => value != null);
  return { run, place: placeOf(run), steps: there.map(([step]) => step), values: there.map(([, value]) => value) };
}).filter(({ steps }) => steps.length > 0);

// { run, arm, split, x, y }: a line a run.
const curveRows = (name) => name.startsWith(BOTH)
  ? ['train', 'dev'].flatMap((split) => splitRows(`${split}/${name.slice(BOTH.length)}`).map((row) => ({ ...row, split })))
  : splitRows(name);
const splitRows = (name) => seriesOf(name).flatMap(({ run, place, steps, values }) =>
  values.map((y, i) => ({ run: run.id, arm: run.label, x: place(steps[i]), y })));

// { arm, x, y, low, high }: the mean of an arm's runs with the least and the largest. Runs meet at their
// steps, because a second or a token of one is not where another has a value, and stand where they do on
// average. One that ended earlier has no part in later ones.
function bandRows(name) {
  if (name.startsWith(BOTH))
    return ['train', 'dev'].flatMap((split) => bandRows(`${split}/${name.slice(BOTH.length)}`).map((row) => ({ ...row, split })));
  const all = seriesOf(name);
  return arms().flatMap((arm) => {
    const seeds = all.filter(({ run }) => run.label === arm);
    const grid = [...new Set(seeds.flatMap(({ steps }) => steps))].sort((a, b) => a - b);
    return grid.map((step) => {
      const values = seeds.filter(({ steps }) => steps[0] <= step && step <= steps.at(-1))
        .map(({ steps, values: own }) => between([steps, own], step));
      return { arm, x: mean(seeds.map(({ place }) => place(step))), y: mean(values), low: Math.min(...values), high: Math.max(...values) };
    });
  });
}

// "dev/exact_match (EM)": a curve's name, with its heading in tables where that says something else.
function toldCurve(name) {
  const figure = name.slice(name.indexOf('/') + 1);
  const heading = DATA.measures.find((measure) => measure.name === figure)?.heading ?? figure;
  return heading.toLowerCase().replace(/[ -]/g, '_') === figure ? name : `${name} (${headed(heading)})`;
}

function learningCurves() {
  const names = curveNames();
  if (names.length === 0) return [];
  const standing = firstCurves(names);
  const charts = standing.map((name, i) => {
    const key = `curve${i}`;
    if (!names.includes(state[key])) state[key] = name;
    const rows = state.band ? bandRows(state[key]) : curveRows(state[key]);
    return make('div', {}, select(key, names, '', toldCurve),
      rows.length > 0 ? chart(curves(rows, { x: say(state.axis), y: toldCurve(state[key]), band: state.band })) : make('p', { class: 'empty' }, say('nothing')));
  });
  const slider = make('input', { type: 'range', name: 'smoothing', min: 0, max: 0.98, step: 0.02, value: state.smoothing,
    onchange: () => { state.smoothing = slider.value; redraw(); } });
  return [
    controls(select('axis', ['step', 'epoch', 'tokens', 'seconds', 'flops']), make('label', {}, `${say('smoothing')} `, slider), tick('band')),
    make('div', { class: 'grid' }, ...charts),
  ];
}
