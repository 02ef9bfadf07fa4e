// The address' fragment: what page/state/settings.h writes ("t=…&x=…&q=…&p=…&m=…"), with long texts deflated and in
// base64 ("z=…" in place of "t=…", every "x=…" and the texts of the other tabs: a JSON array of the first two's
// texts, then of objects with the others), because programs cut long links.
import { inflate } from './inflate.js';

const LONG = 600;
const MOST_TEXT = 1 << 20;  // bytes that a link's text may unpack to

const pipe = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

// Characters that are not seen but would divide a word: zero-width spaces and joiners (but in emoji, also behind a tone
// of skin: $1), marks of direction, soft hyphens, a byte order mark. Safari before 16.4 has no lookbehind.
const UNSEEN = /(\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?\u200D(?=\p{Extended_Pictographic}))|[\u00AD\u200B-\u200F\u2060\uFEFF]/gu;

export const withoutUnseen = (text) => text.replace(UNSEEN, '$1');

// As an input method would have typed it: composed, no control characters, on one line, or with `lines` on as many,
// as a link's texts are: page/state/app.cpp knows which fields have lines.
export const clean = (text, lines = false) => (lines
  ? text.split(/\r\n?|\n/).map((line) => clean(line)).join('\n')
  : withoutUnseen(text.normalize('NFC')).replace(/[\s\p{Cc}]+/gu, ' '));

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

// The fragment's pairs of a name, and the others.
const split = (fragment) => fragment.split('&').filter(Boolean);
const isText = (pair) => /^[^acklmv]=/.test(pair);  // a text has a key of one letter, and these six are no texts
const decode = (pair) => decodeURIComponent(pair.slice(2).replaceAll('+', ' '));
const encode = (entries) => entries.map((entry, i) => {
  const [name, text] = typeof entry === 'string' ? [i === 0 ? 't' : 'x', entry] : Object.entries(entry)[0];
  return `${name}=${encodeURIComponent(clean(text, true))}`;
});

// A fragment's texts but exercises by their keys, encoded; and a fragment with those of `kept` that it lacks.
export const textsOf = (fragment) =>
  Object.fromEntries(split(fragment).filter((pair) => isText(pair) && !pair.startsWith('x=')).map((pair) => [pair[0], pair.slice(2)]));
export const withTexts = (fragment, kept) => {
  const has = textsOf(fragment);
  const lacking = Object.entries(kept).filter(([key, text]) => !(key in has) && /^[b-z]$/.test(key) && isText(`${key}=`) && typeof text === 'string');
  return [...split(fragment), ...lacking.map(([key, text]) => `${key}=${text}`)].join('&');
};

// Of a class's exercises the first one, whichever the teacher's page showed when the link was made.
export const atFirstExercise = (fragment) => {
  const pairs = split(fragment);
  const first = pairs.find((pair) => pair.startsWith('x='));
  return first && pairs.includes('lesson=1') ? pairs.map((pair) => pair.replace(/^t=.*/, () => `t=${first.slice(2)}`)).join('&') : fragment;
};

// fragment: of the page's settings, without '#'. `long`: characters of its sentences from which on they are
// deflated.
export async function packFragment(fragment, long = LONG) {
  const pairs = split(fragment);
  const texts = pairs.filter(isText);
  const length = texts.join('&').length;
  if (!pairs[0]?.startsWith('t=') || length < long || !globalThis.CompressionStream) return fragment;
  const bytes = new TextEncoder().encode(JSON.stringify(texts.map((pair) => (/^[tx]/.test(pair) ? decode(pair) : { [pair[0]]: decode(pair) }))));
  const packed = `z=${toBase64(await pipe(bytes, new CompressionStream('deflate-raw')))}`;
  return packed.length < length ? [packed, ...pairs.filter((pair) => !isText(pair))].join('&') : fragment;
}

// hash: what the address holds. A text that cannot be unpacked is left out, and `lost` is called: some programs cut
// long links.
export async function unpackFragment(hash, lost = () => {}) {
  const unpacked = await Promise.all(split(hash.replace(/^#/, '')).map(async (pair) => {
    try {
      if (pair.startsWith('z=')) return encode(JSON.parse(new TextDecoder().decode(await inflate(fromBase64(pair.slice(2)), MOST_TEXT))));
      if (isText(pair)) return pair.slice(0, 2) + encodeURIComponent(clean(decode(pair), true));
    } catch {
      lost();
      return [];
    }
    return pair;
  }));
  return unpacked.flat().join('&');
}
