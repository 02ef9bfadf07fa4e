// Start-up: check the browser, download with progress, start engine and page, offer a retry.
import { createApi } from './api.js';
import { acceptDrops } from './drop.js';
import { atFirstExercise, unpackFragment, withTexts } from './link.js';
import { download, Engine, hasRelaxedSimd, MinibertError, missingFeatures, Progress } from './minibert.js';
import { Models } from './models.js';
import { startPage } from './page_bridge.js';
import { texts } from './say.js';
import { forgetTexts, isReload, keepOffline, keptTexts, prefersKorean } from './system.js';

const engine = new Engine();
const $ = (id) => document.getElementById(id);
const language = () => (prefersKorean() ? 'ko' : 'en');
const say = (word, values) => texts(word, values)[language()];

const CONTEXT = {
  alpha: false, depth: false, stencil: false, antialias: false,
  preserveDrawingBuffer: true,  // an idle page is not drawn again, yet can be captured
};

const LATER_FONTS = ['font-bold.ttf', 'font-common.ttf', 'font-full.ttf'];  // the last when a text needs it

let announceReady;
const ready = new Promise((resolve) => { announceReady = resolve; });
let announceKept;
const kept = new Promise((resolve) => { announceKept = resolve; });

function showMessage(text) {
  $('message').textContent = text;
  $('bar').hidden = true;
}

// Each step is taken once, so that a retry repeats only what failed, and not what is still under way.
const steps = new Map();
function step(name, work) {
  if (!steps.has(name)) {
    steps.set(name, work().catch((error) => {
      steps.delete(name);
      throw error;
    }));
  }
  return steps.get(name);
}

async function start() {
  $('retry').hidden = true;
  $('bar').hidden = false;
  $('message').textContent = say('loading');
  const progress = new Progress((part) => { $('bar').value = part; });
  // All at once: the engine's worker starts, its modules and a model come, the page is built.
  let cut = false;
  const fragmentReady = unpackFragment(location.hash, () => { cut = true; })
    .then((fragment) => {
      if (isReload()) return withTexts(fragment, keptTexts());
      forgetTexts();
      return atFirstExercise(fragment);
    });
  const manifest = step('manifest', async () => JSON.parse(new TextDecoder().decode(await download('manifest.json'))));
  const get = async (name) => {
    const { files } = await manifest;
    return step(name, () => download(name, { size: files[name], onProgress: progress.part(name, files[name]) }));
  };
  const modules = Promise.all([get('engine.wasm'), hasRelaxedSimd() ? get('relaxed_simd.wasm') : null])
    .then(([engineWasm, relaxedWasm]) => ({ engineWasm, relaxedWasm }));
  const engineReady = step('engine', () => engine.start({ modules }));
  const modelsReady = step('models', async () => new Models(engine, (await manifest).models));
  const modelReady = Promise.all([modelsReady, fragmentReady]).then(([models, fragment]) => {
    window.minibert ??= createApi(engine, models, ready);
    const first = models.find(wanted(fragment, models) ?? models.entries[0].id);
    first.onProgress = progress.part(first.file, first.bytes);
    return models.load(first.id);
  });
  const pageReady = step('page', async () => {
    const [models, fragment, font, wasmBinary] = await Promise.all([
      modelsReady, fragmentReady, get('font.ttf'), get('page.wasm')]);
    const nextFont = async () => {
      const [name] = LATER_FONTS;
      const bytes = await download(name, { size: (await manifest).files[name] });
      LATER_FONTS.shift();
      return bytes;
    };
    const page = await startPage({
      elements: {
        canvas: $('canvas'), root: $('page'), live: $('live'), alert: $('alert'), reason: $('reason'), skip: $('skip'),
      },
      models, font, fragment, nextFont, kept, source: (await manifest).source, wasmBinary,
    });
    await page.addFont();  // bold
    return page;
  });
  // While all of that comes: the page's context, which may have to wait for the GPU's process.
  $('canvas').getContext('webgl2', CONTEXT);
  const [page, models] = await Promise.all([pageReady, modelsReady, modelReady, engineReady]);
  announceReady();
  window.minibert.page = page;
  acceptDrops(models, page);
  $('start').hidden = true;
  performance.mark('minibert-started');
  if (cut) page.notice(texts('link-cut'), true);
  await page.addFont().catch(() => {});  // until then the browser's fonts draw what it has
  keepOffline().catch(() => {}).then(announceKept);  // without it the page works, but not offline
}

// The model that the address names, if there is such a one.
function wanted(fragment, models) {
  const id = new URLSearchParams(fragment).get('m');
  return id && models.find(id) ? id : undefined;
}

async function tryToStart() {
  try {
    await start();
  } catch (error) {
    console.error(error);
    showMessage(`${say('failed')}. ${MinibertError.from(error).texts[language()]}`);
    $('retry').textContent = say('retry');
    $('retry').hidden = false;
  }
}

const missing = missingFeatures();
if (missing.length) {
  showMessage(say('missing', { names: missing.join(', ') }));
} else {
  $('retry').addEventListener('click', tryToStart);
  tryToStart();
}
