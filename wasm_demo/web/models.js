// The models that the page knows: those of models.json and those dropped onto it. Loads each when it
// is first asked for.
import { download } from './loader.js';

const MEGA = 1e6;

// Facts as [key, value] text pairs; the page translates the keys that it knows.
function describe(facts) {
  const shape = `d ${facts.d_model} · ${facts.n_heads} heads · ${facts.n_layers} layers` +
    `${facts.share_layers ? ' (shared)' : ''} · ffn ${facts.d_ff} · vocabulary ${facts.vocab_size} · ` +
    `≤ ${facts.max_positions} pieces · ${facts.norm}-norm`;
  const pairs = [
    ['parameters', facts.parameters.toLocaleString('en')],
    ['bytes', `${(facts.file_bytes / MEGA).toFixed(2)} MB`],
    ['weights', facts.weights],
    ['kernel', facts.kernel],
    ['architecture', shape],
    ['source_run', facts.source_run],
    ['source_sha256', facts.source_sha256],
  ];
  // Of the run's summary what says how good the model is, not how it was trained.
  for (const name of ['mlm_accuracy', 'mlm_loss', 'nsp_accuracy', 'nsp_loss'])
    if (name in facts.metrics) pairs.push([`dev ${name}`, facts.metrics[name].toFixed(4)]);
  return pairs;
}

export class Models {
  constructor(engine, entries) {
    this.engine = engine;
    this.entries = entries.map((entry) => ({ ...entry, state: 'available', progress: 0, facts: [] }));
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }
  changed() {
    for (const listener of this.listeners) listener(this.list());
  }

  list() {
    return this.entries.map(({ id, name, state, progress, error, facts }) => ({ id, name, state, progress, error, facts }));
  }
  find(id) {
    return this.entries.find((entry) => entry.id === id);
  }

  // The entry, loaded. A failed one is tried again.
  load(id) {
    const entry = this.find(id);
    if (!entry) return Promise.reject(new Error(`no model "${id}"; there are: ${this.entries.map((e) => e.id).join(', ')}`));
    if (entry.state === 'available' || entry.state === 'failed') entry.promise = this.fetch(entry);
    return entry.promise;
  }

  async fetch(entry) {
    entry.state = 'loading';
    entry.error = undefined;
    this.changed();
    try {
      const bytes = await download(entry.file, {
        size: entry.bytes,
        onProgress: (received, total) => {
          entry.progress = received / total;
          entry.onProgress?.(received);
          this.changed();
        },
      });
      await this.accept(entry, bytes);
    } catch (error) {
      this.reject(entry, error);
    }
    return entry;
  }

  async accept(entry, bytes) {
    const { handle, facts } = await this.engine.load(bytes);
    Object.assign(entry, { handle, rawFacts: facts, facts: describe(facts), state: 'ready' });
    this.changed();
  }

  reject(entry, error) {
    entry.state = 'failed';
    entry.error = error.message;
    this.changed();
    throw error;
  }

  // A model from bytes (a dropped file). A broken one is not kept.
  async add(name, bytes) {
    const entry = { id: name, name, state: 'loading', progress: 1, facts: [] };
    await this.accept(entry, bytes);
    this.entries = this.entries.filter((other) => other.id !== entry.id);
    entry.promise = Promise.resolve(entry);
    this.entries.push(entry);
    this.changed();
    return entry;
  }
}
