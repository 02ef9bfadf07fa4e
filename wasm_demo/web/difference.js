// A model file that comes as what differs from another one, put together again. ../difference.py tells the format.
import { inflate } from './inflate.js';
import { MinibertError } from './minibert.js';

const MAGIC = 'MBQD\x01\0\0\0';
const HEADER = 20;
const PART = 16;
const [LITERAL, COPY, STEPS] = [0, 1, 2];

// Adler-32 (RFC 1950).
const mark = (/** @type {Uint8Array} */ bytes) => {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high * 65536 + low;
};

// The bytes of the parts, one after another, `size` in all. Throws a text that says what is wrong.
/** @type {(parts: Uint8Array, base: Uint8Array, size: number) => Uint8Array<ArrayBuffer>} */
function joined(parts, base, size) {
  const numbers = new DataView(parts.buffer, parts.byteOffset, parts.byteLength);
  const out = new Uint8Array(size);
  let to = 0;
  for (let at = 0; at < parts.length;) {
    if (at + PART > parts.length) throw `part at ${at}`;
    const [kind, from, rows, width] = [0, 4, 8, 12].map((offset) => numbers.getUint32(at + offset, true));
    at += PART;
    const length = rows * width;
    const counts = at + (kind === STEPS ? rows : 0);
    const end = kind === COPY ? at : counts + length;
    if (kind > STEPS || end > parts.length || to + length > size || (kind !== LITERAL && from + length > base.length)) throw `part at ${at - PART}`;
    out.set(kind === LITERAL ? parts.subarray(at, end) : base.subarray(from, from + length), to);
    if (kind === STEPS)
      for (let i = 0; i < length; ++i) out[to + i] += parts[counts + i] * parts[at + Math.floor(i / width)];
    at = end;
    to += length;
  }
  if (to !== size) throw `${to} bytes, expected ${size}`;
  return out;
}

// The model, byte for byte. `name` is said in errors: damaged, or of another base.
/** @type {(base: Uint8Array, difference: Uint8Array<ArrayBuffer>, name: string) => Promise<Uint8Array<ArrayBuffer>>} */
export async function together(base, difference, name) {
  const numbers = new DataView(difference.buffer, difference.byteOffset, difference.byteLength);
  const number = (/** @type {number} */ at) => numbers.getUint32(at, true);
  try {
    new DecompressionStream('deflate-raw');
  } catch {  // Firefox before 113
    throw new MinibertError('unsupported', { names: 'deflate-raw' });
  }
  try {
    if (difference.length < HEADER || String.fromCharCode(...difference.subarray(0, MAGIC.length)) !== MAGIC) throw 'MBQD';
    const [baseSize, size, baseMark] = [8, 12, 16].map(number);
    if (base.length !== baseSize || mark(base) !== baseMark) throw `base ${mark(base)}, expected ${baseMark}`;
    // A part takes at most its header, a step a byte, and its bytes.
    return joined(await inflate(difference.subarray(HEADER), 4 * size), base, size);
  } catch (/** @type {any} */ error) {
    throw new MinibertError('bad-model', { name, detail: error.message ?? error });
  }
}
