// The page's outline (page/drawing/outline.h) as HTML: a real element for every control and text of the canvas, so
// that keyboard and screen reader reach all of it. Over the canvas it is invisible and lies where the
// canvas shows the same; only its lists (select) and sliders take the pointer, because the browser
// opens and moves those. The text fields are seen, and edited. Without WebGL it is shown, and is the page.

const ARROWS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

const element = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const setText = (target, text) => { if (target.textContent !== text) target.textContent = text; };
const setAttribute = (target, name, value) => {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
};

// For each role: make(mirror, node) → { outer, control, inside }: what is placed in the tree, what is
// named and positioned, what holds the children; update(parts, node) after every change.
const heading = (tag) => ({
  make: () => { const outer = element(tag); return { outer, control: outer }; },
  update: ({ control }, node) => setText(control, node.label),
});
// Children under a visible heading that names them.
const holder = (tag, level) => ({
  make: (mirror, node) => {
    const outer = element(tag);
    outer.dataset.name = node.name;
    const title = element(level, { id: `mirror-${node.name}-title` });
    outer.append(title);
    outer.setAttribute('aria-labelledby', title.id);
    return { outer, control: outer, inside: outer, title };
  },
  update: ({ title }, node) => setText(title, node.label),
});
const press = {
  make: (mirror, node) => {
    const outer = element('button', { type: 'button' });
    outer.addEventListener('click', () => {
      if (outer.getAttribute('aria-disabled') !== 'true') mirror.page.activate(node.name, '');
    });
    return { outer, control: outer };
  },
  update: ({ control }, node) => {
    setText(control, node.label);
    if (node.part !== undefined) control.style.setProperty('--part', node.part);
    if (node.enabled) control.removeAttribute('aria-disabled');
    else setAttribute(control, 'aria-disabled', 'true');
  },
};

const ROLES = {
  title: heading('h1'),
  heading: heading('h3'),
  text: heading('p'),
  region: holder('section', 'h2'),
  group: holder('fieldset', 'legend'),
  list: {
    make: (mirror, node) => {
      const outer = element('ol');
      outer.dataset.name = node.name;
      return { outer, control: outer, inside: outer };
    },
    update: ({ control }, node) => setAttribute(control, 'aria-label', node.label),
  },
  button: press,
  toggle: {
    make: press.make,
    update: (parts, node) => {
      press.update(parts, node);
      setAttribute(parts.control, 'aria-pressed', String(node.on));
    },
  },
  select: {
    make: (mirror, node) => {
      const outer = element('label');
      const title = element('span');
      const control = element('select');
      outer.append(title, control);
      control.addEventListener('change', () => mirror.page.activate(node.name, control.value));
      return { outer, control, title };
    },
    update: (parts, node) => {
      setText(parts.title, node.label);
      const shown = JSON.stringify(node.cells);
      if (parts.shown !== shown) {
        parts.shown = shown;
        parts.control.replaceChildren(...node.cells.map((text, value) => element('option', { value, textContent: text })));
      }
      if (parts.control.value !== String(node.chosen)) parts.control.value = String(node.chosen);
    },
  },
  slider: {
    make: (mirror, node) => {
      const outer = element('label');
      const title = element('span');
      const control = element('input', { type: 'range', moving: 0 });
      outer.append(title, control);
      control.addEventListener('input', () => {
        mirror.page.activate(node.name, control.value);
        // The page takes it in its next frame; until then the outline has the value before.
        ++control.moving;
        requestAnimationFrame(() => requestAnimationFrame(() => { --control.moving; }));
      });
      return { outer, control, title };
    },
    update: ({ control, title }, node) => {
      setText(title, node.label);
      for (const [name, value] of [['min', node.low], ['max', node.high], ['step', node.step]])
        setAttribute(control, name, String(value));
      if (!control.moving && Number(control.value) !== node.value) control.value = String(node.value);
      setAttribute(control, 'aria-valuetext', node.shown);
    },
  },
  editor: {
    make: (mirror, node) => {
      const field = mirror.fields.get(node.name);
      return { outer: field.outer, control: field.area, placed: field.outer, field };
    },
    update: ({ control, field }, node) => {
      setAttribute(control, 'aria-label', node.label);
      field.show(node.cells[0]);
      if (node.on) field.owner.choose(field);
    },
  },
  table: {
    make: () => {
      const outer = element('div', { className: 'table' });
      const control = element('table');
      outer.append(control);
      outer.tabIndex = 0;  // so that the keyboard can scroll it where it is shown
      outer.setAttribute('role', 'region');
      return { outer, control: outer, table: control };
    },
    update: (parts, node) => {
      setAttribute(parts.outer, 'aria-label', node.label);
      const shown = JSON.stringify(node.cells);
      if (parts.shown === shown) return;
      parts.shown = shown;
      const rows = [];
      for (let at = 0; at < node.cells.length; at += node.columns) {
        const row = element('tr');
        row.append(...node.cells.slice(at, at + node.columns).map((text, column) => {
          if (at === 0 && column === 0) return element('td');
          const cell = element(at === 0 || column === 0 ? 'th' : 'td', { textContent: text });
          if (cell.tagName === 'TH') cell.scope = at === 0 ? 'col' : 'row';
          return cell;
        }));
        rows.push(row);
      }
      parts.table.replaceChildren(element('caption', { textContent: node.label }), ...rows);
    },
  },
};

