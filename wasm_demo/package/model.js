// A model in the engine's memory, and what can be asked of it. What is given is checked here, so that the engine
// sees nothing but texts and numbers in range.
import { MinibertError } from './errors.js';

/**
 * @typedef {import('./minibert.js').Task} Task
 * @typedef {import('./minibert.js').Model} PublicModel
 * @typedef {import('./minibert.js').Asked} Asked
 * @typedef {import('./minibert.js').ModelFacts} ModelFacts
 * @typedef {import('./minibert.js').ClassifyResult} ClassifyResult
 * @typedef {string | number | boolean} Value
 */

/**
 * What the functions of engine/engine_abi.cpp answer as JSON alone; a word's text and effect are added here.
 * @typedef {object} Answers
 * @property {import('./minibert.js').FillResult} fill
 * @property {import('./minibert.js').AnswerResult} answer
 * @property {Omit<ClassifyResult, 'words'> & { words: Omit<ClassifyResult['words'][0], 'text' | 'effect'>[] }} classify
 * @property {import('./minibert.js').TagResult} tag
 * @property {import('./minibert.js').WordGuess[]} words
 * @property {import('./minibert.js').WordScore} score
 * @property {import('./minibert.js').Token[]} tokenize
 * @property {import('./minibert.js').InterventionResult} intervene
 * @property {import('./minibert.js').Checkpoint[]} checkpoints
 */

const MOST_GUESSES = 1000;
// The options of each call, beside `signal`.
/** @type {Record<string, string[]>} */
const OPTIONS = {
  fill: ['top'], answer: ['top'], classify: ['second', 'words'], tag: [], embed: ['pooling', 'normalize'], words: ['mask', 'top'],
  score: ['mask'], tokenize: [], attention: [], explain: ['top'], checkpoints: ['top'],
  intervene: ['top', 'mask', 'word', 'withoutLayers', 'withoutHeads', 'patch'],
  load: ['progress', 'name', 'size', 'engine'],
};
const POOLINGS = ['mean', 'cls', 'none'];

const kind = (/** @type {unknown} */ value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** @type {(text: unknown, name?: string) => string} */
function checkedText(text, name = 'text') {
  if (typeof text !== 'string') throw new MinibertError('bad-argument', { name, found: kind(text), expected: 'string' });
  if (text.includes('\0')) throw new MinibertError('bad-argument', { name, found: 'U+0000', expected: 'characters' });
  return text.toWellFormed ? text.toWellFormed() : text;
}

// A value where a number is expected: itself, else what kind it is.
/** @type {(value: unknown) => string} */
const shown = (value) => (typeof value === 'number' ? String(value) : kind(value));

/** @type {(top: any) => number} */
function checkedTop(top) {
  if (!Number.isInteger(top) || top < 1 || top > MOST_GUESSES)
    throw new MinibertError('bad-argument', { name: 'top', found: shown(top), expected: `1…${MOST_GUESSES}` });
  return top;
}

// The options of a call, if they are its own: one that is misspelt would change nothing, and nobody would know.
/** @type {<Options extends object>(call: string, options: Options | undefined) => Partial<Options>} */
export function checkedOptions(call, options) {
  if (options === undefined || options === null) return {};
  if (kind(options) !== 'object') throw new MinibertError('bad-argument', { name: 'options', found: kind(options), expected: 'object' });
  const known = [...OPTIONS[call], 'signal'];
  const other = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name));
  if (other) throw new MinibertError('bad-argument', { name: 'options', found: other[0], expected: known.join(', ') });
  return options;
}

// One of a text's masks, if it has any; of full width, too.
/** @type {(mask: any, text: unknown) => number} */
function checkedMask(mask, text) {
  const masks = checkedText(text).normalize('NFKC').split('[MASK]').length - 1;
  if (!Number.isInteger(mask) || mask < 0 || (masks > 0 && mask >= masks))
    throw new MinibertError('bad-argument', { name: 'mask', found: shown(mask), expected: masks > 1 ? `0…${masks - 1}` : '0' });
  return mask;
}

/** @type {(word: unknown) => string} */
function checkedWord(word) {
  const given = checkedText(word, 'word');
  if (!given.trim()) throw new MinibertError('bad-argument', { name: 'word', found: '""', expected: 'characters' });
  return given;
}

/** @type {(flag: unknown, name: string) => boolean} */
function checkedFlag(flag, name) {
  if (typeof flag !== 'boolean') throw new MinibertError('bad-argument', { name, found: kind(flag), expected: 'boolean' });
  return flag;
}

// A list of what `pattern` says, written with commas between, as the engine reads it.
/** @type {(list: any, name: string, pattern: RegExp, expected: string) => string} */
function checkedList(list, name, pattern, expected) {
  const all = Array.isArray(list) ? list.map(String) : [kind(list)];
  const bad = all.find((one) => !pattern.test(one));
  if (bad !== undefined) throw new MinibertError('bad-argument', { name, found: bad, expected });
  return all.join();
}

