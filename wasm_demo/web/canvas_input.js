// Pointer, wheel and size of the canvas, for the page's module.

const KIND = { move: 0, down: 1, up: 2, leave: 3, cancel: 4 };

// page: { pointer(kind, x, y, touch, shift), wheel(dx, dy), overEditor(x, y), resize(w, h, ratio) }
export function connectCanvas(canvas, agent, page) {
  const send = (kind, event) => page.pointer(KIND[kind], event.clientX, event.clientY,
    event.pointerType === 'touch' ? 1 : 0, event.shiftKey ? 1 : 0);

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    agent.finishComposition();
    if (canvas.setPointerCapture) canvas.setPointerCapture(event.pointerId);
    send('down', event);
    if (event.pointerType !== 'touch') agent.focus();
  });
  canvas.addEventListener('pointermove', (event) => send('move', event));
  canvas.addEventListener('pointerup', (event) => {
    if (event.button !== 0) return;
    send('up', event);
    // A phone opens its keyboard only for a focus taken inside the touch event.
    if (event.pointerType === 'touch' && page.overEditor(event.clientX, event.clientY)) agent.focus();
    if (event.pointerType === 'touch') page.pointer(KIND.leave, 0, 0, 1, 0);
  });
  canvas.addEventListener('pointercancel', (event) => send('cancel', event));
  canvas.addEventListener('pointerleave', (event) => {
    if (event.buttons === 0) send('leave', event);
  });
  // Keeps the focus, and with it a phone's keyboard, on the text element.
  canvas.addEventListener('mousedown', (event) => event.preventDefault());
  canvas.addEventListener('touchend', (event) => event.preventDefault(), { passive: false });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? innerHeight : 1;
    page.wheel(event.deltaX * unit, event.deltaY * unit);
  }, { passive: false });

  // The part of the window that a phone's keyboard leaves free.
  const resize = () => {
    const height = Math.round(window.visualViewport ? visualViewport.height : innerHeight);
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