export class Mirror {
  // root: the element that holds all; fields: the text fields; page: { activate(name, value),
  // focus(name, ring) }; shown: there is no canvas.
  constructor({ root, fields, page, shown }) {
    Object.assign(this, { root, fields, page, shown });
    this.entries = new Map();  // name → { role, outer, control, … }
    this.byKeyboard = false;
    addEventListener('keydown', (event) => this.onKey(event), true);
    addEventListener('pointerdown', () => { this.byKeyboard = false; }, true);
    root.addEventListener('focusin', ({ target }) => page.focus(this.nameOf(target), this.byKeyboard));
    root.addEventListener('focusout', ({ relatedTarget }) => {
      if (!root.contains(relatedTarget)) page.focus('', false);
    });
  }

  nameOf(target) {
    for (const [name, { control }] of this.entries) if (control === target) return name;
    return '';
  }

  onKey(event) {
    if (event.key === 'Tab') this.byKeyboard = true;
    const { target } = event;
    if (target.tagName === 'TEXTAREA' || !this.root.contains(target)) return;
    if (event.key === 'Escape') this.fields.focus();
    const step = ARROWS[event.key];
    const holder = target.tagName === 'BUTTON' && target.closest('ol, fieldset');
    if (!step || !holder) return;
    const buttons = [...holder.querySelectorAll('button')];
    buttons[buttons.indexOf(target) + step]?.focus();
    this.byKeyboard = true;
    event.preventDefault();
  }

  // nodes: the outline in reading order, children at a greater depth.
  show(nodes) {
    const names = new Set(nodes.map((node) => node.name));
    const { activeElement: before } = document;
    const typing = before?.tagName === 'TEXTAREA' && this.root.contains(before);
    for (const [name, { outer, item }] of this.entries) {
      if (names.has(name)) continue;
      if (outer.contains(document.activeElement)) this.lost = true;
      (item ?? outer).remove();
      this.entries.delete(name);
    }
    const open = [{ inside: this.root, depth: -1, count: 0 }];
    for (const node of nodes) {
      while (open.at(-1).depth >= node.depth) open.pop();
      const parent = open.at(-1);
      const entry = this.entry(node, parent);
      const child = entry.item ?? entry.outer;
      const before = parent.inside.children[parent.count];
      if (before !== child) parent.inside.insertBefore(child, before ?? null);
      ++parent.count;
      if (entry.inside) open.push({ inside: entry.inside, depth: node.depth, count: entry.title ? 1 : 0, role: node.role });
    }
    // The keyboard was on what is no more, or on what has been moved.
    if (typing && before.isConnected) before.focus({ preventScroll: true });
    else if (this.lost) this.fields.focus();
    this.lost = false;
    this.fields.measure();
  }

  entry(node, parent) {
    let entry = this.entries.get(node.name);
    if (!entry || entry.role !== node.role) {
      entry?.outer.remove();
      entry = { role: node.role, ...ROLES[node.role].make(this, node) };
      if (parent.role === 'list') {
        entry.item = element('li');
        entry.item.append(entry.outer);
      }
      this.entries.set(node.name, entry);
    }
    ROLES[node.role].update(entry, node);
    if (!this.shown) this.position(entry, node.box);
    return entry;
  }

  position(entry, box) {
    const place = box.map((value) => Math.round(value)).join();
    if (entry.place === place || !box[2]) return;
    entry.place = place;
    const [left, top, width, height] = place.split(',');
    Object.assign((entry.placed ?? entry.control).style, { position: 'fixed', left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }
}
