// Serves a folder on localhost, compressed as a web host would. Usage: node serve.mjs DIR [PORT]
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBrotliCompress, constants } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
  '.json': 'application/json', '.wasm': 'application/wasm', '.ttf': 'font/ttf',
  '.mbq': 'application/octet-stream', '.onnx': 'application/octet-stream',
};

// Resolves to { url, close() }. port 0: any free one. onSent(path, bytes): after every answer, the bytes of its
// body as they were sent.
export async function serve(folder, port = 0, onSent = () => {}) {
  const root = resolve(folder);
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    let file = join(root, normalize(path));
    const found = async () => stat(file).catch(() => null);
    if (!file.startsWith(root)) file = root;
    let info = await found();
    if (info?.isDirectory()) {
      file = join(file, 'index.html');
      info = await found();
    }
    if (!info) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found\n');
      return;
    }
    const headers = {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Last-Modified': info.mtime.toUTCString(),
      'Cache-Control': 'no-cache',
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
    response.writeHead(200, headers);
    const stream = createReadStream(packed ? `${file}.br` : file);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
    const body = brotli && !packed ? stream.pipe(createBrotliCompress(quality)) : stream;
    let sent = 0;
    body.on('data', (chunk) => { sent += chunk.length; });
    body.on('end', () => onSent(path, sent));
    body.pipe(response);
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
