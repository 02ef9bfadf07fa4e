// Serves a folder on localhost, compressed as a web host would, and cross-origin isolated, so that the page's
// threads may share memory. Usage: node serve.mjs DIR [PORT]
import { open, realpath, stat } from 'node:fs/promises';
import { createServer, STATUS_CODES } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createBrotliCompress, constants } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
  '.json': 'application/json', '.txt': 'text/plain; charset=utf-8', '.wasm': 'application/wasm', '.ttf': 'font/ttf', '.svg': 'image/svg+xml', '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.mbq': 'application/octet-stream', '.mbqs': 'application/octet-stream', '.onnx': 'application/octet-stream',
};

// The real path and facts of a file of the folder, else null: a link must not lead out of it.
async function inFolder(root, file) {
  const path = await realpath(file);
  const info = await stat(path);
  return info.isFile() && path.startsWith(root + sep) ? { file: path, info } : null;
}

// FILE.br, unless the file has changed since.
async function packedOf(root, { file, info }) {
  const packed = await inFolder(root, `${file}.br`).catch(() => null);
  return packed && packed.info.mtimeMs >= info.mtimeMs ? packed : null;
}

// The file that a request means, or the status that answers it otherwise.
async function find(root, request) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405 };
  let url, path;
  try {
    url = new URL(request.url, 'http://localhost');
    path = decodeURIComponent(url.pathname);
  } catch {
    return { status: 400 };
  }
  if (path.includes('\0')) return { status: 400 };
  const place = join(root, normalize(path));
  try {
    const isFolder = (await stat(place)).isDirectory();
    const found = await inFolder(root, isFolder ? join(place, 'index.html') : place);
    // Else the page's relative addresses would mean the folder above. One '/' in front: two would name a host.
    if (found && isFolder && !path.endsWith('/'))
      return { status: 301, location: `${url.pathname.replace(/^\/+/, '/')}/${url.search}` };
    if (found) return { status: 200, ...found };
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return { status: 403 };
  }
  return { status: 404 };
}

// Whether an Accept-Encoding takes brotli: by name or by "*", with a weight above 0 (RFC 9110, 12.5.3).
function takesBrotli(accepted = '') {
  const weights = new Map(accepted.toLowerCase().split(',').map((one) => {
    const [coding, ...parameters] = one.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return [coding, weight ? Number(weight.slice(2)) : 1];
  }));
  return (weights.get('br') ?? weights.get('*') ?? 0) > 0;
}

// The bytes that a Range asks for, as { start, end } of a file of that size; null where it asks for none, or for
// several parts, so that all is sent; 'none' where there are none such (RFC 9110, 14.2).
function rangeOf({ range, 'if-range': condition }, info) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if ((!first && !last) || !info.size) return null;
  if (condition && condition !== info.mtime.toUTCString()) return null;
  if (!first) return Number(last) ? { start: Math.max(0, info.size - Number(last)), end: info.size - 1 } : 'none';
  if (last && Number(last) < Number(first)) return null;
  if (Number(first) >= info.size) return 'none';
  return { start: Number(first), end: Math.min(last ? Number(last) : info.size, info.size - 1) };
}

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

async function answer(root, request, response, { onSent, isolated }) {
  const { status, location, file, info } = await find(root, request);
  if (status !== 200) {
    const moved = location ? { Location: location } : {};
    response.writeHead(status, { 'Content-Type': 'text/plain', ...moved }).end(`${STATUS_CODES[status]}\n`);
    return;
  }
  const headers = {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Last-Modified': info.mtime.toUTCString(),
    'Cache-Control': 'no-cache',
    'Accept-Ranges': 'bytes',
    Vary: 'Accept-Encoding',
    ...(isolated ? ISOLATED : {}),
  };
  if (Date.parse(request.headers['if-modified-since']) >= Math.floor(info.mtimeMs / 1000) * 1000) {
    response.writeHead(304, headers).end();
    return;
  }
  // A part is of the file as it is.
  const range = rangeOf(request.headers, info);
  if (range === 'none') {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${info.size}` }).end();
    return;
  }
  const brotli = !range && takesBrotli(request.headers['accept-encoding']);
  const packed = brotli ? await packedOf(root, { file, info }) : null;
  if (brotli) headers['Content-Encoding'] = 'br';
  if (packed) headers['Content-Length'] = packed.info.size;
  else if (range) headers['Content-Length'] = range.end - range.start + 1;
  else if (!brotli) headers['Content-Length'] = info.size;
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${info.size}`;
  const code = range ? 206 : 200;
  if (request.method === 'HEAD') {
    response.writeHead(code, headers).end();
    return;
  }
  const opened = await open(packed ? packed.file : file);  // before the head is written: it may be unreadable
  response.writeHead(code, headers);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  let sent = 0;
  const count = async function* (chunks) {
    for await (const chunk of chunks) {
      sent += chunk.length;
      yield chunk;
    }
  };
  // Closes the file also when the other side goes away.
  await pipeline(opened.createReadStream(range ?? {}), ...(brotli && !packed ? [createBrotliCompress(quality)] : []), count,
                 response);
  onSent(new URL(request.url, 'http://localhost').pathname, sent);
}

// Resolves to { url, close() }. port 0: any free one. onSent(path, bytes): after every answer, the bytes of its
// body as they were sent. isolated: false as hosts that set no headers.
export async function serve(folder, port = 0, { onSent = () => {}, isolated = true } = {}) {
  const root = await realpath(resolve(folder));
  const server = createServer((request, response) => {
    answer(root, request, response, { onSent, isolated }).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Forbidden\n');
    });
  });
  await new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, port = '8000'] = process.argv.slice(2);
  const refuse = (found, expected) => {
    console.error(`serve.mjs: found ${found}, expected ${expected}`);
    process.exit(2);
  };
  if (!folder) refuse('no argument', 'the folder to serve');
  if (!(await stat(folder).catch(() => null))?.isDirectory()) refuse(`no folder "${folder}"`, 'the folder to serve');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) refuse(`port "${port}"`, 'a number from 0 to 65535');
  const { url } = await serve(folder, Number(port)).catch((error) => {
    if (error.code === 'EACCES') refuse(`port ${port}, which this user may not open`, 'one from 1024 on');
    if (error.code !== 'EADDRINUSE') throw error;
    return serve(folder, 0);
  });
  console.log(`minibert is at ${url} (Ctrl+C ends it)`);
}
