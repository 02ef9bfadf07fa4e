// window.minibert: the page's abilities without its canvas. API.md describes it, minibert.d.ts types it.
import { MinibertError } from './errors.js';
import { download } from './loader.js';

const MOST_GUESSES = 1000;

function checkedText(text) {
  if (typeof text !== 'string')
    throw new MinibertError('bad-argument', { name: 'text', found: text === null ? 'null' : typeof text, expected: 'string' });
  if (text.includes('\0')) throw new MinibertError('bad-argument', { name: 'text', found: 'U+0000', expected: 'characters' });
  return text.toWellFormed ? text.toWellFormed() : text;
}

function checkedTop(top) {
  if (!Number.isInteger(top) || top < 1 || top > MOST_GUESSES)
    throw new MinibertError('bad-argument', { name: 'top', found: String(top), expected: `1…${MOST_GUESSES}` });
  return top;
}

export function createApi(engine, models, ready) {
  let current = null;
  let dropped = 0;

  const handleOf = async (model) => {
    if (model === undefined && current === null) await ready;
    const id = model ?? (models.find(current) ? current : models.entries[0].id);
    return (await models.load(id)).handle;
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
        entry = await models.add(model.split('/').pop(), await download(model));
      }
      current = entry.id;
      return { id: entry.id, ...entry.rawFacts };
    },
    async unload(model) {
      models.unload(model);
    },
    async fill(text, { top = 10, model } = {}) {
      const [asked, most] = [checkedText(text), checkedTop(top)];
      return engine.fill(await handleOf(model), asked, most);
    },
    async tokenize(text, { model } = {}) {
      return engine.tokenize(await handleOf(model), checkedText(text));
    },
    async attention(text, { model } = {}) {
      return engine.attention(await handleOf(model), checkedText(text));
    },
    memory: async () => engine.memory(),
  };
}
