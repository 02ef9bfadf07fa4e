// The page's one HTML text element: invisible, at the caret (or shown, where there is no canvas). The
// browser, its input method and a phone's keyboard edit it as any other input; after each event the page
// reads what it holds.
//
// The element always holds the whole sentence, composition included, so that a syllable can be
// neither lost nor doubled when a composition is cut off: there is no second copy of it. Keys that
// belong to a composition (isComposing, keyCode 229) are left to the input method.
//
// Of a text of more than WHOLE characters it holds what is around the selection alone, of a long selection its
// ends: browsers take seconds to lay out an input of a hundred thousand.
import { clean, withoutUnseen } from './link.js';

const MENU_MS = 300;  // in which every browser has opened its menu

const WHOLE = 8000;  // UTF-16 units
const MARGIN = 2000;  // held before and behind the selection, and of its ends where it is long
const EDGE = 500;  // nearer to the end of what is held, more is taken

const isSecond = (text, unit) => (text.charCodeAt(unit) & 0xfc00) === 0xdc00 && (text.charCodeAt(unit - 1) & 0xfc00) === 0xd800;

function toPoints(text, unit) {
  let points = 0;
  for (let at = 0; at < unit; ++at) if (!isSecond(text, at)) ++points;
  return points;
}

function toUnits(text, point) {
  let unit = 0;
  for (let points = 0; unit < text.length && points < point; ++points) unit += isSecond(text, unit + 1) ? 2 : 1;
  return unit;
}

// Not between the two units of one character.
const between = (text, unit) => (isSecond(text, unit) ? unit - 1 : unit);

export class TextAgent {
  // page: { sync(text, anchor, caret, begin, end), key(name, shift, control, alt) → used, insert(text) }
  constructor(element, page) {
    this.element = element;
    this.page = page;
    this.shown = false;
    this.composition = null;  // { begin, length } in UTF-16 units
    this.ignoring = false;
    this.text = '';  // all of it; the element holds [from, open) and [close, to) of it, which are units
    Object.assign(this, { from: 0, open: 0, close: 0, to: 0, low: 0, high: 0 });
    this.changed = -Infinity;  // when it was last typed into, as performance.now()
    const on = (name, handler) => element.addEventListener(name, handler.bind(this));
    on('compositionstart', this.onCompositionStart);
    on('compositionend', this.onCompositionEnd);
    on('input', this.onInput);
    on('keydown', this.onKeyDown);
    on('paste', this.onPaste);
    on('copy', this.onCopy);
    on('cut', this.onCopy);
    on('beforeinput', this.onBeforeInput);
    // A press of the right button here must not change the selection.
    on('mousedown', (event) => { if (event.button === 2) event.preventDefault(); });
    // A phone's selection handles and menus change the selection without a key.
    document.addEventListener('selectionchange', () => {
      if (document.activeElement === element && !this.composition && !this.ignoring) this.send();
    });
  }

