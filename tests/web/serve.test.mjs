// The local server under bad requests: it answers every one, leaves no file open and shows nothing outside its folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { serve } from '../../wasm_demo/serve.mjs';

let folder, server, port;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'minibert-serve-'));
  await mkdir(join(folder, 'site/empty/index.html'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'site/index.html'), '<p>안녕</p>');
  await writeFile(join(folder, 'site/large.bin'), Buffer.alloc(8 << 20));
  await symlink('../secret.txt', join(folder, 'site/link.txt'));
  server = await serve(join(folder, 'site'));
  port = Number(new URL(server.url).port);
});

after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

// fetch() would put an odd path right before it is sent.
const get = (path, method = 'GET', header = '') => new Promise((done, fail) => {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n`);
  });
  let text = '';
  socket.on('data', (part) => { text += part; });
  socket.on('error', fail);
  socket.on('close', () => done({ status: Number(text.split(' ')[1]), text }));
});

test('bad requests are answered, and the server lives on', async () => {
  for (const [path, status] of [
    ['/%', 400], ['/%ff', 400], ['/%00', 400], ['http://[', 400], ['/empty', 404], ['/empty/', 404],
    ['/none', 404], ['/index.html/x', 404],
  ]) assert.equal((await get(path)).status, status, path);
  assert.ok((await get('//')).status >= 200);
  for (const method of ['POST', 'DELETE', 'PUT']) assert.equal((await get('/', method)).status, 405, method);
  assert.match((await get('/')).text, /안녕/);
});

test('nothing outside the folder is shown', async () => {
  for (const path of ['/link.txt', '/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/../site-2/x']) {
    const { status, text } = await get(path);
    assert.notEqual(status, 200, path);
    assert.doesNotMatch(text, /secret$/);
  }
});

test('pages are cross-origin isolated unless asked otherwise', async () => {
  assert.match((await get('/')).text, /Cross-Origin-Embedder-Policy: require-corp/);
  const plain = await serve(join(folder, 'site'), 0, { isolated: false });
  assert.equal((await fetch(plain.url)).headers.get('Cross-Origin-Opener-Policy'), null);
  await plain.close();
});

test('HEAD has the length and no body', async () => {
  const { status, text } = await get('/large.bin', 'HEAD');
  assert.equal(status, 200);
  assert.match(text, /content-length: 8388608/i);
  assert.ok(text.length < 1000);
});

test('a folder without its final slash is sent on to it', async () => {
  await mkdir(join(folder, 'site/deep'));
  await writeFile(join(folder, 'site/deep/index.html'), '<p>깊이</p>');
  const { status, text } = await get('/deep?x=1');
  assert.equal(status, 301);
  assert.match(text, /^location: \/deep\/\?x=1\r$/im);
  assert.equal((await get('/deep/')).status, 200);
});

test('a packed file is sent where it lies in the folder and is not older than its file', async () => {
  const site = (name) => join(folder, 'site', name);
  for (const name of ['new', 'old', 'out']) await writeFile(site(`${name}.txt`), 'text');
  for (const name of ['new', 'old']) await writeFile(site(`${name}.txt.br`), 'packed');
  await symlink('../secret.txt', site('out.txt.br'));
  await utimes(site('old.txt.br'), 1, 1);
  await utimes(site('out.txt'), 1, 1);
  const head = async (name) => (await get(`/${name}.txt`, 'HEAD', 'Accept-Encoding: br\r\n')).text;
  assert.match(await head('new'), /content-length: 6\r/i);
  for (const name of ['old', 'out']) assert.doesNotMatch(await head(name), /content-length/i, name);
  assert.match(await head('new'), /content-type: text\/plain; charset=utf-8\r/i);
});

test('brotli is sent to those alone who take it', async () => {
  await writeFile(join(folder, 'site/taken.txt'), 'text');
  const sent = async (accepted) => /content-encoding: br/i.test((await get('/taken.txt', 'HEAD', accepted ? `Accept-Encoding: ${accepted}\r\n` : '')).text);
  for (const accepted of ['br', 'gzip, br;q=0.1', 'BR', '*', 'gzip;q=0, *;q=0.5']) assert.ok(await sent(accepted), accepted);
  for (const accepted of ['', 'gzip', 'br;q=0', 'br; q=0.0, gzip', 'br;q=0, *', '*;q=0', 'brx']) assert.ok(!await sent(accepted), accepted);
});

test('a part of a file is sent where one is asked for', async () => {
  await writeFile(join(folder, 'site/part.txt'), '0123456789');
  const part = (range, more = '') => get('/part.txt', 'GET', `Range: ${range}\r\n${more}`);
  for (const [range, bytes, place] of [['bytes=2-4', '234', '2-4'], ['bytes=7-', '789', '7-9'], ['bytes=-2', '89', '8-9'],
    ['bytes=0-99', '0123456789', '0-9'], ['bytes=-99', '0123456789', '0-9']]) {
    const { status, text } = await part(range, 'Accept-Encoding: br\r\n');
    assert.equal(status, 206, range);
    assert.match(text, new RegExp(`content-range: bytes ${place}/10\r`, 'i'), range);
    assert.match(text, new RegExp(`content-length: ${bytes.length}\r`, 'i'), range);
    assert.ok(text.endsWith(`\r\n\r\n${bytes}`), range);
  }
  for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
    const { status, text } = await part(range);
    assert.equal(status, 416, range);
    assert.match(text, /content-range: bytes \*\/10\r/i, range);
  }
  for (const range of ['bytes=4-2', 'bytes=0-1,3-4', 'bytes=x-', 'lines=0-1', 'bytes=-'])
    assert.equal((await part(range)).status, 200, range);
  assert.equal((await part('bytes=0-1', 'If-Range: Thu, 01 Jan 1970 00:00:01 GMT\r\n')).status, 200);
});

test('arguments that cannot be served are refused in one line', () => {
  const program = fileURLToPath(new URL('../../wasm_demo/serve.mjs', import.meta.url));
  for (const args of [[], [join(folder, 'none')], [join(folder, 'secret.txt')], [folder, 'abc'], [folder, '99999']]) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: 30000 });
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /^serve\.mjs: found .+, expected .+\n$/);
  }
});

test('an unreadable file is refused', { skip: process.getuid() === 0 }, async () => {
  const path = join(folder, 'site/closed.txt');
  await writeFile(path, 'x');
  await chmod(path, 0);
  assert.equal((await get('/closed.txt')).status, 403);
});

test('downloads that are broken off leave no file open', async () => {
  const open = async () => (await readdir('/proc/self/fd')).length;
  const earlier = await open();
  for (let i = 0; i < 50; ++i) {
    await new Promise((done) => {
      const aborted = request({ port, path: '/large.bin', headers: i % 2 ? { 'accept-encoding': 'br' } : {} }, (response) => {
        response.once('data', () => aborted.destroy());
      });
      aborted.on('close', done).on('error', () => {}).end();
    });
  }
  for (let i = 0; i < 100 && (await open()) > earlier + 5; ++i) await new Promise((done) => { setTimeout(done, 20); });
  assert.ok((await open()) <= earlier + 5);
});
