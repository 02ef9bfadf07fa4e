// Vega-Lite charts of the report: each function makes a specification from plain rows.
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7a5195', '#5a6675', '#8c510a', '#01665e'];
const FONT = '"Nanum Gothic", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", system-ui, sans-serif';

// An arm keeps its colour when others are filtered.
const colourOf = (arm) => COLOURS[ARMS.indexOf(arm) % COLOURS.length];
const CELL_HEIGHT = 28;
const MOST_POINTS = 400;  // that are drawn as points on lines

// A specification with what all share.
function specification(rest) {
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    width: 'container', height: 240, background: null,
    config: { font: FONT, axis: { labelFontSize: 12, titleFontSize: 12, gridColor: '#eceff3' }, legend: { labelFontSize: 12, title: null },
      view: { stroke: null } },
    ...rest,
  };
}

const armColour = () => ({ field: 'arm', type: 'nominal', scale: { domain: ARMS, range: ARMS.map(colourOf) }, legend: null });

// learning, floors: { arm, value, shown, low, high }, best first; floors are lines, named above the arms.
function armsChart(learning, floors, { x }) {
  const place = { field: 'arm', type: 'nominal', sort: learning.map(({ arm }) => arm), title: null, axis: { labelLimit: 170, labelFontSize: 13, ticks: false, domain: false } };
  const value = (field) => ({ field, type: 'quantitative', title: x, scale: { zero: true } });
  const tooltip = ['arm', 'shown', 'low', 'high'].map((field) => ({ field, title: say(field) }));
  return specification({ height: Math.max(90, 34 * learning.length), layer: [
    { data: { values: floors }, mark: { type: 'rule', strokeDash: [5, 4], color: '#8a96a3', strokeWidth: 1.5 }, encoding: { x: value('value'), tooltip } },
    ...floors.map((floor, line) => ({ data: { values: [floor] }, mark: { type: 'text', baseline: 'bottom', color: '#5a6675' },
      encoding: { x: value('value'), y: { value: -3 - 14 * line }, text: { field: 'arm' } } })),
    { data: { values: learning }, mark: { type: 'rule', strokeWidth: 3, opacity: 0.45 }, encoding: { x: value('low'), x2: { field: 'high' }, y: place, color: armColour(), tooltip } },
    { data: { values: learning }, mark: { type: 'point', filled: true, size: 90, opacity: 1 }, encoding: { x: value('value'), y: place, color: armColour(), tooltip } },
    { data: { values: learning }, mark: { type: 'text', dy: -12, fontSize: 12 }, encoding: { x: value('value'), y: place, text: { field: 'shown' } } },
  ] });
}

// rows: { run, arm, x, y }, a line a run; as a band { arm, x, y, low, high }, the mean between least and largest.
function curves(rows, { x, y, band }) {
  const xAxis = { field: 'x', type: 'quantitative', title: x, axis: { format: '~s' } };
  const yAxis = { type: 'quantitative', title: y, scale: { zero: false } };
  const tooltip = [{ field: 'arm', title: say('arm') }, { field: 'run', title: say('run') }, { field: 'x', title: x, format: '.6~g' }, { field: 'y', title: y, format: '.5~g' }];
  // Of both splits, training is dashed. Points are a layer of their own: as a part of the line they hide the legend's strokes.
  const split = rows.some((row) => row.split) ? { strokeDash: { field: 'split', type: 'nominal', sort: ['dev', 'train'], legend: { orient: 'top', symbolType: 'stroke', symbolSize: 400 } } } : {};
  const drawn = (encoding) => [
    { mark: { type: 'line', strokeWidth: 1.7 }, encoding: { ...encoding, ...split } },
    ...(rows.length <= MOST_POINTS ? [{ mark: { type: 'point', filled: true, size: 18, opacity: 1 }, encoding }] : []),
  ];
  const both = { data: { values: rows }, encoding: { x: xAxis, color: armColour() } };
  if (!band) return specification({ ...both, layer: drawn({ y: { ...yAxis, field: 'y' }, detail: { field: 'run' }, tooltip }) });
  return specification({ ...both, layer: [
    { mark: { type: 'area', opacity: 0.2 }, encoding: { y: { ...yAxis, field: 'low' }, y2: { field: 'high' }, ...(split.strokeDash && { detail: { field: 'split' } }) } },
    ...drawn({ y: { ...yAxis, field: 'y' }, tooltip: tooltip.filter(({ field }) => field !== 'run') }),
  ] });
}

// rows: { arm, bin, mean, count }.
function byLength(rows, { x, y }) {
  return specification({ data: { values: rows }, mark: { type: 'line', point: { filled: true, size: 40 } },
    encoding: { x: { field: 'bin', type: 'ordinal', sort: null, title: x, axis: { labelAngle: 0 } }, y: { field: 'mean', type: 'quantitative', title: y },
      color: armColour(), tooltip: [{ field: 'arm', title: say('arm') }, { field: 'bin', title: x }, { field: 'mean', title: y, format: '.3f' }, { field: 'count', title: say('count') }] } });
}

// rows: { arm, probability, share, count }.
function calibration(rows, { x, y }) {
  const scale = { domain: [0, 1] };
  return specification({ layer: [
    { data: { values: [{ a: 0 }, { a: 1 }] }, mark: { type: 'line', strokeDash: [4, 4], color: '#8a96a3' },
      encoding: { x: { field: 'a', type: 'quantitative', title: x, scale }, y: { field: 'a', type: 'quantitative', title: y, scale } } },
    { data: { values: rows }, mark: { type: 'line', strokeWidth: 1.6, point: { filled: true } },
      encoding: { x: { field: 'probability', type: 'quantitative', title: x, scale }, y: { field: 'share', type: 'quantitative', title: y, scale },
        color: armColour(),
        tooltip: [{ field: 'arm', title: say('arm') }, { field: 'probability', title: x, format: '.3f' }, { field: 'share', title: y, format: '.3f' }, { field: 'count', title: say('count') }] } },
  ] });
}

// rows: { gold, prediction, count, share }: share of the gold label's row.
function confusion(rows, { x, y }) {
  const cell = { x: { field: 'prediction', type: 'nominal', title: x, axis: { orient: 'top', labelAngle: 0 } }, y: { field: 'gold', type: 'nominal', title: y } };
  return specification({ data: { values: rows }, height: CELL_HEIGHT * new Set(rows.map(({ gold }) => gold)).size, encoding: cell, layer: [
    { mark: 'rect', encoding: { color: { field: 'share', type: 'quantitative', scale: { scheme: 'blues', domain: [0, 1] }, legend: null } } },
    { mark: 'text', encoding: { text: { field: 'count', type: 'quantitative' }, color: { condition: { test: 'datum.share > 0.5', value: '#fff' }, value: '#1d2733' } } },
  ] });
}

// Draws into an element; what was there before is ended first.
function draw(element, spec) {
  element.view?.finalize();
  if (!element.isConnected) return;  // the page was made anew meanwhile
  element.view = new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: 'svg', container: element, hover: true });
  element.view.runAsync();
}