  get composing() {
    return this.composition !== null;
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  // As focus(), also where it has the focus already: iOS opens the keyboard only when that changes.
  focusAnew() {
    this.element.blur();
    this.focus();
  }

  // Makes the browser commit a composition now, before something else changes the text.
  finishComposition() {
    if (!this.composing) return;
    this.element.blur();
    this.focus();
  }

  place(x, y, height) {
    if (this.shown) return;
    const { style } = this.element;
    style.left = `${Math.max(0, Math.min(x, innerWidth - 4))}px`;
    style.top = `${Math.max(0, Math.min(y, innerHeight - height))}px`;
    style.height = `${height}px`;
  }

  // Lies under the pointer while the browser opens its menu, so that the menu is this element's: cut, copy,
  // paste.
  offerMenu(x, y) {
    if (this.shown) return;
    const { style } = this.element;
    const before = { left: style.left, top: style.top, width: style.width, height: style.height };
    Object.assign(style, { left: `${x - 10}px`, top: `${y - 10}px`, width: '20px', height: '20px', pointerEvents: 'auto' });
    this.focus();
    setTimeout(() => Object.assign(style, before, { pointerEvents: '' }), MENU_MS);
  }

  // From the page: text and selection in code points.
  set(text, anchor, caret) {
    this.ignoring = true;
    const low = toUnits(text, Math.min(anchor, caret));
    const high = toUnits(text, Math.max(anchor, caret));
    this.hold(text, low, high);
    this.element.setSelectionRange(this.toElement(low), this.toElement(high), caret < anchor ? 'backward' : 'forward');
    // selectionchange comes later, in a task of its own.
    setTimeout(() => { this.ignoring = false; }, 0);
  }

  // Whether what is held of the text is enough around [low, high), and not too much.
  holds(low, high) {
    if (low === this.low && high === this.high) return true;
    return this.open === this.close && this.to - this.from <= WHOLE && high - low <= 2 * MARGIN
      && (this.from === 0 || low - this.from >= EDGE) && (this.to === this.text.length || this.to - high >= EDGE);
  }

  // Puts of the text what is around [low, high) into the element.
  hold(text, low, high) {
    if (text === this.text && this.holds(low, high)) return;
    const all = this.shown || text.length <= WHOLE;
    Object.assign(this, { text, low, high });
    this.from = all ? 0 : between(text, Math.max(0, low - MARGIN));
    this.to = all ? text.length : between(text, Math.min(text.length, high + MARGIN));
    const long = !all && high - low > 2 * MARGIN;
    this.open = long ? between(text, low + MARGIN) : this.to;
    this.close = long ? between(text, high - MARGIN) : this.to;
    const held = text.slice(this.from, this.open) + text.slice(this.close, this.to);
    if (this.element.value !== held) this.element.value = held;
  }

  // Units of the text as units of the element, and back.
  toElement(unit) {
    return Math.min(unit, this.open) - this.from + Math.max(0, unit - this.close);
  }
  toText(unit) {
    const at = this.from + unit;
    return at > this.open ? at + this.close - this.open : at;
  }

  // What was edited in the element, in the text. The middle of a long selection goes with its ends.
  read() {
    const { element: { value }, text } = this;
    const head = text.slice(this.from, this.open);
    const tail = text.slice(this.close, this.to);
    if (value === head + tail) return;
    const behind = text.slice(this.to);
    const kept = this.open < this.close && value.length >= head.length + tail.length && value.startsWith(head) && value.endsWith(tail);
    this.text = text.slice(0, this.from) + (kept ? head + text.slice(this.open, this.close) + value.slice(head.length) : value) + behind;
    this.to = this.text.length - behind.length;
    if (!kept) this.open = this.close = this.to;
  }

  // A keyboard's own clipboard and some input methods bring characters that are not seen. During a composition they
  // stay: to change the element would end it.
  removeUnseen() {
    const { value, selectionStart, selectionEnd, selectionDirection } = this.element;
    if (withoutUnseen(value) === value) return;
    const places = [selectionStart, selectionEnd].map((unit) => withoutUnseen(value.slice(0, unit)).length);
    this.element.value = withoutUnseen(value);
    this.element.setSelectionRange(...places, selectionDirection);
  }

  send() {
    if (!this.composition) this.removeUnseen();
    this.read();
    const { text } = this;
    const { value, selectionStart, selectionEnd, selectionDirection } = this.element;
    // All of what is held, as a phone's menu selects it, is all of the text.
    const all = selectionEnd > 0 && selectionStart === 0 && selectionEnd === value.length;
    const low = all ? 0 : this.toText(selectionStart);
    const high = all ? text.length : this.toText(selectionEnd);
    const [anchor, caret] = (selectionDirection === 'backward' ? [high, low] : [low, high]).map((unit) => toPoints(text, unit));
    const begin = this.composition ? this.toText(this.composition.begin) : 0;
    const end = this.composition ? this.toText(Math.min(value.length, this.composition.begin + this.composition.length)) : 0;
    this.page.sync(text, anchor, caret, toPoints(text, begin), toPoints(text, end));
    if (!this.composition && !this.shown && text === this.text && text.length > WHOLE && !this.holds(low, high)) this.set(text, anchor, caret);
  }

  onCompositionStart() {
    this.composition = { begin: this.element.selectionStart, length: 0 };
  }

  // Here, not at compositionupdate: there the element still holds the text of before.
  onInput(event) {
    this.changed = performance.now();
    if (this.composition && event.isComposing) this.composition.length = (event.data ?? '').length;
    this.send();
  }

  onCompositionEnd() {
    this.composition = null;
    this.send();
  }

  onKeyDown(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key !== 'Tab') this.changed = performance.now();
    const control = event.ctrlKey || event.metaKey;
    // By letter (QWERTZ), of Hangul by place.
    const code = /^\w$/.test(event.key) ? `Key${event.key.toUpperCase()}` : event.code;
    const name = code.startsWith('Key') ? code : event.key;
    if (this.page.key(name, event.shiftKey, control, event.altKey)) event.preventDefault();
  }

  // The browser's own undo history knows nothing of the page's changes.
  onBeforeInput(event) {
    if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return;
    event.preventDefault();
    this.page.key(event.inputType === 'historyUndo' ? 'KeyZ' : 'KeyY', false, true, false);
  }

  // Composed (NFC) and on one line, as an input method would have typed it.
  onPaste(event) {
    const text = event.clipboardData?.getData('text/plain');
    if (!text) return;
    event.preventDefault();
    this.page.insert(clean(text));
  }

  // Of a long selection the element does not hold all.
  onCopy(event) {
    const { element, text } = this;
    if (this.open === this.close || element.selectionStart === element.selectionEnd) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text.slice(this.toText(element.selectionStart), this.toText(element.selectionEnd)));
    if (event.type === 'cut') this.page.insert('');
  }
}
