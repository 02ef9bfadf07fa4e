// Keeps what the page shows of the engine's answers up to date. It waits until the fields have been still for as
// long as the last answer took, but for no more than a moment, asks the model of each inquiry what the page wants to know there, and never lets a question queue
// behind an old one.
//
// An inquiry is one question that one model keeps being asked: the page's tabs have theirs by name (page/tabs/).
// Its question is { revision, rounds: [[[function of the engine, …its values], …], …] }: each round's answers are
// shown together, before the next round begins.
import { MinibertError } from './minibert.js';

const MOST_STILL_MS = 60;

// An answer for the page, as JSON text. The engine's answers are JSON text already and stay as they are.
function message(model, revision, answers, error) {
  return `{"model":${JSON.stringify(model)},"revision":${revision},"answers":[${answers.join()}]` +
    `${error ? `,"error":${JSON.stringify(error.texts)}` : ''}}`;
}

export class Guesser {
  // show: { answer(inquiry, json), numbers(JSON of an explanation, Float32Array) }
  constructor(models, show) {
    Object.assign(this, { models, show });
    this.inquiries = new Map();  // name → { model, question, timer, busy, stale, took }
    models.onReplaced((id) => {
      for (const [name, { model }] of this.inquiries) if (model === id) this.ask(name);
    });
  }

  inquiry(name) {
    if (!this.inquiries.has(name)) this.inquiries.set(name, { model: '', question: null, timer: 0, busy: false, stale: false, took: MOST_STILL_MS });
    return this.inquiries.get(name);
  }

  // id: of the model that answers it; '': none does. One that is left is not waited for, even if it has yet to come.
  select(name, id) {
    const left = this.inquiry(name);
    if (left.model !== id) {
      clearTimeout(left.timer);
      this.inquiries.set(name, { ...left, model: id, timer: 0, busy: false });
      left.question = null;
      left.stale = false;
    }
    this.ask(name);
  }

  // question: null where nothing is asked any more; what is being asked is then given up.
  change(name, question, atOnce) {
    const inquiry = this.inquiry(name);
    inquiry.question = question;
    clearTimeout(inquiry.timer);
    inquiry.timer = setTimeout(() => {
      inquiry.timer = 0;
      this.ask(name);
    }, atOnce ? 0 : Math.min(MOST_STILL_MS, inquiry.took));
  }

  // Nothing is asked or about to be.
  get idle() {
    return [...this.inquiries.values()].every(({ timer, busy }) => !timer && !busy);
  }

  // One question at a time for each inquiry; a newer one while it runs is asked afterwards.
  async ask(name) {
    const inquiry = this.inquiry(name);
    if (!inquiry.model || !inquiry.question) return;
    if (inquiry.busy) {
      inquiry.stale = true;
      return;
    }
    inquiry.busy = true;
    try {
      for (let round = 0; await this.answer(name, inquiry, round);) ++round;
    } finally {
      inquiry.busy = false;
    }
    if (inquiry.stale) {
      inquiry.stale = false;
      this.ask(name);
    }
  }

  // Asks one round of the inquiry's question and shows what came of it; whether another round is to follow.
  async answer(name, inquiry, round) {
    const { model } = inquiry;
    const answers = [];
    const withNumbers = [];
    let { question } = inquiry;
    let error;
    try {
      // What is asked is read once the model is there, so that it is the newest.
      const { loaded } = await this.models.load(model).finally(() => { inquiry.stale = false; });
      question = inquiry.question;
      const began = performance.now();
      for (const [asked, ...values] of question?.rounds[round] ?? []) {
        const answer = await loaded.ask(asked, values);
        if (!inquiry.question) break;
        if (typeof answer === 'string') answers.push(answer);
        else withNumbers.push(answer);
      }
      if (round === 0) inquiry.took = performance.now() - began;
    } catch (thrown) {
      error = MinibertError.from(thrown);
    }
    if (!inquiry.question) return false;
    this.show.answer(name, message(model, question.revision, error ? [] : answers, error));
    if (error) return false;
    for (const { json, numbers } of withNumbers) this.show.numbers(json, numbers);
    return !inquiry.stale && round + 1 < question.rounds.length;
  }
}
