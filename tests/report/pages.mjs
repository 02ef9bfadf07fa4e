// Reports of shipped runs for tests and benchmarks, and waiting until one is drawn.
// Environment: MINIBERT_PROGRAM.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { open } from '../web/browser.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const LARGEST_PAGE = 3 * 1024 * 1024;

// A folder's records, `results/<experiment>/<profile>`.
export const recordsOf = (folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.h5')).sort()
  .map((name) => join(ROOT, folder, name));

// Fifty runs: the records of these folders, filled up with copies of the first ones, which are arms of their own
// because they lie elsewhere.
export function fiftyRuns(folders, scratch) {
  const all = folders.flatMap(recordsOf);
  for (let i = 0; all.length < 50; ++i) {
    const copy = join(scratch, `copy-${Math.floor(i / 20)}`, `${i}.h5`);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(all[i], copy);
    all.push(copy);
  }
  return all.slice(0, 50);
}

export function writeReport(records, file, options = []) {
  execFileSync(process.env.MINIBERT_PROGRAM, ['report', '--runs', records.join(','), '--out', file, ...options], { cwd: ROOT });
  return file;
}

export const drawn = (page) => page.waitForFunction(() => document.querySelector('main section')
  && [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg path, svg text')));

export async function openReport(browser, file, locale = 'en-US') {
  const page = await open(browser, pathToFileURL(file).href, { locale, width: 1280, height: 900, offline: true });
  await drawn(page);
  return page;
}

// Unfolds every question.
export async function unfold(page) {
  for (const summary of await page.$$('main details:not([open]) > summary')) await summary.click();
  await page.waitForFunction(() => [...document.querySelectorAll('main details')].every((one) => one.querySelector('section, .empty')));
  await drawn(page);
}
