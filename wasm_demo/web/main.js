// Start-up: check the browser, download with progress, start engine and page, offer a retry.
import { createApi } from './api.js';
import { acceptDrops } from './drop.js';
import { EngineClient } from './engine_client.js';
import { MinibertError } from './errors.js';
import { unpackFragment } from './link.js';
import { download, Progress } from './loader.js';
import { Models } from './models.js';
import { startPage } from './page_bridge.js';
import { hasRelaxedSimd, missingFeatures } from './support.js';
import { prefersKorean } from './system.js';

const $ = (id) => document.getElementById(id);
const words = {
  ko: {
    missing: (names) => `이 브라우저에는 ${names} 기능이 없어 이 페이지를 쓸 수 없습니다. 새 크롬, 파이어폭스, 사파리에서 열어 주세요.`,
    failed: '불러오지 못했습니다',
    retry: '다시 시도',
    loading: '불러오는 중…',
  },
  en: {
    missing: (names) => `This page needs ${names}, which this browser does not have. Please use a current Chrome, Firefox or Safari.`,
    failed: 'Could not load',
    retry: 'Try again',
    loading: 'Loading…',
  },
}[prefersKorean() ? 'ko' : 'en'];

let announceReady;
const ready = new Promise((resolve) => { announceReady = resolve; });

function showMessage(text) {
  $('message').textContent = text;
  $('bar').hidden = true;
}

// Each step keeps its result, so that a retry repeats only what failed.
const done = new Map();
async function step(name, work) {
  if (!done.has(name)) done.set(name, await work());
  return done.get(name);
}

async function start() {
  $('retry').hidden = true;
  $('bar').hidden = false;
  $('message').textContent = words.loading;
  const progress = new Progress((part) => { $('bar').value = part; });
  const fragment = await unpackFragment(location.hash);
  const { files, models: entries } = await step('manifest', async () =>
    JSON.parse(new TextDecoder().decode(await download('manifest.json'))));
  const get = (name) => step(name, () => download(name, { size: files[name], onProgress: progress.part(name, files[name]) }));

  const engineReady = step('engine', async () => {
    const [engineWasm, relaxedWasm] = await Promise.all([
      get('engine.wasm'), hasRelaxedSimd() ? get('relaxed_simd.wasm') : null]);
    return EngineClient.start({ engineWasm, relaxedWasm });
  });
  const first = entries[0];
  const modelProgress = progress.part(first.file, first.bytes);
  const modelReady = engineReady.then((engine) => {
    const models = done.get('models') ?? new Models(engine, entries);
    done.set('models', models);
    models.find(first.id).onProgress = modelProgress;
    if (!window.minibert) window.minibert = createApi(engine, models, ready);
    return models.load(wanted(fragment, models) ?? first.id).then(() => models);
  });
  const [models, font, wasmBinary] = await Promise.all([modelReady, get('font.ttf'), get('page.wasm')]);
  const engine = await engineReady;
  announceReady();
  const fullFont = () => download('font-full.ttf', { size: files['font-full.ttf'] });
  const page = await step('page', () => startPage({
    elements: {
      canvas: $('canvas'), root: $('page'), input: $('input'), live: $('live'), alert: $('alert'), reason: $('reason'),
    },
    engine, models, font, fragment, fullFont, wasmBinary,
  }));
  window.minibert.page = page;
  acceptDrops(models, page);
  $('start').hidden = true;
  performance.mark('minibert-started');
  if ('serviceWorker' in navigator)
    navigator.serviceWorker.register('sw.js').catch(() => {});  // without it the page works, but not offline
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
    const { texts } = MinibertError.from(error);
    showMessage(`${words.failed}. ${prefersKorean() ? texts.ko : texts.en}`);
    $('retry').textContent = words.retry;
    $('retry').hidden = false;
  }
}

const missing = missingFeatures();
if (missing.length) {
  showMessage(words.missing(missing.join(', ')));
} else {
  $('retry').addEventListener('click', tryToStart);
  tryToStart();
}
