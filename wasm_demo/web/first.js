// The first script, and no module: it runs where modules may not, from a file:// address.
(() => {
  // Where the host asks for trusted types: workers are this folder's scripts.
  try {
    const folder = new URL('.', document.baseURI).href;
    globalThis.trustedTypes?.createPolicy('default', {
      createScriptURL: (url) => (new URL(url, folder).href.startsWith(folder) ? url : null),
    });
  } catch { /* it allows no policy: the engine then runs without a worker */ }
  const words = /* @WORDS@ */ {};  // "loading" and "opened-as-file" of words.def
  const korean = !navigator.language || navigator.language.startsWith('ko');
  const message = document.getElementById('message');
  const language = korean ? 'ko' : 'en';
  document.documentElement.lang = language;
  if (location.protocol !== 'file:') {
    message.textContent = words.loading[language];
    document.getElementById('bar').hidden = false;
    const model = document.querySelector('meta[name="first-model"]').content;
    const link = { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: model };
    if (!location.hash) document.head.append(Object.assign(document.createElement('link'), link));
    return;
  }
  message.textContent = words['opened-as-file'][language];
})();
