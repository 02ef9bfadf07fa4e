// The report: unpacks its data and shows the sections, anew after each choice.
let DATA = null;
let ARMS = [];
const chosen = new Set();

const runs = () => DATA.runs.filter((run) => chosen.has(run.id));
const arms = () => ARMS.filter((arm) => runs().some((run) => run.label === arm));

// Questions that unfold, each with its sections.
const QUESTIONS = [
  ['howSure', [['comparison', comparison]]],
  ['howLearnt', [['curves', learningCurves], ['atEqual', atEqual]]],
  ['whichOnly', [['wins', winsAndLosses], ['length', lengths], ['calibration', calibrations], ['confusion', confusions]]],
  ['whatDiffered', [['config', configurations]]],
  ['whereMade', [['provenance', provenance], ['warnings', warnings]]],
];
const unfolded = new Set();

const sectionOf = (key, parts) => make('section', { id: key }, make('h2', {}, say(key)),
  WORDS[language][`${key}Why`] ? make('p', { class: 'why' }, say(`${key}Why`)) : null, ...parts);

function clear(element) {
  for (const old of element.querySelectorAll('.chart')) old.view?.finalize();
  element.replaceChildren();
}

// What stands under a question is made when it unfolds.
function question(key, sections) {
  const content = make('div');
  const fill = () => {
    clear(content);
    if (!unfolded.has(key)) return;
    const there = sections.map(([name, section]) => [name, section().filter((part) => part != null)]).filter(([, parts]) => parts.length > 0);
    content.replaceChildren(...there.map(([name, parts]) => sectionOf(name, parts)));
    if (there.length === 0) content.replaceChildren(make('p', { class: 'empty' }, say('nothing')));
  };
  const details = make('details', { id: key, open: unfolded.has(key), ontoggle: () => {
    if (details.open === unfolded.has(key)) return;
    details.open ? unfolded.add(key) : unfolded.delete(key);
    fill();
  } }, make('summary', {}, say(key)), content);
  fill();
  return details;
}

// JSON, gzip, base64.
async function unpacked(text) {
  const characters = atob(text), packed = new Uint8Array(characters.length);
  for (let i = 0; i < packed.length; ++i) packed[i] = characters.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

function chooser() {
  const toggle = (ids, on) => { for (const id of ids) on ? chosen.add(id) : chosen.delete(id); redraw(); };
  const all = DATA.runs.map((run) => run.id);
  return [
    make('span', {}, make('button', { type: 'button', onclick: () => toggle(all, true) }, say('all')), ' ',
      make('button', { type: 'button', onclick: () => toggle(all, false) }, say('none'))),
    ...ARMS.map((arm) => make('fieldset', {}, make('legend', {}, make('span', { class: 'swatch', style: `background:${colourOf(arm)}` }), arm),
      ...DATA.runs.filter((run) => run.label === arm).map((run) => {
        const box = make('input', { type: 'checkbox', checked: chosen.has(run.id), onchange: () => toggle([run.id], box.checked) });
        return make('label', { title: `${run.id} (${run.status})` }, box, ` ${run.seed}${run.status === 'finished' ? '' : ` (${say(run.status)})`}`);
      }))),
  ];
}

function redraw() {
  madeExamples.clear();
  document.documentElement.lang = language;
  document.title = `${DATA.title} · minibert`;
  document.querySelector('h1').textContent = `${say('title')}: ${DATA.title}`;
  document.querySelector('.lead').textContent = say('lead', DATA.runs.length, ARMS.length);
  document.getElementById('language').textContent = say('other');
  document.getElementById('runs').replaceChildren(...chooser());
  const main = document.querySelector('main');
  clear(main);
  main.replaceChildren(sectionOf('arms', bestArms()), ...QUESTIONS.map(([key, sections]) => question(key, sections)));
}

document.getElementById('language').addEventListener('click', () => {
  language = language === 'ko' ? 'en' : 'ko';
  redraw();
});

unpacked(document.getElementById('data').textContent).then((data) => {
  DATA = data;
  if (DATA.language) language = DATA.language;
  ARMS = [...new Set(DATA.runs.map((run) => run.label))];
  for (const run of DATA.runs) chosen.add(run.id);
  redraw();
});
