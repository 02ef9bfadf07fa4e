// The models that the page knows: those of models.json and those dropped onto it. Loads each when it
// is first asked for.
import { Progress } from './loader.js';
import { download, MinibertError } from './minibert.js';
import { texts } from './say.js';

const MEGA = 1e6;

// 1234567 → 1,234,567. (toLocaleString would first load all that the browser knows of languages.)
const grouped = (/** @type {number} */ number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * @typedef {import('./minibert.js').Engine} Engine
 * @typedef {import('./minibert.js').ModelFacts & Record<string, any>} Facts
 * @typedef {import('./page_api.js').ModelEntry & { file?: string, data?: string, loaded?: import('./minibert.js').Model,
 *   promise?: Promise<Entry>, stopping?: AbortController, onProgress?: (received: number) => void }} Entry
 */

// What a model is made of, in both languages.
/** @param {Facts} facts */
function shape(facts) {
  const layers = [
    texts('shape-width', { size: facts.d_model }),
    texts(facts.head_gate ? 'shape-gated-heads' : 'shape-heads', { count: facts.n_heads }),
    texts('shape-layers', { count: facts.n_layers }),
    facts.local_layers > 0 && texts('shape-local', { count: facts.local_layers }),
    facts.share_layers && texts('shape-shared'),
    texts(facts.ffn === 'geglu' ? 'shape-geglu' : 'shape-units', { size: facts.d_ff }),
    facts.conv > 0 && texts('shape-convolution', { size: facts.conv }),
    facts.position === 'relative' && texts('shape-relative'),
    texts('shape-vocabulary', { count: grouped(facts.vocab_size) }),
    texts('shape-longest', { count: facts.max_positions }),
    texts(`shape-${facts.norm}-norm`),
    facts.mlm_context > 0 && texts('shape-bonus'),
  ].filter((part) => !!part);
  return { ko: layers.map(({ ko }) => ko).join(' · '), en: layers.map(({ en }) => en).join(' · ') };
}

// Facts as [key, value] text pairs; the page translates the keys that it knows. data: what the model was
// trained on, where models.json says so.
/**
 * @param {Facts} facts
 * @param {string} [data]
 */
function describe(facts, data) {
  /** @type {[string, string][]} */
  const pairs = [
    ['parameters', grouped(facts.parameters)],
    ['bytes', `${(facts.file_bytes / MEGA).toFixed(2)} MB`],
    ['weights', facts.weights],
    ['kernel', facts.kernel],
    ['architecture', shape(facts).en],
    ['source_run', facts.source_run],
    ['source_sha256', facts.source_sha256],
  ];
  if (data) pairs.push(['data', data]);
  return pairs;
}

// How good a model is, as its file tells. The page masks with [MASK] alone: of a figure that was measured there,
// too, that part counts, and comes first, not the one over all that training predicts.
/** @type {(facts: Facts) => import('./minibert.js').CardFigure[]} */
function figures({ card }) {
  const names = new Set(card.map(({ name }) => name));
  const counts = card.filter(({ name }) => !names.has(`${name}_masked`));
  const onMask = (/** @type {{ name: string }} */ { name }) => name.endsWith('_masked');
  return [...counts.filter(onMask), ...counts.filter((figure) => !onMask(figure))];
}

export class Models {
  /**
   * @param {Engine} engine
   * @param {{ id: string, name: string, task?: string, file: string, bytes: number, data?: string, teaching?: boolean, large?: boolean, series?: boolean }[]} entries
   */
  constructor(engine, entries) {
    this.engine = engine;
    this.entries = /** @type {Entry[]} */ (entries.map((entry) => ({ task: 'masks', ...entry, state: 'available', progress: 0, facts: [], card: [] })));
    /** @type {((list: import('./page_api.js').ModelEntry[]) => void)[]} */
    this.listeners = [];
    /** @type {((id: string) => void)[]} */
    this.replaceListeners = [];
  }

  // Called with list() after every change, and with the id of a model that another one has replaced or that
  // came after it had failed.
  /** @param {(list: import('./page_api.js').ModelEntry[]) => void} listener */
  onChange(listener) {
    this.listeners.push(listener);
  }
  /** @param {(id: string) => void} listener */
  onReplaced(listener) {
    this.replaceListeners.push(listener);
  }
  changed() {
    for (const listener of this.listeners) listener(this.list());
  }

  /** @param {string} id */
  replaced(id) {
    for (const listener of this.replaceListeners) listener(id);
  }

  list() {
    return this.entries.map((entry) => {
      const { id, name, shown, task, state, progress, bytes, error, facts, shape: made, card, teaching, large, series } = entry;
      return { id, name, shown, task, state, progress, bytes, error, facts, shape: made, card, teaching, large, series };
    });
  }
  /** @param {string | undefined} id */
  find(id) {
    return this.entries.find((entry) => entry.id === id);
  }

  // The entry, loaded. A failed one is tried again.
  /**
   * @param {string | undefined} id
   * @returns {Promise<Entry>}
   */
  load(id) {
    const entry = this.find(id);
    if (!entry) return Promise.reject(this.unknown(id));
    if (entry.state === 'available' || entry.state === 'failed') entry.promise = this.fetch(entry);
    return /** @type {Promise<Entry>} */ (entry.promise);
  }

  /** @param {string | undefined} id */
  unknown(id) {
    return new MinibertError('unknown-model', { model: String(id), models: this.entries.map((e) => e.id).join(', ') });
  }

  /** @param {Entry} entry */
  async fetch(entry) {
    const again = entry.state === 'failed';
    const stopping = new AbortController();
    entry.stopping = stopping;
    entry.state = 'loading';
    entry.error = undefined;
    this.changed();
    try {
      await this.accept(entry, await this.bytes(entry, stopping.signal), stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) this.stopped(entry, stopping);
      this.reject(entry, error);
    }
    if (again) this.replaced(entry.id);
    return entry;
  }

  // A model's bytes.
  /**
   * @param {Entry} entry
   * @param {AbortSignal} signal
   */
  async bytes(entry, signal) {
    const progress = new Progress((share, received) => {
      entry.progress = share;
      entry.onProgress?.(received);
      this.changed();
    });
    const file = /** @type {string} */ (entry.file);
    return download(file, { size: entry.bytes, signal, onProgress: progress.part(file, entry.bytes) });
  }

  /**
   * @param {Entry} entry
   * @param {Uint8Array} bytes
   * @param {AbortSignal} [signal]
   */
  async accept(entry, bytes, signal) {
    const loaded = await this.engine.load(bytes, { name: entry.name });
    if (signal?.aborted) {  // while the engine read it
      loaded.dispose();
      signal.throwIfAborted();
    }
    const { facts } = loaded;
    Object.assign(entry, { loaded, task: loaded.task, facts: describe(facts, entry.data), shape: shape(facts), card: figures(facts),
      state: 'ready' });
    this.changed();
  }

  // Stops the download of a model; it can be asked for again.
  /** @param {string} id */
  stop(id) {
    this.find(id)?.stopping?.abort();
  }

  /**
   * @param {Entry} entry
   * @param {AbortController} download
   * @returns {never}
   */
  stopped(entry, download) {
    if (entry.stopping === download) Object.assign(entry, { state: 'available', progress: 0 });  // else it is asked for anew
    this.changed();
    throw new MinibertError('stopped', { file: /** @type {string} */ (entry.file) });
  }

  /**
   * @param {Entry} entry
   * @param {unknown} error
   */
  reject(entry, error) {
    entry.state = 'failed';
    const known = MinibertError.from(error);
    // To a visitor by its name on the page.
    const say = (/** @type {'ko' | 'en'} */ language) => known.texts[language].replaceAll(/** @type {string} */ (entry.file), entry.shown?.[language] ?? entry.name);
    known.texts = { ko: say('ko'), en: say('en') };
    entry.error = known.texts;
    this.changed();
    throw known;
  }

  // A model from bytes (a dropped file), in the place of one of the same name. A broken one is not kept.
  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  async add(name, bytes) {
    /** @type {Entry} */
    const entry = { id: name, name, task: 'masks', state: 'loading', progress: 1, bytes: bytes.length, facts: [], card: [] };
    await this.accept(entry, bytes);
    entry.promise = Promise.resolve(entry);
    const before = this.find(name);
    this.entries = [...this.entries.filter((other) => other !== before), entry];
    this.changed();
    if (before) {
      this.release(before);
      this.replaced(name);
    }
    return entry;
  }

  // Gives a model's memory back; one with a file can be loaded again.
  /** @param {string} id */
  unload(id) {
    const entry = this.find(id);
    if (!entry) throw this.unknown(id);
    entry.stopping?.abort();
    this.release(entry);
    if (entry.file) Object.assign(entry, { state: 'available', progress: 0 });
    else this.entries = this.entries.filter((other) => other !== entry);
    this.changed();
  }

  /** @param {Entry} entry */
  release(entry) {
    entry.loaded?.dispose();
    entry.loaded = undefined;
  }
}
