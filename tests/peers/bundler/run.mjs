// The npm package in a project that Vite builds, and in Vite's development server: a page fills a mask in Chromium,
// the built one from a folder below and under a strict policy. Usage: node run.mjs PACKAGE.tgz WORK_DIR RESULTS.json
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as listen } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createServer, version } from 'vite';

import { launch, open } from '../../web/browser.mjs';

const [archive, work, results] = process.argv.slice(2).map((name) => resolve(name));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";

// A project with the package in its node_modules.
function project() {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'node_modules'), { recursive: true });
  mkdirSync(join(work, 'public'));
  execFileSync('tar', ['-xzf', archive, '-C', join(work, 'node_modules')]);
  execFileSync('mv', [join(work, 'node_modules/package'), join(work, 'node_modules/minibert')]);
  copyFileSync(fileURLToPath(new URL('../../../wasm_demo/models/everyday-1m.mbq', import.meta.url)), join(work, 'public/model.mbq'));
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(work, 'index.html'), '<!doctype html><link rel="icon" href="data:,"><p id="out"></p><script type="module" src="/main.js"></script>\n');
  writeFileSync(join(work, 'main.js'), `import { pipeline } from 'minibert';
const fill = await pipeline('fill-mask', new URL('model.mbq', location.href));
const { masks, kernel } = await fill('대한민국의 수도는 [MASK]이다.');
document.getElementById('out').textContent = masks[0].guesses.map(({ text }) => text).join() + ' ' + kernel;
`);
}

// dist below /some/where/, as a host that knows nothing of it serves it.
async function host() {
  const server = listen((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/some\/where\//, '') || 'index.html';
    try {
      const body = readFileSync(join(work, 'dist', path));
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', 'Content-Security-Policy': STRICT }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://localhost:${server.address().port}/some/where/`, close: () => { server.closeAllConnections(); server.close(); } };
}

async function fills(browser, url) {
  const page = await open(browser, url);
  await page.waitForFunction(() => document.getElementById('out')?.textContent.includes('SIMD'));
  const found = await page.textContent('#out');
  const workers = page.workers().length;
  await page.context().close();
  if (workers !== 1) throw new Error(`found ${workers} workers, expected 1`);
  const errors = page.errors.filter((error) => !/style|preload/.test(error));
  if (errors.length) throw new Error(errors.join('; '));
  return found;
}

const checks = [];
async function check(name, work) {
  try {
    const figures = await work();
    checks.push({ check: name, peer: 'Vite', passed: true, figures });
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    checks.push({ check: name, peer: 'Vite', passed: false, figures: { error: error.message.split('\n')[0] } });
  }
}

project();
const browser = await launch();
await check('npm package: built', async () => {
  await build({ root: work, base: './', logLevel: 'warn', build: { target: 'es2022' } });
  const site = await host();
  try {
    return { found: (await fills(browser, site.url)).split(' ')[0] };
  } finally {
    site.close();
  }
});
await check('npm package: development server', async () => {
  const server = await createServer({ root: work, logLevel: 'warn', optimizeDeps: { exclude: ['minibert'] }, server: { port: 0, host: '127.0.0.1', watch: null } });
  await server.listen();
  try {
    return { found: (await fills(browser, `http://127.0.0.1:${server.httpServer.address().port}/`)).split(' ')[0] };
  } finally {
    await server.close();
  }
});
await browser.close();
writeFileSync(results, JSON.stringify({ versions: { Vite: version }, checks }));
for (const { check: name, passed, figures } of checks) console.log(`${passed ? 'ok    ' : 'FAIL  '}${name} ${JSON.stringify(figures)}`);
process.exit(checks.every(({ passed }) => passed) ? 0 : 1);
