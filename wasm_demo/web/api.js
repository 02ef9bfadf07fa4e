// window.minibert: the page's abilities without its canvas. Every function returns a promise.
//
//   await minibert.ready                       the first model is loaded
//   await minibert.load(model)                 an id of minibert.models(), an address, or bytes → its facts
//   await minibert.fill(text, { top, model })  → { tokens, masks: [{ position, begin, end, guesses }], filled, timing, kernel }
//   await minibert.tokenize(text, { model })   → [{ id, piece, begin, end }]
//   await minibert.attention(text, { model })  → { tokens, layers, heads, weights }
//
// `model` is what load() was given; without it the model that was loaded last, or the page's first.

export function createApi(engine, models, ready) {
  let current = null;
  let dropped = 0;

  const entryOf = async (model) => {
    if (model !== undefined) return models.load(model);
    if (current === null) {
      await ready;
      current = models.entries[0].id;
    }
    return models.load(current);
  };

  return {
    ready,
    models: async () => models.list(),
    async load(model) {
      let entry;
      if (model instanceof ArrayBuffer || ArrayBuffer.isView(model)) {
        const bytes = model instanceof ArrayBuffer ? new Uint8Array(model.slice(0)) : new Uint8Array(model);
        entry = await models.add(`model-${++dropped}.mbq`, bytes.slice());
      } else if (models.find(model)) {
        entry = await models.load(model);
      } else {
        const response = await fetch(model);
        if (!response.ok) throw new Error(`${model}: HTTP ${response.status}`);
        entry = await models.add(String(model).split('/').pop(), new Uint8Array(await response.arrayBuffer()));
      }
      current = entry.id;
      return { id: entry.id, ...entry.rawFacts };
    },
    async fill(text, { top = 10, model } = {}) {
      return engine.fill((await entryOf(model)).handle, text, top);
    },
    async tokenize(text, { model } = {}) {
      return engine.tokenize((await entryOf(model)).handle, text);
    },
    async attention(text, { model } = {}) {
      return engine.attention((await entryOf(model)).handle, text);
    },
    memory: async () => engine.memory(),
  };
}
