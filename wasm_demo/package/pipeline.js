// A task with a model, as a function of texts.
import { load } from './engine_client.js';
import { MinibertError } from './errors.js';
import { checkedOptions, Model } from './model.js';

/** @typedef {import('./minibert.js').Task} Task */

/**
 * By the names that transformers gives them: the task that a model must be for (null: any), how many arguments come
 * before the options, and the model's call.
 * @type {Record<string, { task: Task | null, texts: number, call: 'fill' | 'answer' | 'classify' | 'tag' | 'embed' }>}
 */
const TASKS = {
  'fill-mask': { task: 'masks', texts: 1, call: 'fill' },
  'question-answering': { task: 'answers', texts: 2, call: 'answer' },
  'text-classification': { task: 'labels', texts: 1, call: 'classify' },
  'token-classification': { task: 'names', texts: 1, call: 'tag' },
  'feature-extraction': { task: null, texts: 1, call: 'embed' },
};

// The arguments of one text among several: what is an array has one for each, what is none is the same for all.
/** @type {(given: unknown[], at: number) => unknown[]} */
const taken = (given, at) => given.map((one) => (Array.isArray(one) ? one[at] : one));

/** @type {any} */
export const pipeline = async (/** @type {any} */ task, /** @type {any} */ source, /** @type {any} */ options) => {
  if (!Object.hasOwn(TASKS, task))
    throw new MinibertError('bad-argument', { name: 'task', found: String(task), expected: Object.keys(TASKS).join(', ') });
  const { task: needed, texts, call: name } = TASKS[task];
  checkedOptions('load', options);
  const loaded = source instanceof Model ? null : /** @type {Model} */ (await load(source, options));
  const model = loaded ?? source;
  try {
    model.check(needed);
  } catch (error) {
    loaded?.dispose();
    throw error;
  }
  const call = async (/** @type {any[]} */ ...args) => {
    const given = args.slice(0, texts);
    const { second, ...rest } = /** @type {any} */ (checkedOptions(name, args[texts]));
    const all = [...given, second];
    const several = all.find(Array.isArray);
    const one = (/** @type {unknown[]} */ it) =>
      /** @type {any} */ (model)[name](...it.slice(0, -1), { ...rest, second: it.at(-1) });
    if (!several) return one(all);
    const other = all.find((given) => Array.isArray(given) && given.length !== several.length);
    if (other) throw new MinibertError('bad-argument', { name: 'texts', found: other.length, expected: several.length });
    const results = [];
    for (let at = 0; at < several.length; ++at) {
      rest.signal?.throwIfAborted();
      try {
        results.push(await one(taken(all, at)));
      } catch (error) {
        throw error instanceof MinibertError ? error.at(at) : error;
      }
    }
    return results;
  };
  return Object.assign(call, { task, model, dispose: () => loaded?.dispose() });
};
