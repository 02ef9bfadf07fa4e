// The page's text fields: a real <textarea> for each, over the canvas and in its font. All of editing is the browser's;
// after each event the page reads what the element holds. Edits of the page go through the browser's own editing, so
// that its undo takes them back.
//
// Marks and blanks are painted by two copies of the text that break its lines alike: one behind the textarea, with a
// ground under each part, one before it, where a blank shows its best guess. They are told as places [begin, end) in
// UTF-16 units: [begin, end, ground, line, label, here].
import { clean, withoutUnseen } from './link.js';

const MASK = '[MASK]';
const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

class Field {
  constructor(name, owner) {
    Object.assign(this, { name, owner, height: 0, masks: [], shown: '', here: -1, composing: false });
    this.behind = element('div', { ariaHidden: 'true' });
    this.before = element('div', { ariaHidden: 'true' });
    this.area = element('textarea', { autocapitalize: 'off', autocomplete: 'off', rows: 1 });
    this.outer = element('div', { className: 'field' }, this.behind, this.area, this.before);
    const on = (event, handler) => this.area.addEventListener(event, handler.bind(this));
    on('input', (event) => {
      owner.changed = performance.now();
      if (!event.isComposing) this.removeUnseen();
      this.send(!event.isComposing && !event.inputType?.startsWith('history'));
    });
    on('compositionstart', () => { this.composing = true; });
    on('compositionend', () => {
      this.composing = false;
      this.removeUnseen();
      this.send(true);
    });
    on('scroll', this.follow);
    on('focus', () => {
      owner.choose(this);
      this.send(false);
    });
    on('keydown', this.onKeyDown);
    on('beforeinput', this.onBeforeInput);
    on('paste', this.onPaste);
    let y = 0;
    on('touchstart', ({ touches: [touch] }) => { y = touch.clientY; });
    on('touchmove', ({ touches: [touch] }) => {
      if (!this.scrolls(y - touch.clientY)) owner.page.wheel(y - touch.clientY);
      y = touch.clientY;
    });
  }

  // Shows what the page tells of it: { text, opened, placeholder, most, masks, lines, size, marks }.
  show(json) {
    if (json === this.shown) return;
    this.shown = json;
    const { text, opened, placeholder, most, masks, lines, size, marks } = JSON.parse(json);
    const { area } = this;
    if (area.value !== text) area.value = text;  // a new document
    Object.assign(area, { placeholder, maxLength: most, enterKeyHint: lines ? 'enter' : 'done' });
    this.outer.style.fontSize = `${size}px`;
    Object.assign(this, { hasMasks: masks, lines, opened });
    const layers = [[], []];
    let at = 0;
    for (const [begin, end, ground, line, label] of marks) {
      if (begin < at) continue;
      const part = text.slice(begin, end);
      const marked = element('mark', { textContent: part });
      Object.assign(marked.style, masks ? { background: ground, boxShadow: `inset 0 0 0 1.5px ${line}` } : { background: ground, borderBottomColor: line });
      const named = element('mark', { textContent: part });
      if (label) {
        named.append(element('b', { textContent: label }));
        Object.assign(named.lastChild.style, { background: ground, color: line, fontSize: `${Math.min(1, 3.6 / [...label].length)}em` });
      }
      layers[0].push(text.slice(at, begin), marked);
      layers[1].push(text.slice(at, begin), named);
      at = end;
    }
    for (const [i, layer] of [this.behind, this.before].entries()) layer.replaceChildren(...layers[i], `${text.slice(at) || (text ? '' : placeholder)}\u200B`);
    const here = marks.findIndex((mark) => mark[5]);
    const begin = here < 0 ? -1 : marks[here][0];
    if (begin !== this.here && begin >= 0) this.reveal(this.behind.querySelectorAll('mark')[here]);
    this.here = begin;
  }

  // Tells the page how high the text is.
  measure() {
    const height = this.behind.offsetHeight;
    if (height === this.height) return;
    this.height = height;
    this.owner.page.height(this.name, height);
  }

  // A third of the field above it, so that what leads to it is read, too.
  reveal(mark) {
    const { area } = this;
    const top = mark?.offsetTop ?? 0;
    if (top < area.scrollTop || top + 40 > area.scrollTop + area.clientHeight) area.scrollTop = top - area.clientHeight / 3;
  }
  follow() {
    for (const layer of [this.behind, this.before]) layer.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }
  // Whether the field itself can scroll so far down.
  scrolls(distance) {
    const { scrollTop, scrollHeight, clientHeight } = this.area;
    return distance < 0 ? scrollTop > 0 : scrollTop + clientHeight < scrollHeight - 1;
  }

  send(settled) {
    const { value, selectionStart, selectionEnd } = this.area;
    this.owner.page.sync(this.name, this.opened, value, selectionStart, selectionEnd, settled ? 1 : 0);
  }

  // A keyboard's own clipboard and some input methods bring characters that are not seen.
  removeUnseen() {
    const { area } = this;
    if (withoutUnseen(area.value) === area.value) return;
    const places = [area.selectionStart, area.selectionEnd].map((unit) => withoutUnseen(area.value.slice(0, unit)).length);
    area.value = withoutUnseen(area.value);
    area.setSelectionRange(...places);
  }

