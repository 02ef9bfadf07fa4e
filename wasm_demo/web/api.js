// window.minibert: the page's abilities without its canvas, of the models that the page knows. API.md describes it,
// page_api.d.ts types it.
import { download, MinibertError } from './minibert.js';

/**
 * @typedef {import('./minibert.js').Task} Task
 * @typedef {import('./minibert.js').Model} Model
 * @typedef {import('./page_api.js').Minibert} Minibert
 */

/**
 * @param {import('./minibert.js').Engine} engine
 * @param {import('./models.js').Models} models
 * @param {Promise<void>} ready
 * @returns {Minibert}
 */
export function createApi(engine, models, ready) {
  /** @type {Partial<Record<Task, string>>} */
  const current = {};  // by task: the model that was loaded last
  let dropped = 0;

  // The options of a call but for `model`, which is this page's own.
  /** @type {(options: any) => any} */
  const others = (options) => {
    if (options === null || typeof options !== 'object' || Array.isArray(options)) return options;
    const { model, ...rest } = options;
    return rest;
  };

  /** @type {(model: string | undefined, task: Task) => Promise<Model>} */
  const modelOf = async (model, task) => {
    if (model === undefined && current[task] === undefined) await ready;
    const last = models.find(current[task]) ?? models.entries.find((entry) => entry.task === task);
    return /** @type {Model} */ ((await models.load(model ?? last?.id)).loaded);
  };

  return {
    ready,
    models: async () => models.list(),
    async load(model) {
      let entry;
      if (model instanceof ArrayBuffer || ArrayBuffer.isView(model)) {
        const bytes = model instanceof ArrayBuffer ? new Uint8Array(model)
          : new Uint8Array(model.buffer, model.byteOffset, model.byteLength);
        entry = await models.add(`model-${++dropped}.mbq`, bytes);
      } else if (typeof model !== 'string') {
        throw new MinibertError('bad-argument', { name: 'model', found: typeof model, expected: 'id, address, ArrayBuffer' });
      } else if (models.find(model)) {
        entry = await models.load(model);
      } else {
        entry = await models.add(/** @type {string} */ (model.split('/').pop()), await download(model));
      }
      current[entry.task] = entry.id;
      return { .../** @type {Model} */ (entry.loaded).facts, id: entry.id };
    },
    async unload(model) {
      models.unload(model);
    },
    fill: async (text, options) => (await modelOf(options?.model, 'masks')).fill(text, others(options)),
    answer: async (question, text, options) => (await modelOf(options?.model, 'answers')).answer(question, text, others(options)),
    classify: async (text, options) => (await modelOf(options?.model, 'labels')).classify(text, { words: true, ...others(options) }),
    tag: async (text, options) => (await modelOf(options?.model, 'names')).tag(text, others(options)),
    words: async (text, options) => (await modelOf(options?.model, 'masks')).words(text, others(options)),
    score: async (text, word, options) => (await modelOf(options?.model, 'masks')).score(text, word, others(options)),
    tokenize: async (text, options) => (await modelOf(options?.model, 'masks')).tokenize(text, others(options)),
    attention: async (text, options) => (await modelOf(options?.model, 'masks')).attention(text, others(options)),
    explain: async (text, options) => (await modelOf(options?.model, 'masks')).explain(text, others(options)),
    intervene: async (text, options) => (await modelOf(options?.model, 'masks')).intervene(text, others(options)),
    checkpoints: async (text, options) =>
      (await modelOf(options?.model ?? models.entries.find(({ series }) => series)?.id, 'masks')).checkpoints(text, others(options)),
    memory: async () => engine.memory(),
  };
}
