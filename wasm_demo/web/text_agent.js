// The page's one HTML text element: invisible, at the caret (or shown, where there is no canvas). The
// browser, its input method and a phone's keyboard edit it as any other input; after each event the page
// reads what it holds.
//
// The element always holds the whole sentence, composition included, so that a syllable can be
// neither lost nor doubled when a composition is cut off: there is no second copy of it. Keys that
// belong to a composition (isComposing, keyCode 229) are left to the input method.
import { clean } from './link.js';

const MENU_MS = 300;  // in which every browser has opened its menu

const toPoints = (text, unit) => [...text.slice(0, unit)].length;
const toUnits = (text, point) => [...text].slice(0, point).join('').length;

export class TextAgent {
  // page: { sync(text, anchor, caret, begin, end), key(name, shift, control, alt) → used, insert(text) }
  constructor(element, page) {
    this.element = element;
    this.page = page;
    this.shown = false;
    this.composition = null;  // { begin, length } in UTF-16 units
    this.ignoring = false;
    this.changed = -Infinity;  // when it was last typed into, as performance.now()
    const on = (name, handler) => element.addEventListener(name, handler.bind(this));
    on('compositionstart', this.onCompositionStart);
    on('compositionend', this.onCompositionEnd);
    on('input', this.onInput);
    on('keydown', this.onKeyDown);
    on('paste', this.onPaste);
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
    const { element } = this;
    this.ignoring = true;
    if (element.value !== text) element.value = text;
    const low = toUnits(text, Math.min(anchor, caret));
    const high = toUnits(text, Math.max(anchor, caret));
    element.setSelectionRange(low, high, caret < anchor ? 'backward' : 'forward');
    // selectionchange comes later, in a task of its own.
    setTimeout(() => { this.ignoring = false; }, 0);
  }

  send() {
    const { value, selectionStart, selectionEnd, selectionDirection } = this.element;
    const backward = selectionDirection === 'backward';
    const begin = this.composition ? this.composition.begin : 0;
    const end = this.composition ? Math.min(value.length, begin + this.composition.length) : 0;
    this.page.sync(value, toPoints(value, backward ? selectionEnd : selectionStart),
      toPoints(value, backward ? selectionStart : selectionEnd), toPoints(value, begin), toPoints(value, end));
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
    const name = event.code.startsWith('Key') ? event.code : event.key;
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
}
