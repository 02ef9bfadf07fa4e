// Sections of the report about runs: comparison, settings, where runs were made.

const DIGITS = 4;

function measuresOf(names) {
  const known = DATA.measures.filter(({ name }) => names.includes(name));
  const rest = names.filter((name) => !known.some((measure) => measure.name === name)).sort();
  return [...known, ...rest.map((name) => ({ name, heading: name, decimals: null, better: 0, in_table: false }))];
}

const figure = (value, { decimals }) => value == null ? '' : decimals == null ? number(value, DIGITS)
  : decimals < 0 ? Math.round(value).toLocaleString('en-US') : value.toFixed(decimals);

function overRuns(arm, name) {
  const values = runs().filter((run) => run.label === arm && run.summary[name] != null).map((run) => run.summary[name]);
  if (values.length === 0) return null;
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1));
  return { mean, deviation: values.length > 1 ? deviation : null };
}

// The first measure that arms have intervals of, else the first that can be better and that runs have.
function mainMeasure() {
  const shown = DATA.measures.filter(({ in_table, better }) => in_table && better !== 0);
  return shown.find(({ name }) => DATA.arms.some(({ arm, intervals }) => arms().includes(arm) && intervals[name]))
    ?? shown.find(({ name }) => runs().some(({ summary }) => summary[name] != null));
}

// A chart of the arms with their intervals, floors as lines, and what the runs say to the experiment's questions.
function bestArms() {
  const measure = mainMeasure();
  if (measure == null) return [make('p', { class: 'empty' }, say('nothing'))];
  const rows = arms().map((arm) => {
    const told = DATA.arms.find((one) => one.arm === arm);
    return { arm, ...told?.intervals[measure.name], value: overRuns(arm, measure.name)?.mean, floor: told?.floor ?? false };
  }).filter(({ value }) => value != null).map((row) => ({ ...row, shown: figure(row.value, measure) }));
  const learning = rows.filter(({ floor }) => !floor).sort((a, b) => (b.value - a.value) * measure.better);
  const floors = rows.filter(({ floor }) => floor);
  const answers = DATA.answers.filter(({ arm, baseline }) => arms().includes(arm) && arms().includes(baseline));
  const sentence = (one) => language === 'ko' ? one.korean : one.text;
  return [
    rows.length > 0 ? chart(armsChart(learning, floors, { x: `${headed(measure.heading)} (${say('interval')})` })) : null,
    floors.length > 0 ? make('p', { class: 'why' }, say('floors', floors.map(({ arm, shown: value }) => `${arm} ${value}`).join(', '))) : null,
    answers.length > 0 ? make('ul', { class: 'answers' }, ...answers.map((one) => make('li', {}, sentence(one)))) : null,
  ];
}

function comparison() {
  if (arms().length === 0) return [];
  const all = measuresOf([...new Set(runs().flatMap((run) => Object.keys(run.summary)))]);
  const columns = all.filter((measure) => state.allFigures || measure.in_table);
  const figures = new Map(columns.map((measure) => [measure, arms().map((arm) => overRuns(arm, measure.name))]));
  const best = (measure) => {
    const means = figures.get(measure).filter((one) => one != null).map(({ mean }) => mean * measure.better);
    return measure.better !== 0 && means.length > 1 ? Math.max(...means) : null;
  };
  const cell = (measure, one) => make('td', { class: one != null && one.mean * measure.better === best(measure) ? 'best' : '' },
    one == null ? '' : figure(one.mean, measure) + (!one.deviation ? '' : ` ± ${figure(one.deviation, measure)}`));
  const rows = arms().map((arm, i) => [arm, String(runs().filter((run) => run.label === arm).length),
    ...columns.map((measure) => cell(measure, figures.get(measure)[i]))]);
  return [controls(tick('allFigures')), table([say('arm'), say('runs'), ...columns.map(({ heading }) => headed(heading))], rows), ...differences()];
}

