// window.minibert: the page's abilities without its canvas. API.md describes it, minibert.d.ts types it.
import { MinibertError } from './errors.js';
import { download } from './loader.js';

/**
 * @typedef {import('./minibert.js').Task} Task
 * @typedef {import('./minibert.js').Minibert} Minibert
 * @typedef {import('./minibert.js').ClassifyResult} ClassifyResult
 * @typedef {string | number | boolean} Value
 */

/**
 * What the functions of engine/engine_abi.cpp answer; the page adds a word's text and effect.
 * @typedef {object} Answers
 * @property {import('./minibert.js').FillResult} fill
 * @property {import('./minibert.js').AnswerResult} answer
 * @property {Omit<ClassifyResult, 'words'> & { words: Omit<ClassifyResult['words'][0], 'text' | 'effect'>[] }} classify
 * @property {import('./minibert.js').TagResult} tag
 * @property {import('./minibert.js').WordGuess[]} words
 * @property {import('./minibert.js').WordScore} score
 * @property {import('./minibert.js').Token[]} tokenize
 */

const MOST_GUESSES = 1000;

/** @type {(text: unknown, name?: string) => string} */
function checkedText(text, name = 'text') {
  if (typeof text !== 'string')
    throw new MinibertError('bad-argument', { name, found: text === null ? 'null' : typeof text, expected: 'string' });
  if (text.includes('\0')) throw new MinibertError('bad-argument', { name, found: 'U+0000', expected: 'characters' });
  return text.toWellFormed ? text.toWellFormed() : text;
}

/** @type {(top: any) => number} */
function checkedTop(top) {
  if (!Number.isInteger(top) || top < 1 || top > MOST_GUESSES)
    throw new MinibertError('bad-argument', { name: 'top', found: String(top), expected: `1…${MOST_GUESSES}` });
  return top;
}

/** @type {(mask: any) => number} */
function checkedMask(mask) {
  if (!Number.isInteger(mask) || mask < 0)
    throw new MinibertError('bad-argument', { name: 'mask', found: String(mask), expected: '0, 1, …' });
  return mask;
}

// The numbers of an explanation by name.
/** @type {(answer: any, numbers: Float32Array) => import('./minibert.js').Explanation} */
function explained(answer, numbers) {
  const { tokens: { length }, layers, local_layers: local, heads, d_model: width, d_ff: units, embedding_size: embedding } = answer;
  const attending = layers - local;
  const relative = answer.relative_position;
  let at = 0;
  const take = (/** @type {number} */ count) => numbers.subarray(at, at += count);
  const parts = {
    token: take(length * embedding), position: take(relative ? 0 : length * embedding), segment: take(length * embedding),
    states: take((layers + 1) * length * width), taps: take(local * length * answer.local_taps),
    qkv: take(attending * length * 3 * width), offsets: take(relative ? attending * heads * (2 * length - 1) : 0),
    gates: take(answer.head_gate ? attending * length * heads : 0),
    units: take(layers * length * units), attention: take(attending * heads * length * length),
  };
  const masks = answer.masks.map((/** @type {any} */ { fitting, ...mask }) => ({ ...mask, logits: take(fitting) }));
  return { ...answer, masks, ...parts };
}

/**
 * @param {import('./models.js').Engine} engine
 * @param {import('./models.js').Models} models
 * @param {Promise<void>} ready
 * @returns {Minibert}
 */
