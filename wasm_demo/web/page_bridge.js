// Starts the canvas page (page.wasm) and joins it to the text element, the canvas and the guesser.
import createModule from './page.js';
import { connectCanvas } from './canvas_input.js';
import { Guesser } from './guesser.js';
import { TextAgent } from './text_agent.js';

const FRAGMENT_MS = 300;  // browsers limit how often an address may change

// elements: { canvas, input, live }; fullFont(): Promise<Uint8Array>
export async function startPage({ elements, engine, models, font, fullFont, wasmBinary }) {
  const { canvas, input, live } = elements;
  const module = await createModule({ wasmBinary, canvas, host: {} });

  // Calls an exported function with strings copied into the module's memory.
  const call = (name, ...args) => {
    const allocated = [];
    const passed = args.map((arg) => {
      if (typeof arg !== 'string') return arg;
      const size = module.lengthBytesUTF8(arg) + 1;
      const pointer = module._malloc(size);
      module.stringToUTF8(arg, pointer, size);
      allocated.push(pointer);
      return pointer;
    });
    const result = module[`_page_${name}`](...passed);
    for (const pointer of allocated) module._free(pointer);
    return result;
  };
  const copy = (bytes) => {
    const pointer = module._malloc(bytes.byteLength);
    module.HEAPU8.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), pointer);
    return pointer;
  };

  let frameAsked = false;
  const requestFrame = () => {
    if (frameAsked) return;
    frameAsked = true;
    requestAnimationFrame((now) => {
      frameAsked = false;
      if (call('frame', now / 1000)) requestFrame();
    });
  };

  const agent = new TextAgent(input, {
    sync: (...args) => call('sync', ...args),
    key: (index, shift, control, alt) => !!call('key', index, shift, control, alt),
    insert: (text) => call('insert', text),
  });
  const guesser = new Guesser(engine, models, {
    fill: (slot, result) => call('fill', slot, JSON.stringify(result)),
    attention: ({ tokens, layers, heads, weights }) => {
      const pointer = copy(weights);
      call('attention', JSON.stringify(tokens), pointer, layers, heads);
      module._free(pointer);
    },
  });
  const notice = (text, warning = false) => call('notice', text, warning ? 1 : 0);

  let fragmentTimer;
  let fragment = location.hash;
  const setFragment = (text) => {
    fragment = `#${text}`;
    clearTimeout(fragmentTimer);
    fragmentTimer = setTimeout(() => history.replaceState(null, '', fragment), FRAGMENT_MS);
  };
  const korean = () => document.documentElement.lang === 'ko';
  const copyLink = async () => {
    clearTimeout(fragmentTimer);
    history.replaceState(null, '', fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      notice(korean() ? '링크를 복사했습니다.' : 'Link copied.');
    } catch {
      notice(location.href);
    }
  };

  module.host = {
    selectModel: (slot, id) => guesser.select(slot, id),
    textChanged: (text, revision, atOnce) => guesser.change(text, revision, atOnce),
    wantAttention: (wanted) => guesser.wantAttention(wanted),
    wantFullFont: async () => {
      try {
        const bytes = await fullFont();
        call('add_font', copy(bytes), bytes.length);
      } catch (error) {
        notice(error.message, true);
      }
    },
    setTextAgent: (text, anchor, caret) => agent.set(text, anchor, caret),
    placeTextAgent: (x, y, height) => agent.place(x, y, height),
    focusTextAgent: () => agent.focus(),
    setFragment,
    copyLink,
    setLook: (background, dark, isKorean) => {
      document.documentElement.lang = isKorean ? 'ko' : 'en';
      document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
      document.body.style.background = background;
      document.querySelector('meta[name=theme-color]').content = background;
    },
    setCursor: (css) => { canvas.style.cursor = css; },
    announce: (text) => { live.textContent = text; },
    requestFrame,
  };

  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const isKorean = !navigator.language || navigator.language.startsWith('ko');
  if (!call('start', copy(font), font.length, location.hash, dark ? 1 : 0, isKorean ? 1 : 0))
    throw new Error('WebGL 2');
  connectCanvas(canvas, agent, {
    pointer: (...args) => call('pointer', ...args),
    wheel: (...args) => call('wheel', ...args),
    overEditor: (...args) => !!call('over_editor', ...args),
    resize: (...args) => call('resize', ...args),
  });
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  canvas.addEventListener('webglcontextrestored', () => call('context_restored'));
  addEventListener('hashchange', () => {
    if (location.hash !== fragment) call('open', location.hash);
  });
  models.onChange((list) => call('models', JSON.stringify(list)));
  call('models', JSON.stringify(models.list()));
  agent.focus();

  return {
    notice,
    chooseModel: (id) => call('choose_model', id),
    open: (fragment) => call('open', fragment),
    setText: (text) => call('set_text', text),
    // What is shown, for tests: text, caret, widgets' boxes, frames drawn.
    state: () => JSON.parse(module.UTF8ToString(call('state'))),
    memory: () => module.HEAPU8.length,
  };
}
