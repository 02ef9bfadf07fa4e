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
  '.json': 'application/json', '.wasm': 'application/wasm', '.ttf': 'font/ttf',
  '.mbq': 'application/octet-stream', '.onnx': 'application/octet-stream',
};

// The file that a request means, or the status that answers it otherwise.
async function find(root, request) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405 };
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  } catch {
    return { status: 400 };
  }
  if (path.includes('\0')) return { status: 400 };
  let file = join(root, normalize(path));
  try {
    if ((await stat(file)).isDirectory()) file = join(file, 'index.html');
    file = await realpath(file);  // a link must not lead out of the folder
    const info = await stat(file);
    if (info.isFile() && file.startsWith(root + sep)) return { status: 200, file, info };
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return { status: 403 };
  }
  return { status: 404 };
}

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

async function answer(root, request, response, { onSent, isolated }) {
  const { status, file, info } = await find(root, request);
  if (status !== 200) {
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${STATUS_CODES[status]}\n`);
    return;
  }
  const headers = {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Last-Modified': info.mtime.toUTCString(),
    'Cache-Control': 'no-cache',
    ...(isolated ? ISOLATED : {}),
  };
  if (Date.parse(request.headers['if-modified-since']) >= Math.floor(info.mtimeMs / 1000) * 1000) {
    response.writeHead(304, headers).end();
    return;
  }
  const brotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  const packed = brotli && await stat(`${file}.br`).catch(() => null);
  if (brotli) headers['Content-Encoding'] = 'br';
  if (packed) headers['Content-Length'] = packed.size;
  else if (!brotli) headers['Content-Length'] = info.size;
  if (request.method === 'HEAD') {
    response.writeHead(200, headers).end();
    return;
  }
  const opened = await open(packed ? `${file}.br` : file);  // before the head is written: it may be unreadable
  response.writeHead(200, headers);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  let sent = 0;
  const count = async function* (chunks) {
    for await (const chunk of chunks) {
      sent += chunk.length;
      yield chunk;
    }
  };
  // Closes the file also when the other side goes away.
  await pipeline(opened.createReadStream(), ...(brotli && !packed ? [createBrotliCompress(quality)] : []), count,
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
  const { url } = await serve(folder, Number(port)).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return serve(folder, 0);
  });
  console.log(`minibert is at ${url} (Ctrl+C ends it)`);
}
