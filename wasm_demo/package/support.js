// What the engine needs of a browser, tested before anything is downloaded.

// (func (result v128) i32.const 0 i8x16.splat)
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];
// (func (result v128) three v128.const 0, i32x4.relaxed_dot_i8x16_i7x16_add_s)
const zero = [253, 12, ...new Array(16).fill(0)];
const RELAXED_BODY = [0, ...zero, ...zero, ...zero, 253, 147, 2, 11];
const RELAXED = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, RELAXED_BODY.length + 2, 1,
  RELAXED_BODY.length, ...RELAXED_BODY];

/** @type {(bytes: number[]) => boolean} */
const validates = (bytes) => {
  try {
    return WebAssembly.validate(new Uint8Array(bytes));
  } catch {
    return false;
  }
};

export const hasSimd = () => validates(SIMD);
export const hasRelaxedSimd = () => validates(RELAXED);

// The names of what is missing, for people; empty if the page can run.
export function missingFeatures() {
  /** @type {string[]} */
  const missing = [];
  if (typeof WebAssembly !== 'object' || !hasSimd()) missing.push('WebAssembly SIMD');
  if (typeof Worker !== 'function') missing.push('Web Workers');
  return missing;
}
