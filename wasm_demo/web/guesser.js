// Keeps the page's guesses and answers up to date: waits until the text has been still for a moment, asks
// the chosen model and the one it is compared with, or the one of another task, and never lets a question queue
// behind an old one.
import { MinibertError } from './errors.js';

const STILL_MS = 60;
const MASK = '[MASK]';
const [ANSWERS, LABELS, NAMES] = [2, 3, 4];  // their slots
const MOST_ANSWERS = 5;  // shown
const ANSWERS_COMPARED = 20;  // all that a model gives
const MOST_EXPLAINED = 50;  // guesses after each layer
const MOST_WORD_MASKS = 6;  // of which whole words are looked for: each costs dozens of answers

export class Guesser {
  // show: { fill(slot, result), answers(result), labels(result), names(result), leftOut(result), attention(result or null), explain(result or null) }
  constructor(engine, models, show) {
    Object.assign(this, { engine, models, show });
    this.slots = ['', '', '', '', ''];
    this.text = '';
    this.revision = 0;
    this.asked = { question: '', text: '', revision: 0 };
    this.texts = { [LABELS]: { text: '', revision: 0 }, [NAMES]: { text: '', revision: 0 } };
    this.top = 10;
    this.words = false;  // whole words of several pieces
    this.view = '';
    this.waiting = false;
    this.busy = this.slots.map(() => false);
    this.stale = this.slots.map(() => false);
    this.leavingOut = 0;
    models.onReplaced((id) => {
      for (const slot of this.slots.keys()) if (this.slots[slot] === id) this.ask(slot);
    });
  }

  select(slot, id) {
    this.slots[slot] = id;
    if (id) this.ask(slot);
  }

  change(text, revision, atOnce) {
    this.text = text;
    this.revision = revision;
    this.soon(atOnce);
  }

  changeQuestion(question, text, revision, atOnce) {
    this.asked = { question, text, revision };
    this.soon(atOnce);
  }

  // slot: LABELS or NAMES.
  changeText(slot, text, revision, atOnce) {
    this.texts[slot] = { text, revision };
    this.soon(atOnce);
  }

  soon(atOnce) {
    clearTimeout(this.timer);
    this.waiting = true;
    this.timer = setTimeout(() => this.askAll(), atOnce ? 0 : STILL_MS);
  }

  // view: the panel that is shown; two of them want more than guesses.
  wantView(view) {
    this.view = view;
    if (view === 'attention' || view === 'explain') this.ask(0);
  }

  askAll() {
    this.waiting = false;
    for (const slot of this.slots.keys()) this.ask(slot);
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
      await (slot === ANSWERS ? this.answer(id) : slot === LABELS ? this.label(id) : slot === NAMES ? this.name(id) : this.guess(slot, id));
    } finally {
      this.busy[slot] = false;
    }
    if (this.stale[slot]) {
      this.stale[slot] = false;
      this.ask(slot);
    }
  }

  async fill(handle, text) {
    const answer = await this.engine.fill(handle, text, this.top);
    for (let i = 0; this.words && i < Math.min(answer.masks.length, MOST_WORD_MASKS); ++i)
      answer.masks[i].guesses = await this.engine.words(handle, text, i, this.top);
    return answer;
  }

  // Nothing is asked or about to be.
  get idle() {
    return !this.waiting && !this.busy.includes(true) && !this.leavingOut;
  }

  // The slot's model, loaded. What is asked of it is read afterwards, so that it is the newest.
  async model(slot, id) {
    try {
      return await this.models.load(id);
    } finally {
      if (this.slots[slot] === id) this.stale[slot] = false;
    }
  }

  async answer(id) {
    const result = { model: id, answers: [] };
    try {
      const { handle } = await this.model(ANSWERS, id);
      const { question, text } = this.asked;
      result.revision = this.asked.revision;
      if (question.trim() && text.trim()) Object.assign(result, await this.engine.answers(handle, question, text, MOST_ANSWERS));
    } catch (error) {
      result.error = MinibertError.from(error).texts;
      result.revision ??= this.asked.revision;
    }
    if (this.slots[ANSWERS] === id) this.show.answers(result);
  }

  // The labels, then once more with what each word brings, which takes a while.
  async label(id) {
    for (const words of [false, true]) {
      const result = { model: id };
      try {
        const { handle } = await this.model(LABELS, id);
        const { text, revision } = this.texts[LABELS];
        result.revision = revision;
        if (text.trim()) Object.assign(result, await this.engine.classify(handle, text, '', words));
      } catch (error) {
        result.error = MinibertError.from(error).texts;
        result.revision ??= this.texts[LABELS].revision;
      }
      if (this.slots[LABELS] !== id) return;
      this.show.labels(result);
      if (result.error || this.stale[LABELS]) return;
    }
  }

  async name(id) {
    const result = { model: id };
    try {
      const { handle } = await this.model(NAMES, id);
      const { text, revision } = this.texts[NAMES];
      result.revision = revision;
      if (text.trim()) Object.assign(result, await this.engine.tag(handle, text));
    } catch (error) {
      result.error = MinibertError.from(error).texts;
      result.revision ??= this.texts[NAMES].revision;
    }
    if (this.slots[NAMES] === id) this.show.names(result);
  }

  // Asks the question again without one of its words each, as long as it stays the same.
  async leaveOut() {
    const id = this.slots[ANSWERS];
    const { question, text, revision } = this.asked;
    const words = question.trim().split(/\s+/);
    ++this.leavingOut;
    try {
      const { handle } = await this.models.load(id);
      const ask = async (asked) => (await this.engine.answers(handle, asked, text, ANSWERS_COMPARED)).answers;
      const [best] = await ask(question);
      if (!best) return;
      const rows = [];
      for (const [i, word] of words.entries()) {
        const rest = words.filter((_, k) => k !== i).join(' ');
        const answers = rest ? await ask(rest) : [];
        if (this.asked.revision !== revision || this.slots[ANSWERS] !== id) return;
        const same = answers.find(({ begin, end }) => begin === best.begin && end === best.end);
        rows.push({ word, answer: answers[0]?.text ?? '', probability: same?.probability ?? 0 });
      }
      this.show.leftOut({ revision, answer: best.text, probability: best.probability, rows });
    } finally {
      --this.leavingOut;
    }
  }

  async guess(slot, id) {
    const result = { model: id, tokens: [], masks: [] };
    let view = '';
    let more = null;
    try {
      const { handle } = await this.model(slot, id);
      const { text } = this;
      result.revision = this.revision;
      if (slot === 0) view = this.view;
      if (text.includes(MASK)) Object.assign(result, await this.fill(handle, text));
      else if (text.trim()) result.tokens = await this.engine.tokenize(handle, text);
      if (view === 'attention' && text.trim()) more = await this.engine.attention(handle, text);
      if (view === 'explain' && text.includes(MASK)) more = await this.engine.explain(handle, text, MOST_EXPLAINED);
    } catch (error) {
      result.error = MinibertError.from(error).texts;
      result.revision ??= this.revision;
    }
    if (this.slots[slot] !== id) return;
    this.show.fill(slot, result);
    if (slot === 0) this.show[view]?.(more);
  }
}
