// Keeps the page for use without a network. Files come from the cache of this build ("@BUILD@") and
// else from the network; an older build's cache goes when this one takes over. Other models and the full
// font are kept once they were needed.
const CACHE = 'minibert-@BUILD@';
const FILES = /* @FILES@ */ [];

// Asks the server also where the browser's own cache has the file: that may be an older build's.
const asServed = (name) => new Request(name, { cache: 'no-cache' });

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map(asServed))).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys())
      if (name.startsWith('minibert-') && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const found = await cache.match(event.request, { ignoreSearch: true });
    if (found) return found;
    const response = await fetch(event.request);
    const inScope = url.href.startsWith(self.registration.scope);
    if (response.ok && inScope && /\.(mbq[ds]?|ttf)$/.test(url.pathname)) {
      const copy = response.clone();
      // Beside the answer, which neither waits for it nor fails where there is no room.
      event.waitUntil(cache.put(event.request, copy).catch(() => {}));
    }
    return response;
  })());
});