export function createApi(engine, models, ready) {
  /** @type {Partial<Record<Task, string>>} */
  const current = {};  // by task: the model that was loaded last
  let dropped = 0;

  /** @type {(model: string | undefined, task: Task) => Promise<number>} */
  const handleOf = async (model, task) => {
    if (model === undefined && current[task] === undefined) await ready;
    const last = models.find(current[task]) ?? models.entries.find((entry) => entry.task === task);
    const entry = await models.load(model ?? last?.id);
    if (entry.task !== task) throw new MinibertError('wrong-model', { model: entry.id, task });
    return /** @type {number} */ (entry.handle);
  };

  // What a function of the engine answers about a model of the task.
  /** @type {<Name extends keyof Answers>(task: Task, model: string | undefined, name: Name, ...values: Value[]) => Promise<Answers[Name]>} */
  const ask = async (task, model, name, ...values) => JSON.parse(await engine.ask(name, await handleOf(model, task), ...values));
  /** @type {(model: string | undefined, name: string, ...values: Value[]) => Promise<[any, Float32Array]>} */
  const look = async (model, name, ...values) => {
    const { json, numbers } = await engine.ask(name, await handleOf(model, 'masks'), ...values);
    return [JSON.parse(json), numbers];
  };

  return {
    ready,
    models: async () => models.list(),
    async load(model) {
      let entry;
      if (model instanceof ArrayBuffer || ArrayBuffer.isView(model)) {
        const bytes = model instanceof ArrayBuffer ? new Uint8Array(model)
          : new Uint8Array(model.buffer, model.byteOffset, model.byteLength);
        entry = await models.add(`model-${++dropped}.mbq`, bytes.slice());
      } else if (typeof model !== 'string') {
        throw new MinibertError('bad-argument', { name: 'model', found: typeof model, expected: 'id, address, ArrayBuffer' });
      } else if (models.find(model)) {
        entry = await models.load(model);
      } else {
        entry = await models.add(/** @type {string} */ (model.split('/').pop()), await download(model));
      }
      current[entry.task] = entry.id;
      return { .../** @type {import('./models.js').EngineFacts} */ (entry.rawFacts), id: entry.id };
    },
    async unload(model) {
      models.unload(model);
    },
    async fill(text, options) {
      const { top = 10, model } = options ?? {};
      const [asked, most] = [checkedText(text), checkedTop(top)];
      return ask('masks', model, 'fill', asked, most);
    },
    async answer(question, text, options) {
      const { top = 5, model } = options ?? {};
      const [asked, told, most] = [checkedText(question, 'question'), checkedText(text), checkedTop(top)];
      return ask('answers', model, 'answer', asked, told, most);
    },
    async classify(text, options) {
      const { second = '', words = true, model } = options ?? {};
      const [asked, other] = [checkedText(text), checkedText(second, 'second')];
      if (typeof words !== 'boolean') throw new MinibertError('bad-argument', { name: 'words', found: typeof words, expected: 'boolean' });
      const answer = await ask('labels', model, 'classify', asked, other, words);
      const best = answer.labels[0].probability;
      const weighed = answer.words.map((word) => ({ text: asked.slice(word.begin, word.end), ...word, effect: best - word.probability }));
      return { ...answer, words: weighed };
    },
    async tag(text, options) {
      const { model } = options ?? {};
      const asked = checkedText(text);
      return ask('names', model, 'tag', asked);
    },
    async words(text, options) {
      const { mask = 0, top = 10, model } = options ?? {};
      const [asked, most, index] = [checkedText(text), checkedTop(top), checkedMask(mask)];
      return ask('masks', model, 'words', asked, index, most);
    },
    async score(text, word, options) {
      const { mask = 0, model } = options ?? {};
      const [asked, given, index] = [checkedText(text), checkedText(word, 'word'), checkedMask(mask)];
      return ask('masks', model, 'score', asked, index, given);
    },
    async tokenize(text, options) {
      const { model } = options ?? {};
      return ask('masks', model, 'tokenize', checkedText(text));
    },
    async attention(text, options) {
      const { model } = options ?? {};
      const [answer, weights] = await look(model, 'attention', checkedText(text));
      return { ...answer, weights };
    },
    async explain(text, options) {
      const { top = 10, model } = options ?? {};
      const [asked, most] = [checkedText(text), checkedTop(top)];
      return explained(...await look(model, 'explain', asked, most));
    },
    memory: async () => engine.memory(),
  };
}
