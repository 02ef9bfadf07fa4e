// The page (C++) and its elements (JavaScript) call things by the same names, read from the sources of both.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const demo = new URL('../../wasm_demo/', import.meta.url);
const source = (name) => readFile(new URL(name, demo), 'utf8');
const matches = (text, pattern) => [...new Set([...text.matchAll(pattern)].map((match) => match[1]))];
const sorted = (names) => [...names].sort();
const between = (text, begin, end) => {
  const from = text.indexOf(begin);
  assert.notEqual(from, -1, begin);
  return text.slice(from, text.indexOf(end, from));
};

test('the mirror has an element for every role of the outline, in C++ a name for every one', async () => {
  const names = matches(between(await source('page/outline.cpp'), 'kRoleNames', '};'), /"(\w+)"/g);
  const roles = matches(between(await source('web/mirror.js'), 'const ROLES = {', '\n};'), /^ {2}(\w+):/gm);
  const members = matches(between(await source('page/outline.h'), 'enum class Role {', '};'), /^ {2}(\w+),?/gm);
  assert.ok(names.length > 5);
  assert.deepEqual(sorted(roles), sorted(names));
  assert.deepEqual(members, names); // in one order: the names are found by number
});

test('the page knows every kind of pointer event that is sent, and none besides', async () => {
  const known = matches(await source('page/pointer_queue.cpp'), /name == "(\w+)"/g);
  const sent = matches(await source('web/canvas_input.js'), /(?:send|pointer)\('(\w+)'/g);
  assert.ok(known.length > 2);
  assert.deepEqual(sorted(sent), sorted(known));
});

test('the page knows every state that a model is put in', async () => {
  const set = matches(await source('web/models.js'), /state(?: =|:) '(\w+)'/g);
  const members = matches(between(await source('page/messages.h'), 'enum class ModelState {', '}'), /\b(\w+)(?=,| *$)/g);
  assert.ok(set.length > 2);
  assert.deepEqual(sorted(set), sorted(members));
});

test('what the page shows of a model are keys of an experiment file', async () => {
  const keys = await readFile(new URL('../../experiments/KEYS.md', import.meta.url), 'utf8');
  const known = matches(between(keys, '## `arms[].model`: BERT', '\n## '), /^\| `(\w+)`/gm);
  const shown = matches(between(await source('web/models.js'), 'const layers =', 'const pairs ='), /facts\.(\w+)/g);
  assert.ok(known.length > 20 && shown.length > 8);
  assert.deepEqual(shown.filter((key) => key !== 'vocab_size' && !known.includes(key)), []);
});
