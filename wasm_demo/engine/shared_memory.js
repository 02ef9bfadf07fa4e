// WebAssembly that runs in several threads.

const HEADER = 8;
const IMPORTS = 2;  // section
const FUNCTION = 0, TABLE = 1, MEMORY = 2;  // kinds of imports; else a global
const HAS_MAXIMUM = 1, SHARED = 2;  // flags of a size

// The bytes of a module that imports its memory, with that memory declared as shared, which is one bit: so
// one file serves pages that may share memory and pages that may not. Its maximum must be declared.
export function withSharedMemory(module) {
  const bytes = module.slice();
  let at = HEADER;
  const number = () => {  // LEB128
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const skipName = () => {
    const length = number();
    at += length;
  };
  const skipSize = () => {
    if (number() & HAS_MAXIMUM) number();
    number();
  };
  while (bytes[at] !== IMPORTS) {
    ++at;
    const length = number();
    at += length;
  }
  ++at;
  number();
  for (let left = number(); left > 0; --left) {
    skipName();
    skipName();
    const kind = bytes[at++];
    if (kind === MEMORY) {
      bytes[at] |= SHARED;
      return bytes;
    }
    if (kind === FUNCTION) number();
    else if (kind === TABLE) ++at, skipSize();
    else at += 2;
  }
  throw new Error('found no memory among the imports');
}
