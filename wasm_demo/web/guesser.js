// Keeps the page's guesses up to date: waits until the text has been still for a moment, asks the
// chosen model and the one it is compared with, and never lets a question queue behind an old one.

const STILL_MS = 60;
const TOP = 10;
const MASK = '[MASK]';

export class Guesser {
  // show: { fill(slot, result), attention(result) }
  constructor(engine, models, show) {
    Object.assign(this, { engine, models, show });
    this.slots = ['', ''];
    this.text = '';
    this.revision = 0;
    this.attention = false;
    this.busy = [false, false];
    this.stale = [false, false];
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
    let entry;
    try {
      entry = await this.models.load(id);
    } catch {
      return;  // the chooser shows why
    }
    const result = { model: id, revision, tokens: [], masks: [] };
    try {
      if (text.includes(MASK)) Object.assign(result, await this.engine.fill(entry.handle, text, TOP));
      else if (text) result.tokens = await this.engine.tokenize(entry.handle, text);
    } catch (error) {
      result.error = error.message;
    }
    if (this.slots[slot] !== id) return;
    this.show.fill(slot, result);
    if (slot !== 0 || !this.attention || !text || result.error) return;
    try {
      this.show.attention(await this.engine.attention(entry.handle, text));
    } catch (error) {
      this.show.fill(slot, { ...result, error: error.message });
    }
  }
}
