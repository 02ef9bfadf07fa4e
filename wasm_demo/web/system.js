// What the user's system and browser ask of the page: dark or light, fingers or a mouse, forced colors;
// and what the user chose on an earlier visit.

const FORCED = ['Canvas', 'CanvasText', 'LinkText', 'ButtonFace', 'Highlight'];

// JSON of the system's colors as rrggbb where the user forces them, else "".
function forcedColors() {
  if (!matchMedia('(forced-colors: active)').matches) return '';
  const probe = document.createElement('span');
  probe.style.forcedColorAdjust = 'none';
  document.body.append(probe);
  const colors = FORCED.map((name) => {
    probe.style.color = name;
    const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
    return [name, (red * 65536 + green * 256 + blue).toString(16).padStart(6, '0')];
  });
  probe.remove();
  return JSON.stringify(Object.fromEntries(colors));
}

// page: { setSystem(dark, touch), forceColors(json) }, told now and after every change.
export function followSystem(page) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const coarse = matchMedia('(pointer: coarse)');
  const tell = () => {
    page.setSystem(dark.matches ? 1 : 0, coarse.matches ? 1 : 0);
    page.forceColors(forcedColors());
  };
  for (const query of [dark, coarse, matchMedia('(forced-colors: active)')]) query.addEventListener('change', tell);
  tell();
}

// Whether connection and memory allow a download that nobody asked for.
export function hasRoom() {
  const { saveData, effectiveType = '' } = navigator.connection ?? {};
  return !saveData && !effectiveType.endsWith('2g') && !(navigator.deviceMemory < 2);
}

// Registers the service worker. Settles once it answers for the page, and so keeps what comes, or failed.
export async function keepOffline() {
  const { installing, waiting, active } = await navigator.serviceWorker.register('sw.js');
  const worker = installing ?? waiting ?? active;
  while (!['activated', 'redundant'].includes(worker.state))
    await new Promise((done) => { worker.addEventListener('statechange', done, { once: true }); });
}

// localStorage may be forbidden: then nothing is remembered.
export function remember(key, value) {
  try {
    localStorage.setItem(`minibert-${key}`, value);
  } catch { /* no storage */ }
}

export function remembered(key) {
  try {
    return localStorage.getItem(`minibert-${key}`) ?? '';
  } catch {
    return '';
  }
}

// The texts of all tabs, which the address has of the shown one alone: for a reload of this window, no longer.
export function keepTexts(texts) {
  try {
    sessionStorage.setItem('minibert-texts', JSON.stringify({ ...keptTexts(), ...texts }));
  } catch { /* no storage, or no room */ }
}

export function keptTexts() {
  try {
    return JSON.parse(sessionStorage.getItem('minibert-texts')) ?? {};
  } catch {
    return {};
  }
}

export function forgetTexts() {
  try {
    sessionStorage.removeItem('minibert-texts');
  } catch { /* no storage */ }
}

// Whether the page is the one that this window had, and no link that was opened in it.
export const isReload = () => performance.getEntriesByType('navigation')[0]?.type !== 'navigate';

export function prefersKorean() {
  const language = remembered('language') || navigator.language || 'ko';
  return language.startsWith('ko');
}
