// One headless Chromium with a software WebGL, and the built page in it.
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

// A page in a context of its own, with errors collected in page.errors.
export async function open(browser, url, { width = 1280, height = 860, ratio = 1, locale = 'ko-KR', ...rest } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, deviceScaleFactor: ratio, locale, serviceWorkers: 'block', ...rest,
  });
  context.setDefaultTimeout(LIMIT_MS);
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

// Waits until no frame was drawn for a while: everything asked for is shown.
export async function settled(page, quietMs = 150) {
  let frames = -1;
  for (let i = 0; i < 100; ++i) {
    const now = (await state(page)).frames;
    if (now === frames) return;
    frames = now;
    await page.waitForTimeout(quietMs);
  }
  throw new Error('the page never comes to rest');
}

// Clicks in the middle of a named widget.
export async function click(page, name, options = {}) {
  const box = (await state(page)).boxes[name];
  if (!box) throw new Error(`no widget "${name}"; there are: ${Object.keys((await state(page)).boxes).join(', ')}`);
  // Between two pixels, where a pointer may well be.
  await page.mouse.click(Math.floor(box[0] + box[2] / 2) + 0.5, box[1] + box[3] / 2, options);
  await settled(page);
}
