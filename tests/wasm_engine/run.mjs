// Compares the WebAssembly engine with the native one (engine_reference.cpp), with each kernel.
// Usage: node --no-liftoff run.mjs ENGINE_REFERENCE WASM_DIR
// (Node 20's baseline compiler, Liftoff, computes the relaxed dot product wrongly; browsers' do not.)
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const here = dirname(fileURLToPath(import.meta.url));
const [referenceProgram, wasm] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'minibert-engine-'));

// The engine is made for browsers' workers; this is all that it asks of one.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
globalThis.importScripts = () => {};
globalThis.location = { href: 'http://localhost/' };

function hash(bytes) {
  let value = 2166136261;
  for (const byte of bytes) value = Math.imul(value ^ byte, 16777619) >>> 0;
  return value >>> 0;
}

function pieces(length, vocabulary) {
  const ids = Int32Array.from({ length }, (_, i) => 7 + ((length * 131 + i * 37) % (vocabulary - 7)));
  ids[length >> 1] = 6;
  return ids;
}

class Engine {
  constructor(module) { this.module = module; }
  text(pointer) { return this.module.string(pointer); }
  error() { return this.text(this.module._minibert_error()); }
  // Calls a function that takes a handle and UTF-8 and answers with JSON; an error is a text.
  ask(name, handle, text, ...rest) {
    const size = this.module.lengthBytesUTF8(text) + 1;
    const pointer = this.module._malloc(size);
    this.module.stringToUTF8(text, pointer, size);
    const answer = this.module[`_minibert_${name}`](handle, pointer, ...rest);
    this.module._free(pointer);
    return answer ? JSON.parse(this.text(answer)) : this.error();
  }
  load(file) {
    const pointer = this.module._minibert_alloc(file.length);
    this.module.HEAPU8.set(file, pointer);
    return this.module._minibert_load(pointer, file.length);
  }
}

// The native engine counts UTF-8 bytes, the page's UTF-16 units: `parts` of a text, as the page counts them.
function inUnits(text, parts) {
  const bytes = Buffer.from(text);
  const unit = (at) => bytes.subarray(0, at).toString().length;
  return parts.map((part) => ({ ...part, begin: unit(part.begin), end: unit(part.end) }));
}

let checks = 0;
function check(engine, kernel, name, expected, lines) {
  const { module } = engine;
  const handle = engine.load(readFileSync(join(folder, `${name}.mbq`)));
  ok(handle, `${name}: ${engine.error()}`);
  const facts = JSON.parse(engine.text(module._minibert_facts(handle)));
  strictEqual(facts.kernel, name === 'float32' ? 'float32' : kernel);
  lines.forEach((line, i) => {
    const tokens = expected.tokens[i];
    deepStrictEqual(engine.ask('tokenize', handle, line), typeof tokens === 'string' ? tokens : inUnits(line, tokens), JSON.stringify(line));
  });
  const ids = module._malloc(4096);
  for (const { length, hash: wanted } of expected.logits) {
    module.HEAP32.set(pieces(length, facts.vocab_size), ids / 4);
    const logits = module._minibert_logits(handle, ids, length, length >> 1);
    strictEqual(hash(module.HEAPU8.subarray(logits, logits + 4 * facts.vocab_size)), wanted, `${name}, ${kernel}, ${length} pieces`);
  }
  const { tokens, layers, local_layers: local, heads } = engine.ask('attention', handle, '나라 [MASK] 나라');
  const weights = module._minibert_numbers(), count = module._minibert_numbers_count();
  strictEqual(count, (layers - local) * heads * tokens.length ** 2);
  strictEqual(hash(module.HEAPU8.subarray(weights, weights + 4 * count)), expected.attention);
  const sentence = '나라 [MASK] 나라[MASK].';
  const wanted = { ...expected.fill, tokens: inUnits(sentence, expected.fill.tokens), masks: inUnits(sentence, expected.fill.masks) };
  const { timing, kernel: used, ...fill } = engine.ask('fill', handle, sentence, 10);
  deepStrictEqual(fill, wanted);
  strictEqual(used, facts.kernel);
  ok(timing.encoder_ms >= 0);
  const texts = [layers > local ? `1,${layers}.1` : '1', '나라 [MASK]', '2:1', '나라'].map((text) => {
    const size = module.lengthBytesUTF8(text) + 1, pointer = module._malloc(size);
    module.stringToUTF8(text, pointer, size);
    return pointer;
  });
  const [off, other, moves, word] = texts;
  deepStrictEqual(engine.ask('intervene', handle, sentence, 10, off, other, 1, moves, 0, word),
    { ...expected.changed, tokens: inUnits(sentence, expected.changed.tokens) }, `${name}, ${kernel}`);
  texts.forEach((pointer) => module._free(pointer));
  // Whatever kernel is fastest here.
  module._minibert_time_kernels(handle);
  deepStrictEqual({ ...engine.ask('fill', handle, sentence, 10), timing: undefined, kernel: undefined }, { ...wanted, timing: undefined, kernel: undefined });
  module._minibert_unload(handle);
  checks += lines.length + expected.logits.length + 3;
}

