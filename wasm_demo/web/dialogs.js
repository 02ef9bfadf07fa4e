// The page's two dialogs, as HTML's own <dialog>: the link as a QR code, and a word of the user's for a mask.
import { MinibertError } from './errors.js';

const WORDS = {
  ko: {
    close: '닫기', code: '이 페이지의 QR 코드', title: (mask) => `빈칸 ${mask}에 내 낱말`, word: '낱말', insert: '넣기',
    rank: (rank) => `${rank}위`, never: '이 자리에 올 수 없음', total: '낱말 전체',
    hint: '모델이 그 자리에서 이 낱말을 몇 번째로, 얼마나 가능하다고 보는지 나옵니다.',
  },
  en: {
    close: 'Close', code: 'QR code of this page', title: (mask) => `My word for mask ${mask}`, word: 'Word', insert: 'Put it in',
    rank: (rank) => `rank ${rank}`, never: 'never fits here', total: 'The whole word',
    hint: 'How probable the model finds the word there, and how many it finds more probable.',
  },
};
const words = () => WORDS[document.documentElement.lang] ?? WORDS.ko;
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
  const close = element('button', { type: 'button', textContent: words().close });
  close.addEventListener('click', () => dialog.close());
  dialog.append(element('h2', { textContent: title }), ...content, close);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// rows: as page/drawing/qr_code.h gives them.
export function showCode(rows, link) {
  const lines = rows.trim().split('\n');
  const size = lines.length + 2 * QUIET;
  let path = '';
  lines.forEach((line, y) => {
    for (const { index, 0: run } of line.matchAll(/1+/g)) path += `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`;
  });
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: 'img', 'shape-rendering': 'crispEdges' }))
    svg.setAttribute(name, value);
  svg.setAttribute('aria-label', words().code);
  svg.innerHTML = `<rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/>`;
  openDialog(words().code, svg, element('a', { href: link, textContent: decodeURI(link), className: 'link' }));
}

// score(word) → { pieces, probability }; insert(word) puts it into the mask.
export function askWord(mask, { score, insert }) {
  const { title, word, hint, rank, never, total, insert: put } = words();
  const input = element('input', { type: 'text', autocomplete: 'off', id: 'my-word' });
  const button = element('button', { type: 'submit', textContent: put, disabled: true });
  const answer = element('div', { className: 'answer' });
  answer.setAttribute('role', 'status');
  const form = element('form', {}, element('label', { htmlFor: input.id, textContent: word }), input, button);
  const dialog = openDialog(title(mask + 1), form, answer, element('p', { textContent: hint }));
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
      const place = (piece) => (piece.rank ? `${rank(piece.rank)} · ${percent(piece.probability)}` : never);
      const table = element('table', {}, ...pieces.map((piece) => row(shown(piece.piece), place(piece))));
      if (pieces.length > 1) table.append(row(total, percent(probability)));
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
