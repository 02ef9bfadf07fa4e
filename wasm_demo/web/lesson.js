// Puts a QR code of its link beside each exercise of the worksheet, and the page's address at its head.
import createModule from './page.js';
import { drawCode } from './dialogs.js';
import { packFragment } from './link.js';

const page = new URL('./', location.href);
document.querySelector('.address').textContent = page.href;
const module = await createModule({ host: {} });
const code = (text) => {
  const size = module.lengthBytesUTF8(text) + 1;
  const pointer = module._malloc(size);
  module.stringToUTF8(text, pointer, size);
  const rows = module.UTF8ToString(module._page_qr_code(pointer));
  module._free(pointer);
  return rows;
};
for (const link of document.querySelectorAll('.open')) {
  const picture = drawCode(code(`${page.href}#${await packFragment(link.hash.slice(1), 0)}`));
  picture.classList.add('code');
  link.after(picture);
}
