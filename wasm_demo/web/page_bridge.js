// Starts the canvas page (page.wasm) and joins it to the text element, the canvas, the mirror of its
// controls and the guesser.
import createModule from './page.js';
import { connectCanvas } from './canvas_input.js';
import { askLine, askWord, showCode } from './dialogs.js';
import { pickFiles } from './drop.js';
import { Fields } from './fields.js';
import { Guesser } from './guesser.js';
import { clean, packFragment, textsOf, unpackFragment } from './link.js';
import { MinibertError } from './minibert.js';
import { Mirror } from './mirror.js';
import { texts } from './say.js';
import { followSystem, forgetTexts, hasRoom, keepTexts, prefersKorean, remember, remembered } from './system.js';

const FRAGMENT_MS = 300;  // browsers limit how often an address may change
const NOTICE_MS = 6000;
const WARNING_MS = 15000;
const RESTING_MS = 900;  // after the last key, so that what a screen reader says does not cut into typing
const MOST_PIXELS = 8192;  // of a picture's height, which every GPU can draw

function saveFile(content, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const placeOf = (fragment) => fragment.match(/\b(ask|task|v)=[^&]*/g)?.join();

// elements: { canvas, root, live, alert, reason }; fragment: unpacked; nextFont(): Promise<Uint8Array> of the
// font file after those that are here; kept: settles once what comes is kept for use without a network;
// source: the address of the page's source, or ''
export async function startPage({ elements, models, font, fragment, nextFont, kept, source, wasmBinary }) {
  const { canvas, root } = elements;
  const module = await createModule({ wasmBinary, canvas, host: {} });
  // Dialogs, and the page without WebGL, in the canvas' font.
  document.fonts.add(new FontFace('minibert', font));

  const room = (bytes) => {
    const pointer = module._malloc(bytes);
    if (!pointer) throw new MinibertError('no-memory', { bytes });
    return pointer;
  };

  // Calls an exported function with strings copied into the module's memory.
  const call = (name, ...args) => {
    const allocated = [];
    const passed = args.map((arg) => {
      if (typeof arg !== 'string') return arg;
      const size = module.lengthBytesUTF8(arg) + 1;
      const pointer = room(size);
      module.stringToUTF8(arg, pointer, size);
      allocated.push(pointer);
      return pointer;
    });
    const result = module[`_page_${name}`](...passed);
    for (const pointer of allocated) module._free(pointer);
    return result;
  };
  const copy = (bytes) => {
    const pointer = room(bytes.byteLength);
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

  const fields = new Fields({
    sync: (...args) => {
      rest();
      call('sync', ...args);
    },
    command: (name) => call('command', name),
    height: (field, pixels) => call('field_height', field, pixels),
    wheel: (pixels) => call('wheel', pixels),
  });
  const guesser = new Guesser(models, {
    answer: (inquiry, json) => call('answer', inquiry, json),
    numbers: (json, numbers) => {
      const pointer = copy(numbers);
      call('numbers', json, pointer, numbers.length);
      module._free(pointer);
    },
  });

  // text: { ko, en }. It goes by itself.
  const notice = (text, warning = false) => call('notice', JSON.stringify(text), warning ? 1 : 0);
  let noticeTimer;

  let fragmentTimer;
  let wanted = fragment;
  let address = location.hash;
  const writeAddress = async () => {
    clearTimeout(fragmentTimer);
    const asked = wanted;
    if (asked === null) return;
    const packed = await packFragment(asked);
    if (asked !== wanted) return;
    // Back leads to the tab or place before.
    const differs = placeOf(address) !== placeOf(packed);
    address = `#${packed}`;
    history[differs ? 'pushState' : 'replaceState'](null, '', address);
  };
  const copyText = async (text, told = 'copied') => {
    try {
      await navigator.clipboard.writeText(text);
      notice(texts(told));
    } catch {
      notice(texts('not-copied'), true);
    }
  };
  const copyLink = async () => {
    await writeAddress();
    await copyText(location.href, 'link-copied');
  };

  // Screen readers read what changes; the same text twice is no change. An alert goes with its cause, once
  // something else is said.
  let told = null;
  let toldTimer = 0;
  const tell = () => {
    toldTimer = 0;
    if (told === null) return;
    elements.alert.textContent = '';
    elements.live.textContent = '';
    elements.live.textContent = told;
    told = null;
  };
  // What is to be said waits until typing rests.
  const rest = () => {
    if (told === null) return;
    clearTimeout(toldTimer);
    toldTimer = setTimeout(tell, RESTING_MS);
  };
  const announce = (text, urgent) => {
    if (urgent) {
      elements.alert.textContent = '';
      elements.alert.textContent = text;
      return;
    }
    const resting = performance.now() - fields.changed > RESTING_MS;
    told = text;
    if (resting) tell();
    else rest();
  };

  let mirror;
  let comingFont = null;
  let fonts = 0;
  const addFont = () => {
    comingFont ??= nextFont().then((bytes) => {
      document.fonts.add(new FontFace('minibert', bytes, fonts === 0 ? { weight: 'bold' } : {}));
      ++fonts;
      call('add_font', copy(bytes), bytes.length);
    }).finally(() => { comingFont = null; });
    return comingFont;
  };
  module.host = {
    selectModel: (inquiry, id) => guesser.select(inquiry, id),
    ask: (inquiry, question, atOnce) => guesser.change(inquiry, JSON.parse(question), atOnce),
    wantFont: () => addFont().then(() => true, (error) => {
      notice(error.texts, true);
      return false;
    }),
    // Once the frame that asks for it is done.
    edit: (...args) => queueMicrotask(() => fields.edit(...args)),
    undo: () => queueMicrotask(() => fields.undo()),
    setFragment: (text) => {
      wanted = text;
      keepTexts(textsOf(text));
      clearTimeout(fragmentTimer);
      fragmentTimer = setTimeout(writeAddress, FRAGMENT_MS);
    },
    copyLink,
    copyText,
    showCode: async () => {
      // Always deflated where that is shorter: the smaller the code, the farther it can be read.
      const packed = await packFragment(wanted ?? await unpackFragment(address), 0);
      const link = `${location.href.split('#')[0]}#${packed}`;
      const rows = module.UTF8ToString(call('qr_code', link));
      if (rows) showCode(rows, link);
      else notice(texts('code-too-long'), true);
    },
    askWord: (mask) => {
      const { text, model } = page.state();
      askWord(mask, {
        score: async (word) => (await models.load(model)).loaded.score(text, word, { mask }),
        insert: (word) => call('fill_mask', mask, clean(word)),
      });
    },
    askLine: (what, now) => askLine(what, now, (text) => call('line', what, clean(text).trim())),
    pickFile: () => pickFiles(models, page),
    stopDownload: (id) => models.stop(id),
    wantModel: async (id) => {
      if (!hasRoom()) return;
      await kept;
      await models.load(id).then(() => call('take_over', id), () => {});
    },
    savePicture: async () => {
      if (!hasCanvas) {
        notice(texts('no-picture'), true);
        return;
      }
      await null;  // this is asked for within a frame
      // All in one task, so that the window never shows it. Each size settles over two frames.
      const { width, height } = canvas;
      const draw = (tall) => {
        if (canvas.height !== tall) canvas.height = tall;
        call('resize', width, tall, devicePixelRatio || 1);
        for (let i = 0; i < 3; ++i) call('frame', performance.now() / 1000);
      };
      call('take_picture', 1);
      draw(height);
      draw(Math.min(MOST_PIXELS, Math.ceil(call('take_picture', 1))));
      // A copy, as the canvas shows the window again before a picture of it is made.
      const copied = Object.assign(document.createElement('canvas'), { width, height: canvas.height });
      const context = copied.getContext('2d');
      context.drawImage(canvas, 0, 0);
      context.scale(devicePixelRatio || 1, devicePixelRatio || 1);
      fields.draw(context, page.state().boxes);
      copied.toBlob((picture) => saveFile(picture, 'minibert.png'));
      call('take_picture', 0);
      draw(height);
    },
    saveText: (text) => saveFile(new Blob([text], { type: 'text/plain' }), 'minibert.txt'),
    openFile: (name) => window.open(name, '_blank', 'noopener'),
    setLook: (colors, dark, korean, title) => {
      const language = korean ? 'ko' : 'en';
      const root = document.documentElement;
      root.lang = language;
      root.style.colorScheme = dark ? 'dark' : 'light';
      for (const [name, color] of Object.entries(JSON.parse(colors))) root.style.setProperty(`--${name}`, color);
      document.querySelector('meta[name=theme-color]').content = JSON.parse(colors).page;
      document.title = `minibert · ${title}`;
      elements.reason.textContent = texts('no-webgl')[language];
      elements.skip.textContent = texts('skip')[language];
    },
    setCursor: (css) => { canvas.style.cursor = css; },
    announce,
    expireNotice: (warning) => {
      clearTimeout(noticeTimer);
      noticeTimer = setTimeout(() => call('notice', '{}', 0), warning ? WARNING_MS : NOTICE_MS);
    },
    showOutline: (json) => mirror.show(JSON.parse(json)),
    remember,
    requestFrame,
  };

  const surface = {
    pointer: (...args) => call('pointer', ...args),
    wheel: (...args) => call('wheel', ...args),
    resize: (...args) => call('resize', ...args),
    setSystem: (...args) => call('set_system', ...args),
    forceColors: (colors) => call('force_colors', colors),
    activate: (name, value) => call('activate', name, value),
    focus: (name, ring) => call('focus', name, ring ? 1 : 0),
  };
  const hasCanvas = !!call('start', copy(font), font.length, fragment, prefersKorean() ? 1 : 0, remembered('theme'));
  document.body.classList.toggle('plain', !hasCanvas);
  mirror = new Mirror({ root, fields, page: surface, shown: !hasCanvas });
  elements.skip.addEventListener('click', () => fields.focus());
  followSystem(surface);
  if (hasCanvas) {
    connectCanvas(canvas, fields, surface);
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => call('context_restored'));
  } else {
    call('resize', innerWidth, innerHeight, 1);
  }
  // With a frame, so that the fields have its texts at once.
  const open = (text) => {
    call('open', text);
    call('frame', performance.now() / 1000);
  };
  // Wherever the keyboard is.
  addEventListener('keydown', (event) => {
    if (event.target.closest?.('dialog')) return;
    const digit = /^Digit([1-9])$/.exec(event.code);
    if (digit && event.altKey && !event.isComposing) {
      if (call('take_guess', Number(digit[1]) - 1)) event.preventDefault();
    } else if (hasCanvas && (event.key === 'PageDown' || event.key === 'PageUp') && event.target.tagName !== 'SELECT' && !fields.of(event.target)?.scrolls(event.key === 'PageDown' ? 1 : -1)) {
      call('scroll_by', event.key === 'PageDown' ? 0.9 : -0.9);
      event.preventDefault();
    }
  });
  addEventListener('hashchange', async (event) => {
    // Not location.hash: what waits to be written may have replaced it before this event came.
    const { hash } = new URL(event.newURL);
    if (hash === address) return;
    clearTimeout(fragmentTimer);
    wanted = null;
    address = hash;
    forgetTexts();
    open(await unpackFragment(hash, () => notice(texts('link-cut'), true)));
  });
  if (source) call('source', source);
  models.onChange((list) => call('models', JSON.stringify(list)));
  call('models', JSON.stringify(models.list()));
  // The first frame makes the text elements, before one takes the focus; not that of a page around this one.
  call('frame', performance.now() / 1000);
  if (window === window.top) fields.focus();

  const page = {
    notice,
    addFont,
    chooseModel: (id) => call('choose_model', id),
    open,
    setText: (text) => fields.edit(fields.current.name, 0, fields.current.area.value.length, clean(text, fields.current.lines)),
    // Opens the tab of lessons with these, a line "label: sentence" each.
    openLessons: async (text) => open(`${wanted ?? await unpackFragment(address)}&task=teach&d=${encodeURIComponent(clean(text, true))}`),
    // What is shown, for tests: text, selection, widgets' boxes, frames drawn.
    state: () => JSON.parse(module.UTF8ToString(call('state'))),
    // Whether nothing is left to do: no frame is due and no question is open.
    idle: () => !frameAsked && !comingFont && !toldTimer && guesser.idle,
    memory: () => module.HEAPU8.length,
  };
  return page;
}
