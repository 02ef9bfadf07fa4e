// The first script, and no module: it runs where modules may not, from a file:// address.
(() => {
  const korean = !navigator.language || navigator.language.startsWith('ko');
  const message = document.getElementById('message');
  document.documentElement.lang = korean ? 'ko' : 'en';
  if (location.protocol !== 'file:') {
    message.textContent = korean ? '불러오는 중…' : 'Loading…';
    document.getElementById('bar').hidden = false;
    const model = document.querySelector('meta[name="first-model"]').content;
    const link = { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: model };
    if (!location.hash) document.head.append(Object.assign(document.createElement('link'), link));
    return;
  }
  message.textContent = korean
    ? '이 페이지는 파일로 바로 열 수 없습니다. 이 폴더를 웹 서버로 여세요. 예: 이 폴더에서 python3 -m http.server 8000 을 실행하고 http://localhost:8000 을 여세요.'
    : 'This page cannot be opened as a file. Serve its folder, for example with: python3 -m http.server 8000, and open http://localhost:8000.';
})();
