// Any .mbq and .mbqs can be dropped onto the page, or several, or chosen as files; so can a .txt of lessons.
import { MinibertError } from './minibert.js';
import { texts } from './say.js';

async function add(files, models, page) {
  for (const file of files) {
    try {
      if (/\.txt$/i.test(file.name)) {
        page.openLessons(await file.text());
        continue;
      }
      const entry = await models.add(file.name, new Uint8Array(await file.arrayBuffer()));
      page.chooseModel(entry.id);
      page.notice(texts('model-added', { name: file.name }));
    } catch (error) {
      page.notice(MinibertError.from(error).texts, true);
    }
  }
}

// While files are over the page the body has the class "dropping".
export function acceptDrops(models, page) {
  const over = (is) => document.body.classList.toggle('dropping', is);
  addEventListener('dragover', (event) => {
    event.preventDefault();
    over([...(event.dataTransfer?.types ?? [])].includes('Files'));
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) over(false); });
  addEventListener('drop', (event) => {
    event.preventDefault();
    over(false);
    add([...(event.dataTransfer?.files ?? [])], models, page);
  });
}

// Asks for files; needs a press of the user just before.
export function pickFiles(models, page) {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.mbq,.mbqs,.txt', multiple: true });
  input.addEventListener('change', () => add([...input.files], models, page));
  input.click();
}
