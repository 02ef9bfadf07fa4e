// The error that everything here throws. Its words are rows of words.def; a code is part of the documented
// interface (README.md): none is renamed.
import { ERRORS } from './built.js';

/** @typedef {import('./minibert.js').ErrorCode} ErrorCode */
/** @typedef {import('./minibert.js').MinibertError} PublicError */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {'ko' | 'en'} Language */

// How a value is shown, where not as it is.
/** @type {Record<string, (value: any, language: Language) => string>} */
const SHOWN = {
  bytes: (bytes) => `${(bytes / 1e6).toFixed(1)} MB`,
  task: (task, language) => ERRORS[/** @type {keyof typeof ERRORS} */ (`does-${task}`)][language],
};

// `code` says which error it is, `values` its numbers and names, `message` the English sentence, `texts` both
// languages.
/** @implements {PublicError} */
export class MinibertError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {Values} [values]
   */
  constructor(code, values = {}) {
    const say = (/** @type {Language} */ language) => ERRORS[code][language].replace(/\{(\w+)\}/g, (_, name) =>
      SHOWN[name]?.(values[name], language) ?? `${values[name]}`);
    super(say('en'));
    this.name = /** @type {const} */ ('MinibertError');
    this.code = code;
    this.values = values;
    this.texts = { ko: say('ko'), en: this.message };
  }

  // Any thrown value as a MinibertError.
  /** @param {any} error */
  static from(error) {
    return error instanceof MinibertError ? error : new MinibertError('engine', { detail: error?.message ?? String(error) });
  }

  // The same error, of one text among several: its number, from 0, stands in front of the sentence.
  /** @param {number} index */
  at(index) {
    this.index = index;
    const say = (/** @type {string} */ text) => `texts[${index}]: ${text}`;
    this.texts = { ko: say(this.texts.ko), en: say(this.texts.en) };
    this.message = this.texts.en;
    return this;
  }
}
