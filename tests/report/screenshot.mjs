// Makes the picture of a report that README shows. Usage, from the repository's root, after
// `make report NAME=korquad_lstm_vs_bert`:
// node tests/report/screenshot.mjs results/korquad_lstm_vs_bert/report.html lib/report/screenshots/report.png
import { resolve } from 'node:path';
import { launch } from '../web/browser.mjs';
import { openReport } from './pages.mjs';

const [file, out] = process.argv.slice(2);
const browser = await launch();
const page = await openReport(browser, resolve(file));
await page.setViewportSize({ width: 1240, height: 1140 });
await page.mouse.move(0, 0);
await page.screenshot({ path: out });
await browser.close();
