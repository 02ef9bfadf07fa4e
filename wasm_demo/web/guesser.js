// Keeps the page's guesses up to date: waits until the text has been still for a moment, asks the
// chosen model and the one it is compared with, and never lets a question queue behind an old one.
import { MinibertError } from './errors.js';

const STILL_MS = 60;
const MASK = '[MASK]';

export class Guesser {
  // show: { fill(slot, result), attention(result or null) }
  constructor(engine, models, show) {
    Object.assign(this, { engine, models, show });
    this.slots = ['', ''];
    this.text = '';
    this.revision = 0;
    this.top = 10;
    this.attention = false;
    this.busy = [false, false];
    this.stale = [false, false];
    models.onReplaced((id) => {
      for (const slot of [0, 1]) if (this.slots[slot] === id) this.ask(slot);
    });
  }

  select(slot, id) {
    this.slots[slot] = id;
    if (id) this.ask(slot);
  }

  change(text, revision, atOnce) {
    this.text = text;
    this.revision = revision;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askAll(), atOnce ? 0 : STILL_MS);
  }

  wantAttention(wanted) {
    this.attention = wanted;
    if (wanted) this.ask(0);
  }

  askAll() {
    this.ask(0);
    this.ask(1);
  }

  // One question at a time for each slot; a newer text while it runs is asked afterwards.
  async ask(slot) {
    const id = this.slots[slot];
    if (!id) return;
    if (this.busy[slot]) {
      this.stale[slot] = true;
      return;
    }
    this.busy[slot] = true;
    try {
      await this.answer(slot, id);
    } finally {
      this.busy[slot] = false;
    }
    if (this.stale[slot]) {
      this.stale[slot] = false;
      this.ask(slot);
    }
  }

  async answer(slot, id) {
    const { text, revision } = this;
    const result = { model: id, revision, tokens: [], masks: [] };
    const attention = slot === 0 && this.attention;
    let weights = null;
    try {
      const { handle } = await this.models.load(id);
      if (text.includes(MASK)) Object.assign(result, await this.engine.fill(handle, text, this.top));
      else if (text.trim()) result.tokens = await this.engine.tokenize(handle, text);
      if (attention && text.trim()) weights = await this.engine.attention(handle, text);
    } catch (error) {
      result.error = MinibertError.from(error).texts;
    }
    if (this.slots[slot] !== id) return;
    this.show.fill(slot, result);
    if (attention) this.show.attention(weights);
  }
}
