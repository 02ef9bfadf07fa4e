// What the page's scripts say to people, in Korean and English, and the error that carries it. The words are
// rows of words.def; a code of an error is part of the documented interface (API.md).
import { WORDS } from './words.js';

/** @typedef {import('./minibert.js').ErrorCode} ErrorCode */
/** @typedef {import('./minibert.js').MinibertError} PublicError */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {'ko' | 'en'} Language */

// How a value is shown, where not as it is.
/** @type {Record<string, (value: any, language: Language) => string>} */
const SHOWN = {
  bytes: (bytes) => `${(bytes / 1e6).toFixed(1)} MB`,
  task: (task, language) => WORDS[/** @type {keyof typeof WORDS} */ (`does-${task}`)][language],
};

// Both languages of a word, with each "{name}" replaced by the value of that name.
/**
 * @param {keyof typeof WORDS} code
 * @param {Values} [values]
 */
export function texts(code, values = {}) {
  const say = (/** @type {Language} */ language) => WORDS[code][language].replace(/\{(\w+)\}/g, (_, name) =>
    SHOWN[name]?.(values[name], language) ?? `${values[name]}`);
  return { ko: say('ko'), en: say('en') };
}

// A word in the language that the page is in.
/** @type {(code: keyof typeof WORDS, values?: Values) => string} */
export const say = (code, values) => texts(code, values)[document.documentElement.lang === 'en' ? 'en' : 'ko'];

// What every function of window.minibert throws: `code` says which error it is, `values` its numbers and
// names, `message` the English sentence, `texts` both languages.
/** @implements {PublicError} */
export class MinibertError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {Values} [values]
   */
  constructor(code, values = {}) {
    const both = texts(code, values);
    super(both.en);
    this.name = /** @type {const} */ ('MinibertError');
    this.code = code;
    this.values = values;
    this.texts = both;
  }

  // Any thrown value as a MinibertError.
  /** @param {any} error */
  static from(error) {
    return error instanceof MinibertError ? error : new MinibertError('engine', { detail: error?.message ?? String(error) });
  }
}
