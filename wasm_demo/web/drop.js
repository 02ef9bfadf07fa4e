// Any .mbq can be dropped onto the page, or several.
import { MinibertError, texts } from './errors.js';

export function acceptDrops(models, page) {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', async (event) => {
    event.preventDefault();
    for (const file of [...(event.dataTransfer?.files ?? [])]) {
      try {
        const entry = await models.add(file.name, new Uint8Array(await file.arrayBuffer()));
        page.chooseModel(entry.id);
        page.notice(texts('model-added', { name: file.name }));
      } catch (error) {
        page.notice(MinibertError.from(error).texts, true);
      }
    }
  });
}
