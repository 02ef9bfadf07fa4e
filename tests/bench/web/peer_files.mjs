// What the peers' pages read: the libraries' own files, and the models in their formats.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bertGraph } from './bert_graph.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, 'node_modules');
const INT8 = { int8: true, float: false };

function copy(from, to, names) {
  mkdirSync(to, { recursive: true });
  for (const name of names) copyFileSync(join(from, name), join(to, name));
}

// Puts the libraries into folder. What transformers.js wants for Node.js alone stands in package.json's overrides as a
// package that is there anyway. Returns the versions, package -> version.
export function copyLibraries(folder) {
  const transformers = join(packages, '@huggingface/transformers');
  const itsOwn = join(transformers, 'node_modules/onnxruntime-web');
  const runtime = join(packages, 'onnxruntime-web');
  const itsRuntime = existsSync(itsOwn) ? itsOwn : runtime;
  const wasm = ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'];
  copy(join(runtime, 'dist'), join(folder, 'onnxruntime'), ['ort.wasm.min.mjs', ...wasm]);
  copy(join(transformers, 'dist'), join(folder, 'transformers'), ['transformers.min.js']);
  copy(join(itsRuntime, 'dist'), join(folder, 'transformers'), wasm);
  const version = (at) => JSON.parse(readFileSync(join(at, 'package.json'))).version;
  return {
    'onnxruntime-web': version(runtime),
    'transformers.js': `${version(transformers)} (onnxruntime-web ${version(itsRuntime)})`,
  };
}

// Graphs of fixed lengths: length -> kind -> name.
export function writeGraphs(folder, name, mbq, lengths) {
  const graphs = {};
  for (const length of lengths) {
    graphs[length] = {};
    for (const [kind, int8] of Object.entries(INT8)) {
      graphs[length][kind] = `${name}-${length}-${kind}.onnx`;
      writeFileSync(join(folder, graphs[length][kind]), bertGraph(mbq, { length, int8 }));
    }
  }
  return graphs;
}

// A folder as transformers.js loads it. tokenizer: a folder of `minibert export --format huggingface`, of a model
// with the same pieces.
export function writeTransformers(folder, name, mbq, tokenizer) {
  const to = join(folder, 'models', name);
  copy(tokenizer, to, ['tokenizer.json', 'tokenizer_config.json']);
  mkdirSync(join(to, 'onnx'), { recursive: true });
  writeFileSync(join(to, 'config.json'), JSON.stringify({ model_type: 'bert', architectures: ['BertForMaskedLM'] }));
  writeFileSync(join(to, 'onnx/model.onnx'), bertGraph(mbq, { int8: false }));
  writeFileSync(join(to, 'onnx/model_quantized.onnx'), bertGraph(mbq, { int8: true }));
}