// `difference` of every two arms that are chosen, each in its measures.
function differences() {
  const pairs = DATA.differences.filter((one) => arms().includes(one.arm) && arms().includes(one.baseline));
  const headings = new Map(DATA.measures.map((measure) => [measure.name, measure]));
  const probability = (p) => p == null ? '' : p < 0.0005 ? '< 0.001' : p > 0.9995 ? '> 0.999' : p.toFixed(3);
  const row = (one, name, { difference, low, high, p, higher }) => {
    const measure = headings.get(name);
    const signed = (value) => value == null ? '' : (value > 0 ? '+' : value < 0 ? '−' : '') + figure(Math.abs(value), measure);
    const alone = low > 0 || high < 0, sure = p != null && p < 0.05;
    const verdict = !one.runs_measured ? 'clustersAlone' : p == null ? 'notAsked' : sure ? 'sure' : alone ? 'sureAlone' : 'unsure';
    return [`${one.arm} − ${one.baseline}`, headed(measure.heading), make('td', { class: sure ? 'best' : '' }, signed(difference)),
      low == null ? '' : `${signed(low)} … ${signed(high)}`, probability(p), say(verdict),
      probability(higher == null ? null : measure.better < 0 ? 1 - higher : higher),
      number(one.examples) + (one.clusters > 0 ? ` (${say('clusters', one.clusters)})` : '')];
  };
  const rows = pairs.flatMap((one) => Object.entries(one.intervals)
    .filter(([name]) => headings.get(name)?.in_table || state.allFigures).map(([name, interval]) => row(one, name, interval)));
  return rows.length > 0 ? [table([say('difference'), say('measure'), '', say('interval'), say('holm'), '', say('runBetter'), say('examples')], rows, 'differences')] : [];
}

// Arms where all had spent the same, by the dev figures that tables show.
function atEqual() {
  const short = (value) => value >= 1e9 ? value.toExponential(3) : number(value, DIGITS);
  const budgets = Object.keys(DATA.equal).filter((budget) => DATA.equal[budget].length > 0);
  if (budgets.length === 0) return [];
  if (!budgets.includes(state.budget)) state.budget = budgets[0];
  return [controls(select('budget', budgets)), ...DATA.equal[state.budget].flatMap(({ limit, limit_of, arms: rows, notes }) => {
    const columns = measuresOf([...new Set(rows.flatMap((row) => Object.keys(row.figures)))]).filter((measure) => state.allFigures || measure.in_table);
    const steps = (all) => [...new Set([Math.min(...all), Math.max(...all)])].map((one) => number(one)).join('–');
    return [make('p', { class: 'why' }, say('limit', short(limit), say(state.budget), limit_of)),
      table([say('arm'), say('runs'), say('step'), say(state.budget), say('ofAll'), ...columns.map(({ heading }) => headed(heading))],
        rows.map((row) => [row.arm, String(row.runs), steps(row.steps), short(row.spent), short(row.total),
          ...columns.map((measure) => figure(row.figures[measure.name], measure))]), 'equal'),
      ...(notes.length > 0 ? [make('ul', {}, ...notes.map((line) => make('li', {}, line)))] : [])];
  })];
}

function warnings() {
  return DATA.warnings.length > 0 ? [make('ul', {}, ...DATA.warnings.map((line) => make('li', {}, line)))] : [];
}

// A row a key, a column an arm or run; what differs is marked.
function keys(columns, valuesOf, all) {
  const names = [...new Set(columns.flatMap((column) => Object.keys(valuesOf(column))))].sort();
  return names.map((name) => ({ name, values: columns.map((column) => shown(valuesOf(column)[name])) }))
    .map((row) => ({ ...row, differs: new Set(row.values).size > 1 })).filter((row) => all || row.differs)
    .map(({ name, values, differs }) => [name, ...values.map((value) => make('td', { class: differs ? 'differs' : '' }, value))]);
}

function configurations() {
  const columns = arms();
  if (columns.length === 0) return [];
  const rows = keys(columns, (arm) => runs().find((run) => run.label === arm).config, state.allKeys);
  return [controls(tick('allKeys')), rows.length > 0 ? table([say('key'), ...columns], rows, 'text') : make('p', { class: 'empty' }, say('alike'))];
}

function provenance() {
  // Runs made alike share a column.
  const groups = new Map();
  for (const run of runs()) {
    const key = JSON.stringify(run.provenance);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const columns = [...groups.values()];
  if (columns.length === 0) return [];
  const name = (group) => group.map(({ id }) => id).join(', ');
  return [table([say('key'), ...columns.map((group) => make('th', { class: 'names' }, name(group)))],
    keys(columns, (group) => group[0].provenance, true), 'text')];
}