  // A mask is one character for the caret and for deleting.
  maskAround(unit) {
    for (let at = this.area.value.indexOf(MASK); this.hasMasks && at >= 0; at = this.area.value.indexOf(MASK, at + 1))
      if (at <= unit && unit <= at + MASK.length) return [at, at + MASK.length];
    return null;
  }
  onBeforeInput(event) {
    const { selectionStart: at, selectionEnd } = this.area;
    const back = event.inputType === 'deleteContentBackward';
    if (at !== selectionEnd || this.composing || (!back && event.inputType !== 'deleteContentForward')) return;
    const mask = this.maskAround(at + (back ? -1 : 1));
    if (!mask || at === mask[back ? 0 : 1]) return;
    event.preventDefault();
    this.area.setSelectionRange(...mask);
    document.execCommand('delete');
  }
  onSelection() {
    const { selectionStart: at, selectionEnd } = this.area;
    const mask = at === selectionEnd && !this.composing && this.maskAround(at);
    if (mask && at > mask[0] && at < mask[1]) this.area.setSelectionRange(...(this.at <= mask[0] ? [mask[1], mask[1]] : [mask[0], mask[0]]));
    this.send(false);
  }

  onKeyDown(event) {
    this.at = this.area.selectionStart;
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key !== 'Tab') this.owner.changed = performance.now();
    const control = event.ctrlKey || event.metaKey;
    // By letter (QWERTZ), of Hangul by place.
    const letter = /^\w$/.test(event.key) ? event.key.toLowerCase() : event.code;
    if (event.key === 'Enter' && (control || !this.lines)) {
      this.owner.page.command(control ? 'fill-all' : 'ask');
      if (matchMedia('(pointer: coarse)').matches) this.area.blur();
    } else if (control && (letter === 'm' || letter === 'KeyM')) {
      this.owner.page.command('mask-word');
    } else {
      return;
    }
    event.preventDefault();
  }

  onPaste(event) {
    const text = event.clipboardData?.getData('text/plain');
    if (!text) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.area;
    this.owner.edit(this.name, selectionStart, selectionEnd, clean(text, this.lines));
  }
}

export class Fields {
  // page: { sync(field, opened, text, begin, end, settled), command(name), height(field, pixels), wheel(pixels) }
  constructor(page) {
    this.page = page;
    this.all = new Map();  // by name; they keep what they hold, and their undo, while another tab is shown
    this.current = null;  // the one that is edited
    this.changed = -Infinity;  // when one was last typed into, as performance.now()
    // A phone's selection handles and menus change the selection without a key.
    document.addEventListener('selectionchange', () => {
      for (const field of this.all.values()) if (document.activeElement === field.area) field.onSelection();
    });
    document.fonts.addEventListener('loadingdone', () => this.measure());
  }

  get(name) {
    if (!this.all.has(name)) this.all.set(name, new Field(name, this));
    return this.all.get(name);
  }
  of(area) {
    return [...this.all.values()].find((field) => field.area === area);
  }
  // The one that is edited has the id "input".
  choose(field) {
    if (this.current?.area.id && this.current !== field) this.current.area.id = '';
    this.current = field;
    field.area.id = 'input';
  }
  measure() {
    for (const field of this.all.values()) if (field.outer.isConnected) field.measure();
  }
  focus() {
    this.current?.area.focus({ preventScroll: true });
  }

  // Does something in a field that has the focus for it, without a phone's keyboard where it was closed.
  within(field, work) {
    const { area } = field;
    const { activeElement: before } = document;
    if (field.composing) area.blur();  // the browser commits what is composed
    if (document.activeElement !== area) {
      area.inputMode = before instanceof HTMLTextAreaElement ? '' : 'none';
      area.focus({ preventScroll: true });
    }
    work(area);
    if (before === area) return;
    area.inputMode = '';
    if (before && before !== document.body) before.focus({ preventScroll: true });
    else area.blur();
  }

  // Puts a text in the place of [begin, end), as if it were typed; a selection behind it stays where it is.
  edit(name, begin, end, text) {
    const field = this.get(name);
    this.within(field, (area) => {
      const { selectionStart, selectionEnd, value } = area;
      const room = area.maxLength - value.length + end - begin;
      const given = text.slice(0, Math.max(0, room));
      area.setSelectionRange(begin, end);
      if (given) document.execCommand('insertText', false, given);
      else if (begin < end) document.execCommand('delete');
      const moved = given.length - (end - begin);
      if (selectionStart >= end && selectionStart > begin) area.setSelectionRange(selectionStart + moved, selectionEnd + moved);
    });
  }
  undo() {
    if (this.current) this.within(this.current, () => document.execCommand('undo'));
  }

  // What the fields show, drawn into a picture of the page at the places that `boxes` gives, in CSS pixels.
  draw(context, boxes) {
    for (const [name, { outer, behind, area }] of this.all) {
      if (!boxes[name] || !outer.isConnected) continue;
      const [x, y, width, height] = boxes[name];
      const from = outer.getBoundingClientRect();
      const style = getComputedStyle(area);
      context.save();
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
      context.translate(x - from.x, y - from.y);
      for (const mark of behind.querySelectorAll('mark'))
        for (const box of mark.getClientRects()) {
          context.fillStyle = mark.style.background;
          context.fillRect(box.x, box.y, box.width, box.height);
        }
      Object.assign(context, { font: `${style.fontSize} ${style.fontFamily}`, fillStyle: style.color, textBaseline: 'middle' });
      const range = document.createRange();
      const walker = document.createTreeWalker(behind, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (let at = 0, next; at < node.length; at = next) {
          next = at + String.fromCodePoint(node.data.codePointAt(at)).length;
          range.setStart(node, at);
          range.setEnd(node, next);
          const box = range.getBoundingClientRect();
          context.fillText(node.data.slice(at, next), box.x, box.y + box.height / 2);
        }
      context.restore();
    }
  }
}