/** @type {(patch: any) => import('./minibert.js').Changes['patch']} */
function checkedPatch(patch) {
  if (patch === undefined) return undefined;
  if (kind(patch) !== 'object') throw new MinibertError('bad-argument', { name: 'patch', found: kind(patch), expected: '{ text, layer, at }' });
  if (!checkedText(patch.text, 'patch.text')) throw new MinibertError('bad-argument', { name: 'patch.text', found: '""', expected: 'characters' });
  if (!Number.isInteger(patch.layer)) throw new MinibertError('bad-argument', { name: 'patch.layer', found: shown(patch.layer), expected: '0, 1, …' });
  return { ...patch, text: checkedText(patch.text, 'patch.text') };
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

// One vector of the tokens' states [tokens, width]: their mean, or [CLS]'s.
/** @type {(states: Float32Array<ArrayBuffer>, width: number, pooling: string) => Float32Array<ArrayBuffer>} */
function pooled(states, width, pooling) {
  if (pooling === 'cls') return states.slice(0, width);
  const sums = new Float64Array(width);
  states.forEach((value, i) => { sums[i % width] += value; });
  return Float32Array.from(sums, (sum) => sum * width / states.length);
}

// Each row of `width` numbers, of length 1.
/** @type {(values: Float32Array<ArrayBuffer>, width: number) => void} */
function normalize(values, width) {
  for (let at = 0; at < values.length; at += width) {
    const row = values.subarray(at, at + width);
    const length = Math.hypot(...row);
    if (length > 0) row.forEach((value, i) => { row[i] = value / length; });
  }
}

/** @implements {PublicModel} */
export class Model {
  /**
   * @param {import('./engine_client.js').Engine} engine
   * @param {number} handle
   * @param {ModelFacts} facts
   * @param {string} name
   */
  constructor(engine, handle, facts, name) {
    this.engine = engine;
    this.handle = handle;
    this.facts = facts;
    this.name = name;
    this.disposed = false;
  }

  /** @returns {Task} */
  get task() {
    return this.facts.task;
  }

  /** @type {import('./minibert.js').Model['ask']} */
  async ask(name, values, options) {
    if (this.disposed) throw new MinibertError('disposed', { model: this.name });
    return this.engine.post('ask', { name, handle: this.handle, values }, { signal: options?.signal });
  }

  // What the engine answers, of a model of this task.
  /** @type {<Name extends keyof Answers>(task: Task | null, name: Name, values: Value[], options?: Asked) => Promise<Answers[Name]>} */
  async told(task, name, values, options) {
    this.check(task);
    return JSON.parse(/** @type {string} */ (await this.ask(name, values, options)));
  }

  // The same of a function that leaves numbers, too.
  /** @type {(task: Task | null, name: string, values: Value[], options?: Asked) => Promise<[any, Float32Array<ArrayBuffer>]>} */
  async numbers(task, name, values, options) {
    this.check(task);
    const { json, numbers } = /** @type {any} */ (await this.ask(name, values, options));
    return [JSON.parse(json), numbers];
  }

  /** @param {Task | null} task */
  check(task) {
    if (task && task !== this.task) throw new MinibertError('wrong-model', { model: this.name, task });
  }

  // Layers and heads of this model, as the engine reads them.
  /** @type {(layers: any, heads: any) => string} */
  checkedOff(layers, heads) {
    const { n_layers: most, n_heads: width } = this.facts;
    const local = Number(this.facts.local_layers ?? 0);
    const off = [checkedList(layers, 'withoutLayers', /^[1-9]\d*$/, '1, 2, …'),
      checkedList(heads, 'withoutHeads', /^[1-9]\d*\.[1-9]\d*$/, '"1.3", …')].filter(Boolean).join();
    for (const part of off.split(',').filter(Boolean)) {
      const [layer, head] = part.split('.').map(Number);
      if (head === undefined && layer > most)
        throw new MinibertError('bad-argument', { name: 'withoutLayers', found: part, expected: `1…${most}` });
      if (head !== undefined && (layer <= local || layer > most || head > width))
        throw new MinibertError('bad-argument', { name: 'withoutHeads', found: part,
          expected: local < most ? `${local + 1}.1…${most}.${width}` : '[]' });
    }
    return off;
  }

  /** @type {(layer: number) => number} */
  checkedLayer(layer) {
    const { n_layers: most } = this.facts;
    if (layer < 0 || layer > most) throw new MinibertError('bad-argument', { name: 'patch.layer', found: `${layer}`, expected: `0…${most}` });
    return layer;
  }

  // Whether both texts have the tokens that a patch moves.
  /** @type {(text: string, patch: NonNullable<import('./minibert.js').Changes['patch']>, options?: Asked) => Promise<void>} */
  async checkMoves(text, patch, options) {
    const signal = options?.signal ? { signal: options.signal } : {};
    const [to, from] = (await Promise.all([this.tokenize(text, signal), this.tokenize(patch.text, signal)])).map(({ length }) => length);
    if (patch.at === undefined && from !== to)
      throw new MinibertError('bad-argument', { name: 'patch.text', found: `${from} tokens`, expected: `${to} tokens, or patch.at` });
    for (const one of patch.at ?? []) {
      const [source, target = source] = String(one).split(':').map(Number);
      if (source >= from || target >= to)
        throw new MinibertError('bad-argument', { name: 'patch.at', found: `${one}`,
          expected: from === to ? `0…${to - 1}` : `"0…${from - 1}:0…${to - 1}"` });
    }
  }

  /** @type {import('./minibert.js').Model['fill']} */
  async fill(text, options) {
    const { top = 10 } = checkedOptions('fill', options);
    return this.told('masks', 'fill', [checkedText(text), checkedTop(top)], options);
  }

  /** @type {import('./minibert.js').Model['answer']} */
  async answer(question, text, options) {
    const { top = 5 } = checkedOptions('answer', options);
    const values = [checkedText(question, 'question'), checkedText(text), checkedTop(top)];
    return this.told('answers', 'answer', values, options);
  }

  /** @type {import('./minibert.js').Model['classify']} */
  async classify(text, options) {
    const { second, words: weighed = false } = checkedOptions('classify', options);
    const asked = checkedText(text);
    const values = [asked, checkedText(second ?? '', 'second'), checkedFlag(weighed, 'words')];
    const answer = await this.told('labels', 'classify', values, options);
    const best = answer.labels[0].probability;
    const words = answer.words.map((word) => ({ text: asked.slice(word.begin, word.end), ...word, effect: best - word.probability }));
    return { ...answer, words };
  }

  /** @type {import('./minibert.js').Model['tag']} */
  async tag(text, options) {
    checkedOptions('tag', options);
    return this.told('names', 'tag', [checkedText(text)], options);
  }

  /** @type {import('./minibert.js').Model['words']} */
  async words(text, options) {
    const { mask = 0, top = 10 } = checkedOptions('words', options);
    return this.told('masks', 'words', [checkedText(text), checkedMask(mask, text), checkedTop(top)], options);
  }

  /** @type {import('./minibert.js').Model['score']} */
  async score(text, word, options) {
    const { mask = 0 } = checkedOptions('score', options);
    return this.told('masks', 'score', [checkedText(text), checkedMask(mask, text), checkedWord(word)], options);
  }

  /** @type {import('./minibert.js').Model['tokenize']} */
  async tokenize(text, options) {
    checkedOptions('tokenize', options);
    return this.told(null, 'tokenize', [checkedText(text)], options);
  }

  /** @type {import('./minibert.js').Model['attention']} */
  async attention(text, options) {
    checkedOptions('attention', options);
    const [answer, weights] = await this.numbers('masks', 'attention', [checkedText(text)], options);
    return { ...answer, weights };
  }

  /** @type {import('./minibert.js').Model['explain']} */
  async explain(text, options) {
    const { top = 10 } = checkedOptions('explain', options);
    return explained(...await this.numbers('masks', 'explain', [checkedText(text), checkedTop(top), '', '', 0, ''], options));
  }

  /** @type {import('./minibert.js').Model['intervene']} */
  async intervene(text, options) {
    const { top = 10, mask = 0, word = '', withoutLayers = [], withoutHeads = [], patch } = checkedOptions('intervene', options);
    const other = checkedPatch(patch);
    const values = [checkedText(text), checkedTop(top), this.checkedOff(withoutLayers, withoutHeads), other?.text ?? '',
      this.checkedLayer(other?.layer ?? 0), checkedList(other?.at ?? [], 'patch.at', /^\d+(:\d+)?$/, '3, "3:5", …'), checkedMask(mask, text),
      checkedText(word, 'word')];
    this.check('masks');
    if (other) await this.checkMoves(text, other, options);
    return this.told('masks', 'intervene', values, options);
  }

  /** @type {import('./minibert.js').Model['checkpoints']} */
  async checkpoints(text, options) {
    if (!this.facts.checkpoints) throw new MinibertError('wrong-model', { model: this.name, task: 'checkpoints' });
    const { top = 10 } = checkedOptions('checkpoints', options);
    return this.told('masks', 'checkpoints', [checkedText(text), checkedTop(top)], options);
  }

  /** @type {import('./minibert.js').Model['embed']} */
  async embed(text, options) {
    const { pooling = 'mean', normalize: unit = true } = checkedOptions('embed', options);
    const values = [checkedText(text)];
    if (!POOLINGS.includes(pooling))
      throw new MinibertError('bad-argument', { name: 'pooling', found: String(pooling), expected: POOLINGS.join(', ') });
    checkedFlag(unit, 'normalize');
    const [{ tokens, width }, states] = await this.numbers(null, 'embed', values, options);
    const vectors = pooling === 'none' ? states : pooled(states, width, pooling);
    if (unit) normalize(vectors, width);
    return { tokens, width, values: vectors };
  }

  dispose() {
    if (this.disposed) return;
    this.disposed = true;
    if (!this.engine.disposed) this.engine.post('unload', { handle: this.handle }).catch(() => {});
    this.engine.release();
  }
}
