// What the page's scripts say to people, in Korean and English: rows of words.def.
import { WORDS } from './words.js';

/** @type {Record<string, { ko: string, en: string }>} */
const ALL = WORDS;

// Both languages of a word, with each "{name}" replaced by the value of that name.
/**
 * @param {string} word
 * @param {Record<string, string | number | undefined>} [values]
 */
export function texts(word, values = {}) {
  const said = (/** @type {'ko' | 'en'} */ language) => ALL[word][language].replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);
  return { ko: said('ko'), en: said('en') };
}

// A word in the language that the page is in.
/** @type {(word: string, values?: Record<string, string | number | undefined>) => string} */
export const say = (word, values) => texts(word, values)[document.documentElement.lang === 'en' ? 'en' : 'ko'];
