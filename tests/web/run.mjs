// Runs the page's tests in a real browser and ends with "N passed, N failed".
// Usage: node run.mjs DEMO_DIR [FILTER], parts of titles with commas between. Environment: CHROMIUM,
// MINIBERT_PROGRAM, SHOTS (a folder for screenshots of failures, else none), LIMIT_S (60: seconds for one test).
import { existsSync, mkdirSync } from 'node:fs';
import { serve } from '../../wasm_demo/serve.mjs';
import { CHROMIUM, isShared, launch, LIMIT_MS } from './browser.mjs';
import * as access from './cases/access.mjs';
import * as asking from './cases/asking.mjs';
import * as composition from './cases/composition.mjs';
import * as editing from './cases/editing.mjs';
import * as firstScreen from './cases/first_screen.mjs';
import * as lesson from './cases/lesson.mjs';
import * as loading from './cases/loading.mjs';
import * as packaged from './cases/package.mjs';
import * as reading from './cases/reading.mjs';
import * as teaching from './cases/teaching.mjs';
import * as texts from './cases/texts.mjs';
import * as viewing from './cases/viewing.mjs';
import * as worksheet from './cases/worksheet.mjs';

const [demo, filter = ''] = process.argv.slice(2);
if (!demo || !existsSync(`${demo}/manifest.json`)) {
  console.error(`run.mjs: found no built page in "${demo ?? ''}", expected the folder that wasm_demo/build.sh makes`);
  process.exit(2);
}
if (!existsSync(CHROMIUM)) {
  console.error(`run.mjs: found no browser at ${CHROMIUM} (package chromium, or set CHROMIUM)`);
  process.exit(2);
}

const server = await serve(demo);
const browser = await launch();
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
let passed = 0;
let failed = 0;
for (const [area, { tests }] of Object.entries({ loading, composition, editing, texts, 'first screen': firstScreen, lesson, asking, reading, teaching, access, viewing, worksheet, package: packaged })) {
  for (const [name, test] of Object.entries(tests)) {
    const title = `${area}: ${name}`;
    if (!filter.split(',').some((part) => title.includes(part))) continue;
    const began = Date.now();
    let failedNow = false;
    let timer;
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    try {
      await Promise.race([test({ browser, url: server.url, demo }), limit]);
      ++passed;
      console.log(`ok    ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      failedNow = true;  // whatever it left open must not fail the next one
      console.log(`FAIL  ${title}\n      ${error.stack.split('\n').slice(0, 12).join('\n      ')}`);
      const page = browser.contexts().at(-1)?.pages().at(-1);
      if (shots && page) await page.screenshot({ path: `${shots}/${title.replace(/\W+/g, '-')}.png` }).catch(() => {});
    } finally {
      clearTimeout(timer);
    }
    for (const context of browser.contexts()) if (failedNow || !isShared(context)) await context.close();
  }
}
await browser.close();
await server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
