// One headless Chromium with a software WebGL, and the built page in it.
import jsqr from 'jsqr';
import { chromium } from 'playwright-core';

// One test's time; a busy machine may need more.
export const LIMIT_MS = 1000 * Number(process.env.LIMIT_S ?? 60);
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function launch(extra = []) {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--no-first-run', ...extra],
  });
}

// A page in a context of its own, with errors collected in page.errors. Data saver is on, so that no model comes by
// itself, unless `connection` (navigator.connection) says otherwise.
export async function open(browser, url, { width = 1280, height = 860, ratio = 1, locale = 'ko-KR', connection = { saveData: true }, ...rest } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, deviceScaleFactor: ratio, locale, serviceWorkers: 'block', ...rest,
  });
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript((value) => Object.defineProperty(navigator, 'connection', { value }), connection);
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('console', (message) => {
    const harmless = /blocked by Playwright/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !harmless) page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

export async function started(page) {
  await page.waitForFunction(() => window.minibert?.page?.state().frames > 0, null, { timeout: LIMIT_MS });
  await settled(page);
  return page;
}

// One started page that the tests of an area share, because starting takes most of a test's time. Each
// test begins with its own address, an empty undo history and no composition.
let shared = null;
export const isShared = (context) => shared?.context() === context;

export async function fresh({ browser, url }, fragment) {
  if (!shared || shared.isClosed()) {
    shared = await started(await open(browser, url, { permissions: ['clipboard-read', 'clipboard-write'] }));
  }
  shared.errors.length = 0;
  await shared.mouse.move(0, 0);
  await shared.evaluate((text) => {
    document.getElementById('input').blur();
    window.minibert.page.open(text);
    document.getElementById('input').focus();
  }, fragment);
  await settled(shared);
  return shared;
}

export const state = (page) => page.evaluate(() => window.minibert.page.state());

// Waits until everything asked for is shown: no frame is due and no question open, for two frames.
export const settled = (page) => page.evaluate(() => new Promise((done, fail) => {
  let calm = 0;
  const look = (left) => {
    calm = window.minibert.page.idle() ? calm + 1 : 0;
    if (calm === 2) done();
    else if (!left) fail(new Error('the page never comes to rest'));
    else requestAnimationFrame(() => look(left - 1));
  };
  look(2000);
}));

// Until an async function of the page gives something true. (waitForFunction takes the promise itself for
// an answer, and does not wait.)
export async function until(page, ask, argument) {
  const end = Date.now() + LIMIT_MS / 2;
  while (!await page.evaluate(ask, argument)) {
    if (Date.now() > end) throw new Error(`never true: ${ask}`);
    await page.waitForTimeout(50);
  }
}

// The page's address once it holds these pairs (`q=…`, not encoded). The page writes it a while after it came
// to rest, so that until then an earlier state stands there.
export async function addressWith(page, ...pairs) {
  await until(page, async (wanted) => {
    const { unpackFragment } = await import(new URL('link.js', location).href);
    const fragment = await unpackFragment(location.hash);
    return wanted.every((pair) => fragment.split('&').includes(pair));
  }, pairs.map((pair) => pair.slice(0, 2) + encodeURIComponent(pair.slice(2))));
  return page.evaluate(() => location.href);
}

// Clicks in the middle of a named widget.
export async function click(page, name, options = {}) {
  const box = (await state(page)).boxes[name];
  if (!box) throw new Error(`no widget "${name}"; there are: ${Object.keys((await state(page)).boxes).join(', ')}`);
  // Between two pixels, where a pointer may well be.
  await page.mouse.click(Math.floor(box[0] + box[2] / 2) + 0.5, box[1] + box[3] / 2, options);
  await settled(page);
}

// Presses the mirror's button of this text.
export async function press(page, text) {
  await page.evaluate((wanted) => {
    const found = [...document.querySelectorAll('#page button')].find((button) => button.textContent === wanted);
    if (!found) throw new Error(`no button "${wanted}"`);
    found.click();
  }, text);
  await settled(page);
}

// What a QR code in a picture says.
export async function decoded(page, png) {
  const { data, width, height } = await page.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    // One character a pixel: many times as quick to hand over as an array of numbers.
    let light = '';
    for (let i = 0; i < pixels.length; i += 4) light += pixels[i] > 127 ? '1' : '0';
    return { data: light, width: image.width, height: image.height };
  }, png.toString('base64'));
  const pixels = new Uint8ClampedArray(4 * data.length).fill(255);
  for (let i = 0; i < data.length; ++i) if (data[i] === '0') pixels.fill(0, 4 * i, 4 * i + 3);
  return jsqr(pixels, width, height)?.data;
}
