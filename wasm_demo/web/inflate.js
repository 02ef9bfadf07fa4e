// Deflated bytes (RFC 1951) as they were, if those are at most `most`.
/** @type {(packed: Uint8Array<ArrayBuffer>, most: number) => Promise<Uint8Array<ArrayBuffer>>} */
export async function inflate(packed, most) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks = [];
  for (let size = 0;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > most) throw new Error(`more than ${most} bytes`);
    chunks.push(value);
  }
}
