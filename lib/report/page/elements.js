// The report's elements: tables, controls and charts, and what the controls stand at.

// Kept over redraws; `draw` of report.js makes the page anew after a change.
const state = { axis: 'step', smoothing: 0, band: false, allFigures: false, allKeys: false, first: null, second: null,
  search: '', side: 'better', confusion: null };

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
  : Math.abs(value) >= 1e5 ? Math.round(value).toLocaleString('en-US') : Number(value.toPrecision(digits)).toString();
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (value) => value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

// Cells are texts or elements.
function table(head, rows, className = '') {
  return make('div', { class: 'wide' }, make('table', { class: className },
    make('thead', {}, make('tr', {}, ...head.map((cell) => cell instanceof Node ? cell : make('th', {}, cell)))),
    make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map((cell) =>
      cell instanceof Node ? cell : make('td', {}, cell)))))));
}

function select(key, values, label = say(key), told = say) {
  const box = make('select', { name: key, onchange: () => { state[key] = box.value; redraw(); } },
    ...values.map((value) => make('option', { value, selected: value === state[key] }, told(value))));
  return make('label', {}, `${label} `, box);
}

function tick(key) {
  const box = make('input', { type: 'checkbox', name: key, checked: state[key], onchange: () => { state[key] = box.checked; redraw(); } });
  return make('label', {}, box, ` ${say(key)}`);
}

const controls = (...children) => make('div', { class: 'controls' }, ...children);

// Drawn once it is in the page, because a chart is as wide as its place.
function chart(spec) {
  const element = make('div', { class: 'chart' });
  queueMicrotask(() => draw(element, spec));
  return element;
}
