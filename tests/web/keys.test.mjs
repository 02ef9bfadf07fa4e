// What the page shows of a model goes by the names of an experiment file's keys.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (name) => readFile(new URL(name, root), 'utf8');
const matches = (text, pattern) => [...new Set([...text.matchAll(pattern)].map((match) => match[1]))];
const between = (text, begin, end) => {
  const from = text.indexOf(begin);
  assert.notEqual(from, -1, begin);
  return text.slice(from, text.indexOf(end, from));
};

test('what the page shows of a model are keys of an experiment file', async () => {
  const known = matches(between(await read('experiments/KEYS.md'), '## `arms[].model`: BERT', '\n## '), /^\| `(\w+)`/gm);
  const shown = matches(between(await read('wasm_demo/web/models.js'), 'const layers =', '].filter'), /facts\.(\w+)/g);
  assert.ok(known.length > 20 && shown.length > 8);
  assert.deepEqual(shown.filter((key) => key !== 'vocab_size' && !known.includes(key)), []);
});