function checkAnswers(engine, kernel, name, expected, lines) {
  const { module } = engine;
  const handle = engine.load(readFileSync(join(folder, `${name}.mbq`)));
  ok(handle, `${name}: ${engine.error()}`);
  strictEqual(JSON.parse(engine.text(module._minibert_facts(handle))).answers.overlap, true);
  const size = module.lengthBytesUTF8(expected.context) + 1;
  const context = module._malloc(size);
  module.stringToUTF8(expected.context, context, size);
  lines.forEach((line, i) => {
    const { timing, kernel: used, ...found } = engine.ask('answer', handle, line, context, 5);
    const wanted = expected.answers[i];
    if (typeof wanted === 'string') return strictEqual(engine.error(), wanted, line);
    strictEqual(used, name.endsWith('float32') ? 'float32' : kernel);
    // Exponentials are the C library's; all before them is the same to the bit.
    const rounded = (result) => ({ ...result, answers: result.answers.map((answer) => ({ ...answer, probability: answer.probability.toFixed(9) })) });
    return deepStrictEqual(rounded(found), rounded({ ...wanted, answers: inUnits(expected.context, wanted.answers) }), `${name}, ${kernel}: ${line}`);
  });
  module._free(context);
  strictEqual(engine.ask('fill', handle, '나라 [MASK]', 1), 'the model answers questions, expected one that fills masks');
  module._minibert_unload(handle);
  checks += lines.length + 1;
}

// What the engine makes of each line is what the native one does, to the bit: op(line). parts: what of it has
// places in the line.
function checkLines(engine, kernel, name, expected, lines, parts, op) {
  const handle = engine.load(readFileSync(join(folder, `${name}.mbq`)));
  ok(handle, `${name}: ${engine.error()}`);
  lines.forEach((line, i) => {
    const found = op(handle, line);
    if (typeof expected[i] === 'string') return strictEqual(found, expected[i], line);
    const { timing, kernel: used, ...rest } = found;
    strictEqual(used, kernel);
    return deepStrictEqual(rest, { ...expected[i], [parts]: inUnits(line, expected[i][parts]) }, `${name}, ${kernel}: ${line}`);
  });
  strictEqual(engine.ask('fill', handle, '나라 [MASK]', 1), `the model ${name.startsWith('labels') ? 'labels texts' : 'marks names'}, expected one that fills masks`);
  engine.module._minibert_unload(handle);
  checks += lines.length + 1;
}

function checkLabels(engine, kernel, name, expected, lines) {
  const { module } = engine;
  const size = module.lengthBytesUTF8(lines[0]) + 1;
  const second = module._malloc(size);
  module.stringToUTF8(lines[0], second, size);
  checkLines(engine, kernel, name, expected, lines, 'words', (handle, line) => engine.ask('classify', handle, line, second, 1));
  module._free(second);
}

// The sums of the relaxed kernels themselves, at sizes that take every tile and what is left beside tiles. They
// run on the engine's memory, two threads at once, so they must have no stack of their own in it.
async function checkSums(relaxedWasm, kernels) {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 32768 });
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(relaxedWasm), { env: { memory } });
  const bytes = new Uint8Array(memory.buffer), signed = new Int8Array(memory.buffer), words = new Int32Array(memory.buffer);
  const workspace = 0x20000, activations = 0x40000, weights = 0x80001, sums = 0x200000; // weights at an odd address
  const others = bytes.subarray(0, workspace).fill(0xa5);
  for (let i = weights; i < sums; ++i) bytes[i] = Math.imul(i, 2654435761) >>> 24;
  for (const rows of [1, 7, 8, 9, 17])
    for (const outputs of [1, 3, 4, 8, 19, 20, 24, 28, 47, 97])
      for (const k of [1, 4, 15, 17, 160, 256, 1023, 3408, 3409])
        for (const fine of [false, true]) {
          if (fine && k > 1024) continue; // kMaxFineInner
          const stride = (k + 31) & ~31, low = fine ? rows * stride : 0, ld = outputs + 3;
          bytes.fill(0, activations, weights);
          for (let m = 0; m < (fine ? 2 : 1) * rows; ++m)
            for (let i = 0; i < k; ++i) bytes[activations + m * stride + i] = (m * 31 + i * 73) & 127;
          const expected = new Int32Array(rows * ld).fill(0x5a5a5a5a);
          for (let m = 0; m < rows; ++m)
            for (let n = 0; n < outputs; ++n) {
              let sum = 0;
              for (let i = 0, at = activations + m * stride; i < k; ++i, ++at)
                sum += (fine ? 128 * bytes[at] + bytes[at + low] : bytes[at]) * signed[weights + n * k + i];
              expected[m * ld + n] = sum;
            }
          for (const name of kernels) {
            words.fill(0x5a5a5a5a, sums / 4, sums / 4 + rows * ld);
            exports[name](activations, low, stride, rows, weights, outputs, k, sums, ld, workspace);
            deepStrictEqual(words.slice(sums / 4, sums / 4 + rows * ld), expected, `${name}: ${rows} x ${outputs} x ${k}, ${fine ? 'two bytes' : 'one'}`);
            ++checks;
          }
        }
  strictEqual(others.findIndex((byte) => byte !== 0xa5), -1, 'an address that is none of the kernels\'');
}

