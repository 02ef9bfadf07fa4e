// Makes the pictures that README shows, the one of a link to the page (wasm_demo/web/preview.png), and others to look
// at. Usage: node screenshots.mjs DEMO_DIR OUT_DIR
import { mkdirSync } from 'node:fs';
import { serve } from '../../wasm_demo/serve.mjs';
import { launch, open, settled, started } from './browser.mjs';

const [demo, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const server = await serve(demo);
const browser = await launch();
const link = (text, rest) => `${server.url}#t=${encodeURIComponent(text)}&l=ko${rest}`;

async function picture(name, text, rest, size) {
  const page = await started(await open(browser, link(text, rest), size));
  await settled(page);
  await page.screenshot({ path: `${out}/${name}.png` });
  await page.context().close();
}

const TEXT = '제2차 세계 [MASK]은 1945년에 끝났다.';
await picture('page', TEXT, '&theme=light&v=explain&xpart=3', { width: 1120, height: 780 });
await picture('preview', TEXT, '&theme=light', { width: 720, height: 378, ratio: 5 / 3, hasTouch: true, isMobile: true });
await picture('dark', '그는 대한민국의 [MASK] 선수이다.', '&theme=dark&v=model&c=everyday-1m-float', { width: 1120, height: 860 });
await picture('narrow', TEXT, '&theme=light&v=explain&xpart=2', { width: 360, height: 780, ratio: 2 });
const asked = (theme) => `${server.url}#t=a&ask=1&l=ko&theme=${theme}`;
for (const [name, theme, size] of [['ask', 'light', { width: 1280, height: 860 }], ['ask-dark', 'dark', { width: 1280, height: 860 }],
  ['ask-narrow', 'light', { width: 360, height: 1100, ratio: 2 }], ['ask-narrow-dark', 'dark', { width: 360, height: 1100, ratio: 2 }]]) {
  const page = await started(await open(browser, asked(theme), size));
  await page.screenshot({ path: `${out}/${name}.png` });
  await page.context().close();
}
for (const task of ['labels', 'names'])
  for (const [name, rest, size] of [['', 'l=ko&theme=light', { width: 1280, height: 860 }], ['-dark', 'l=ko&theme=dark', { width: 1280, height: 860 }],
    ['-english', 'l=en&theme=light', { width: 768, height: 1300 }], ['-english-dark', 'l=en&theme=dark', { width: 768, height: 1300 }],
    ['-narrow', 'l=ko&theme=light', { width: 360, height: 1500, ratio: 2 }], ['-narrow-english', 'l=en&theme=dark', { width: 360, height: 1500, ratio: 2 }]]) {
    const page = await started(await open(browser, `${server.url}#t=a&task=${task}&${rest}`, size));
    await page.screenshot({ path: `${out}/${task}${name}.png` });
    await page.context().close();
  }
await browser.close();
await server.close();
