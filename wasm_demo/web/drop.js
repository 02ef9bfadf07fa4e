// Any .mbq can be dropped onto the page.

export function acceptDrops(models, page) {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files?.[0];
    if (!file) return;
    try {
      const entry = await models.add(file.name, new Uint8Array(await file.arrayBuffer()));
      page.chooseModel(entry.id);
      page.notice(file.name);
    } catch (error) {
      page.notice(`${file.name}: ${error.message}`, true);
    }
  });
}
