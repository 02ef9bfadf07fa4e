// Pointer, wheel and size of the canvas, for the page's module.

// page: { pointer(kind, x, y, touch, shift, seconds), wheel(pixels), resize(w, h, ratio) }
export function connectCanvas(canvas, fields, page) {
  const send = (kind, event) => page.pointer(kind, event.clientX, event.clientY,
    event.pointerType === 'touch' ? 1 : 0, event.shiftKey ? 1 : 0, event.timeStamp / 1000);

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (canvas.setPointerCapture) canvas.setPointerCapture(event.pointerId);
    send('down', event);
    if (event.pointerType !== 'touch') fields.focus();
  });
  canvas.addEventListener('pointermove', (event) => send('move', event));
  canvas.addEventListener('pointerup', (event) => {
    if (event.button !== 0) return;
    send('up', event);
    if (event.pointerType === 'touch') page.pointer('leave', 0, 0, 1, 0, event.timeStamp / 1000);
  });
  canvas.addEventListener('pointercancel', (event) => send('cancel', event));
  canvas.addEventListener('pointerleave', (event) => {
    if (event.buttons === 0) send('leave', event);
  });
  // Keeps the focus, and with it a phone's keyboard, on a text field.
  canvas.addEventListener('mousedown', (event) => event.preventDefault());
  canvas.addEventListener('touchend', (event) => {
    if (event.cancelable) event.preventDefault();
  }, { passive: false });
  // On the window, because the mirror's lists lie over the canvas. With Ctrl the browser zooms.
  addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.target.closest?.('dialog') || fields.of(event.target)?.scrolls(event.deltaY)) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? innerHeight : 1;
    page.wheel(event.deltaY * unit);
  }, { passive: false });

  // The part of the window that a phone's keyboard leaves free; a pinch only magnifies.
  const resize = () => {
    const height = Math.round(window.visualViewport ? visualViewport.height * visualViewport.scale : innerHeight);
    const ratio = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    const pixels = [Math.round(innerWidth * ratio), Math.round(height * ratio)];
    if (canvas.width !== pixels[0]) canvas.width = pixels[0];
    if (canvas.height !== pixels[1]) canvas.height = pixels[1];
    page.resize(...pixels, ratio);
  };
  addEventListener('resize', resize);
  window.visualViewport?.addEventListener('resize', resize);
  const watchRatio = () => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
      resize();
      watchRatio();
    }, { once: true });
  };
  watchRatio();
  resize();
}
