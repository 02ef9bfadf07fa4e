// Exported ONNX files in ONNX Runtime (WebAssembly, in Node) against what LibTorch computes of the
// same inputs. Usage: node onnx.mjs REFERENCE_PROGRAM. Exit status 77: skipped, a package is missing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOLERANCE = 1e-4; // of a float32 output
const SKIPPED = 77;

function onnxRuntime() {
  try {
    return createRequire(new URL('../web/package.json', import.meta.url))('onnxruntime-web');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.error('SKIPPED: onnxruntime-web is not installed (npm ci in tests/web): no ONNX file was run');
    process.exit(SKIPPED);
  }
}

// The fields of a protobuf message: { number: [values] }, bytes of those that have a length.
function fieldsOf(bytes) {
  const fields = {};
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    assert.ok([0, 2].includes(tag & 7), `wire type ${tag & 7}`);
    let value = varint();
    if ((tag & 7) === 2) value = bytes.subarray(at, at += value);
    (fields[tag >> 3] ??= []).push(value);
  }
  assert.equal(at, bytes.length);
  return fields;
}

// What a reader of the file sees before it runs anything.
function checkModel(bytes, name) {
  const model = fieldsOf(bytes);
  assert.deepEqual(model[1], [8], 'ir_version');
  assert.deepEqual(fieldsOf(model[8][0])[2], [17], 'operator set');
  const metadata = Object.fromEntries((model[14] ?? []).map((entry) => {
    const { 1: [key], 2: [value] } = fieldsOf(entry);
    return [String(key), String(value)];
  }));
  if (name === 'bert') assert.deepEqual(metadata, { 'a key': 'a text' });
  if (name !== 'shipped') return;
  assert.equal(metadata.experiment, 'kowiki_everyday');
  assert.equal(metadata.arm, 'mini_bert_1m_soup');
  assert.equal(metadata.tokenizer_format, 'sentencepiece');
  assert.match(metadata.tokenizer_sha256, /^[0-9a-f]{64}$/);
  assert.equal(JSON.parse(metadata.model).kind, 'bert');
}

const largestDifference = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

// Returns the largest difference of all runs.
async function checkCase(ort, folder, name) {
  const bytes = readFileSync(join(folder, `${name}.onnx`));
  checkModel(bytes, name);
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: 3 });
  assert.deepEqual(session.inputNames, ['input_ids', 'token_type_ids']);
  let most = 0;
  for (const run of JSON.parse(readFileSync(join(folder, `${name}.json`)))) {
    const feeds = Object.fromEntries(session.inputNames.map((input) => [input,
      new ort.Tensor('int64', BigInt64Array.from(run[input].data, BigInt), run[input].dims)]));
    const results = await session.run(feeds);
    assert.deepEqual(session.outputNames, run.outputs.map((output) => output.name));
    for (const output of run.outputs) {
      const found = results[output.name];
      assert.deepEqual([...found.dims], output.dims, output.name);
      const difference = largestDifference(output.data, found.data);
      assert.ok(difference <= TOLERANCE, `${output.name} of ${run.input_ids.dims}: differs by ${difference}`);
      most = Math.max(most, difference);
    }
  }
  await session.release();
  return most;
}

const ort = onnxRuntime();
ort.env.wasm.numThreads = 1;
const folder = mkdtempSync(join(tmpdir(), 'minibert-onnx-'));
let failed = 0, passed = 0;
try {
  execFileSync(process.argv[2], [folder], { stdio: 'inherit' });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.onnx')).map((file) => file.slice(0, -5))) {
    try {
      console.log(`${name}: differs by ${(await checkCase(ort, folder, name)).toExponential(1)} at most`);
      ++passed;
    } catch (error) {
      console.error(`${name}: FAILED: ${error.message}`);
      ++failed;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
