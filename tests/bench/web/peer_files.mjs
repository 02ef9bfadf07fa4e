// What the peer's pages read: the library's own files, and the models in its format.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bertGraph } from './bert_graph.mjs';

const runtime = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/onnxruntime-web');
const INT8 = { int8: true, float: false };

// Puts the library into folder. Returns the versions, package -> version.
export function copyLibrary(folder) {
  const to = join(folder, 'onnxruntime');
  mkdirSync(to, { recursive: true });
  for (const name of ['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'])
    copyFileSync(join(runtime, 'dist', name), join(to, name));
  return { 'onnxruntime-web': JSON.parse(readFileSync(join(runtime, 'package.json'))).version };
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
