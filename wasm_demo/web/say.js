// What the page's scripts say to people, in Korean and English: rows of words.def.
import { WORDS } from './words.js';

// Both languages of a word, with each "{name}" replaced by the value of that name.
export function texts(word, values = {}) {
  const said = (language) => WORDS[word][language].replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);
  return { ko: said('ko'), en: said('en') };
}

// A word in the language that the page is in.
export const say = (word, values) => texts(word, values)[document.documentElement.lang === 'en' ? 'en' : 'ko'];
