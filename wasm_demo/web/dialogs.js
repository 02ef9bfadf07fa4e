// The page's dialogs, as HTML's own <dialog>: the link as a QR code, a word of the user's for a mask, and a line for the
// explanation.
import { MinibertError } from './minibert.js';
import { say } from './say.js';

const QUIET = 4;  // modules of light around a code, as its standard asks

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const percent = (probability) => (probability < 1e-6 ? '< 0.0001 %' : `${Number((100 * probability).toPrecision(3))} %`);
const shown = (piece) => piece.replaceAll('▁', '·');

// A modal dialog that is gone when it is closed; Escape closes it.
function openDialog(title, ...content) {
  const dialog = element('dialog', { className: 'dialog' });
  dialog.setAttribute('aria-label', title);
  const close = element('button', { type: 'button', textContent: say('close') });
  close.addEventListener('click', () => dialog.close());
  dialog.append(element('h2', { textContent: title }), ...content, close);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
  return dialog;
}

// A code's picture; rows: as page_qr_code() gives them.
export function drawCode(rows) {
  const lines = rows.trim().split('\n');
  const size = lines.length + 2 * QUIET;
  let path = '';
  lines.forEach((line, y) => {
    for (const { index, 0: run } of line.matchAll(/1+/g)) path += `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`;
  });
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: 'img', 'shape-rendering': 'crispEdges' }))
    svg.setAttribute(name, value);
  svg.setAttribute('aria-label', say('code'));
  const part = (tag, attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    svg.append(made);
  };
  part('rect', { width: size, height: size, fill: '#fff' });
  part('path', { d: path, fill: '#000' });
  return svg;
}

export function showCode(rows, link) {
  openDialog(say('code'), drawCode(rows), element('a', { href: link, textContent: decodeURI(link), className: 'link' }));
}

// score(word) → { pieces, probability }; insert(word) puts it into the mask.
export function askWord(mask, { score, insert }) {
  const input = element('input', { type: 'text', autocomplete: 'off', id: 'my-word' });
  const button = element('button', { type: 'submit', className: 'primary', textContent: say('insert'), disabled: true });
  const answer = element('div', { className: 'answer' });
  answer.setAttribute('role', 'status');
  const form = element('form', {}, element('label', { htmlFor: input.id, textContent: say('word') }), input, button);
  const dialog = openDialog(say('my-word', { mask: mask + 1 }), form, answer, element('p', { textContent: say('my-word-hint') }));
  let asked = 0;
  input.addEventListener('input', async () => {
    const now = ++asked;
    const text = input.value.trim();
    button.disabled = !text;
    answer.replaceChildren();
    if (!text) return;
    try {
      const { pieces, probability } = await score(text);
      if (now !== asked) return;
      const row = (name, value) => element('tr', {}, element('th', { scope: 'row', textContent: name }),
        element('td', { textContent: value }));
      const place = (piece) => (piece.rank ? `${say('rank', piece)} · ${percent(piece.probability)}` : say('never'));
      const table = element('table', {}, ...pieces.map((piece) => row(shown(piece.piece), place(piece))));
      if (pieces.length > 1) table.append(row(say('whole-word'), percent(probability)));
      answer.replaceChildren(table);
    } catch (error) {
      if (now === asked) answer.textContent = MinibertError.from(error).texts[document.documentElement.lang];
    }
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    insert(input.value.trim());
    dialog.close();
  });
  input.focus();
}

// what: "other" or "guess" (page/host/host.h); give(text) takes the line.
export function askLine(what, now, give) {
  const input = element('input', { type: 'text', autocomplete: 'off', id: 'my-line', value: now });
  const button = element('button', { type: 'submit', className: 'primary', textContent: say('insert') });
  const form = element('form', {}, element('label', { htmlFor: input.id, textContent: say(`line-${what}`) }), input, button);
  const dialog = openDialog(say(`ask-${what}`), form, element('p', { textContent: say(`ask-${what}-hint`) }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close();
    give(input.value);
  });
  input.focus();
}
