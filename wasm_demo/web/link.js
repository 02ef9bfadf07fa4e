// The address' fragment: what page/settings.h writes ("t=…&m=…"), with a long text deflated and in base64
// ("z=…" in place of "t=…"), because programs cut long links.

const LONG = 600;  // characters of "t=…" from which on the text is deflated
const MOST_TEXT = 1 << 20;  // bytes that a link's text may unpack to

const pipe = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

// As an input method would have typed it: composed, on one line, no control characters.
export const clean = (text) => text.normalize('NFC').replace(/[\s\p{Cc}]+/gu, ' ');

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

async function inflate(packed) {
  const reader = new Blob([fromBase64(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks = [];
  for (let size = 0;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > MOST_TEXT) throw new Error(`more than ${MOST_TEXT} bytes`);
    chunks.push(value);
  }
}

// fragment: of the page's settings, without '#'.
export async function packFragment(fragment) {
  const [text] = fragment.split('&', 1);
  if (!text.startsWith('t=') || text.length < LONG || !globalThis.CompressionStream) return fragment;
  const bytes = new TextEncoder().encode(decodeURIComponent(text.slice(2)));
  return `z=${toBase64(await pipe(bytes, new CompressionStream('deflate-raw')))}${fragment.slice(text.length)}`;
}

// hash: what the address holds. A text that cannot be unpacked is left out.
export async function unpackFragment(hash) {
  const pairs = hash.replace(/^#/, '').split('&').filter(Boolean);
  const unpacked = await Promise.all(pairs.map(async (pair) => {
    const value = pair.slice(2);
    try {
      if (pair.startsWith('z=')) return `t=${encodeURIComponent(clean(await inflate(value)))}`;
      if (pair.startsWith('t=')) return `t=${encodeURIComponent(clean(decodeURIComponent(value.replaceAll('+', ' '))))}`;
    } catch {
      return '';
    }
    return pair;
  }));
  return unpacked.filter(Boolean).join('&');
}
