// Makes a picture that README shows: of a report, or of what the program prints (a .txt file). Usage, from the repository's
// root, after `make experiment NAME=korquad_lstm_vs_bert | tee run.txt`:
// node tests/report/screenshot.mjs results/korquad_lstm_vs_bert/quick/report.html lib/report/screenshots/report.png
// node tests/report/screenshot.mjs run.txt lib/report/screenshots/table.png
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch } from '../web/browser.mjs';
import { openReport } from './pages.mjs';

const [file, out] = process.argv.slice(2);
const browser = await launch();
if (file.endsWith('.txt')) {
  const page = await browser.newPage();
  await page.setContent('<pre style="display:inline-block;margin:0;padding:14px 18px;background:#1d2733;color:#e8edf2;'
    + 'font:15px/1.45 NanumGothicCoding,D2Coding,\'DejaVu Sans Mono\',monospace"></pre>');
  await page.$eval('pre', (pre, text) => { pre.textContent = text.trimEnd(); }, readFileSync(file, 'utf8'));
  await page.locator('pre').screenshot({ path: out });
} else {
  const page = await openReport(browser, resolve(file));
  await page.setViewportSize({ width: 1240, height: 1170 });
  await page.locator('summary').nth(1).click(); // the learning curves
  await page.waitForTimeout(500);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: out });
}
await browser.close();
