// A task with a model, as a function of texts.
import { load } from './engine_client.js';
import { MinibertError } from './errors.js';
import { Model } from './model.js';

/** @typedef {import('./minibert.js').Task} Task */

/**
 * By the names that transformers gives them: the task that a model must be for (null: any), how it is asked, and
 * how many arguments come before the options.
 * @type {Record<string, { task: Task | null, texts: number, ask: (model: Model, ...args: any[]) => Promise<any> }>}
 */
const TASKS = {
  'fill-mask': { task: 'masks', texts: 1, ask: (model, text, options) => model.fill(text, options) },
  'question-answering': { task: 'answers', texts: 2, ask: (model, question, text, options) => model.answer(question, text, options) },
  'text-classification': { task: 'labels', texts: 1, ask: (model, text, options) => model.classify(text, options) },
  'token-classification': { task: 'names', texts: 1, ask: (model, text, options) => model.tag(text, options) },
  'feature-extraction': { task: null, texts: 1, ask: (model, text, options) => model.embed(text, options) },
};

// The arguments of one text among several: what is an array has one for each, what is none is the same for all.
/** @type {(given: unknown[], count: number, at: number) => unknown[]} */
const taken = (given, count, at) => given.map((one) => {
  if (!Array.isArray(one)) return one;
  if (one.length !== count) throw new MinibertError('bad-argument', { name: 'texts', found: one.length, expected: count });
  return one[at];
});

/** @type {any} */
export const pipeline = async (/** @type {any} */ task, /** @type {any} */ source, /** @type {any} */ options) => {
  if (!Object.hasOwn(TASKS, task))
    throw new MinibertError('bad-argument', { name: 'task', found: String(task), expected: Object.keys(TASKS).join(', ') });
  const { task: needed, texts, ask } = TASKS[task];
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
    const { second, ...rest } = args[texts] ?? {};
    const all = [...given, second];
    const several = all.find(Array.isArray);
    const one = (/** @type {unknown[]} */ it) => ask(model, ...it.slice(0, -1), { ...rest, second: it.at(-1) });
    if (!several) return one(all);
    const results = [];
    for (let at = 0; at < several.length; ++at) {
      rest.signal?.throwIfAborted();
      try {
        results.push(await one(taken(all, several.length, at)));
      } catch (error) {
        throw error instanceof MinibertError ? error.at(at) : error;
      }
    }
    return results;
  };
  return Object.assign(call, { task, model, dispose: () => loaded?.dispose() });
};