function checkErrors(engine) {
  strictEqual(engine.load(new Uint8Array(100)), 0);
  ok(engine.error().length > 0);
  const file = readFileSync(join(folder, 'odd.mbq'));
  strictEqual(engine.load(file.subarray(0, file.length - 1)), 0);
  strictEqual(engine.ask('fill', 99, '[MASK]', 1), 'no model is loaded under this handle');
  const handle = engine.load(file);
  strictEqual(engine.ask('fill', handle, '글', 1), 'the text has no [MASK]');
  strictEqual(engine.module._minibert_error_found(), 0);
  // What is too long tells its pieces and the most that there may be.
  const long = engine.ask('fill', handle, '글 '.repeat(5000) + '[MASK]', 1);
  const { max_positions: most } = JSON.parse(engine.text(engine.module._minibert_facts(handle)));
  engine.ask('fill', handle, '글 '.repeat(5000) + '[MASK]', 1);
  strictEqual(engine.module._minibert_error_most(), most);
  ok(long.includes(`found ${engine.module._minibert_error_found()} pieces`), long);
  // Blanks are masks in a text without [MASK]; places are those of the text as it is given.
  const { masks } = engine.ask('fill', handle, '🙂 ( )은 글', 1);
  deepStrictEqual([masks[0].begin, masks[0].end], [3, 6]);
  engine.module._minibert_unload(handle);
  checks += 8;
}

try {
  const sources = join(here, '../../wasm_demo/engine');
  for (const [from, name] of [[wasm, 'engine.js'], [sources, 'start_engine.js'], [sources, 'shared_memory.js']])
    copyFileSync(join(from, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const linesFile = join(here, 'lines.txt');
  const reference = JSON.parse(execFileSync(referenceProgram, [folder, linesFile], { encoding: 'utf8', maxBuffer: 1 << 28 }));
  const lines = readFileSync(linesFile, 'utf8').split('\n').slice(0, -1);
  const relaxedWasm = readFileSync(join(wasm, 'relaxed_simd.wasm'));
  // Node 20 knows the instructions behind a flag, later ones without.
  if (!WebAssembly.validate(relaxedWasm)) setFlagsFromString('--experimental-wasm-relaxed-simd');
  const { startEngine, RELAXED_KERNELS } = await import(pathToFileURL(join(folder, 'start_engine.js')));
  const kernels = [['WASM SIMD128', []]];
  if (WebAssembly.validate(relaxedWasm)) {
    await checkSums(relaxedWasm, RELAXED_KERNELS);
    kernels.push(['WASM relaxed SIMD, 16 bits', ['dot_wasm_relaxed_simd16']], ['WASM relaxed SIMD', RELAXED_KERNELS]);
  } else {
    console.log(`Node ${process.version} knows no relaxed SIMD; tests/web compares these kernels in Chromium`);
  }
  const engineWasm = readFileSync(join(wasm, 'engine.wasm'));
  for (const [kernel, names] of kernels) {
    const engine = new Engine(await startEngine({ engineWasm, relaxedWasm, kernels: names }));
    for (const [name, expected] of Object.entries(reference.filling)) check(engine, kernel, name, expected, lines);
    for (const [name, expected] of Object.entries(reference.answering)) checkAnswers(engine, kernel, name, expected, lines);
    for (const [name, expected] of Object.entries(reference.labelling)) checkLabels(engine, kernel, name, expected, lines);
    for (const [name, expected] of Object.entries(reference.naming))
      checkLines(engine, kernel, name, expected, lines, 'entities', (handle, line) => engine.ask('tag', handle, line));
    checkErrors(engine);
  }
  console.log(`${checks} checks passed`);
} finally {
  rmSync(folder, { recursive: true });
}
