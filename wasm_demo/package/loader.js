// Downloads with progress. A failure says which file and why, and the same load can be tried again.
import { MinibertError } from './errors.js';

/** @typedef {import('./minibert.js').DownloadOptions} DownloadOptions */

// What reads a file where fetch() reads none: in Node.js, an address `file:` or a path.
/** @type {(url: string) => { readFile: (place: URL | string) => Promise<Uint8Array<ArrayBuffer>> } | undefined} */
const disk = (url) => (url.startsWith('file:') || isPath(url) ? /** @type {any} */ (globalThis).process?.getBuiltinModule?.('node:fs/promises') : undefined);
// "C:\" is no scheme.
const isPath = (/** @type {string} */ url) => !globalThis.location && !/^[a-z][a-z0-9+.-]+:/i.test(url);

// One file's bytes. `onProgress(received, total)`; `total` is `size` if given, because the length
// that a server announces is the compressed one. `signal` stops it: its reason is thrown.
/**
 * @param {string | URL} source
 * @param {DownloadOptions} [options]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(source, { size = 0, onProgress = () => {}, signal } = {}) {
  const url = String(source);
  let response;
  const files = disk(url);
  if (files) {
    try {
      return new Uint8Array(await files.readFile(isPath(url) ? url : new URL(url)));
    } catch (/** @type {any} */ error) {
      throw new MinibertError('unreadable', { file: url, detail: error.message });
    }
  }
  try {
    response = await fetch(url, { signal });
  } catch (/** @type {any} */ error) {
    if (signal?.aborted) throw signal.reason;
    throw new MinibertError('network', { file: url, detail: error.message });
  }
  if (!response.ok) throw new MinibertError('http', { file: url, status: response.status });
  const announced = response.headers.has('Content-Encoding') ? 0 : Number(response.headers.get('Content-Length'));
  const total = size || announced || 0;
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const chunks = [];
  let received = 0;
  try {
    for (const reader = response.body.getReader();;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      received += value.length;
      onProgress(received, Math.max(total, received));
    }
  } catch (/** @type {any} */ error) {
    if (signal?.aborted) throw signal.reason;
    throw new MinibertError('network', { file: url, detail: `${error.message}, ${received} of ${total || '?'} bytes` });
  }
  if (size && received !== size) throw new MinibertError('cut-off', { file: url, received, size });
  const bytes = new Uint8Array(received);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

// Several loads as one progress bar, weighted by size. One whose size is not known (0) counts as it comes.
export class Progress {
  /** @param {(part: number, received: number, size: number) => void} onChange */
  constructor(onChange) {
    /** @type {Map<string, { received: number, size: number }>} */
    this.parts = new Map();
    this.onChange = onChange;
  }
  /**
   * @param {string} name
   * @param {number} size
   */
  part(name, size) {
    const part = { received: 0, size };
    this.parts.set(name, part);
    return (/** @type {number} */ received, total = 0) => {
      part.received = received;
      part.size = size || Math.max(total, received);
      this.report();
    };
  }
  report() {
    let received = 0;
    let size = 0;
    for (const part of this.parts.values()) {
      received += Math.min(part.received, part.size);
      size += part.size;
    }
    this.onChange(size ? received / size : 0, received, size);
  }
}
