// Checks the published types against the scripts that they describe, the package's (minibert.d.ts) and the page's
// (page_api.d.ts), and that a program of another can use them: tsc --strict on api.js and all that it imports, and
// on package_use.ts. Usage: node types.mjs DEMO_DIR
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const demo = resolve(process.argv[2] ?? '');
if (!existsSync(join(demo, 'words.js'))) {
  console.error(`types.mjs: found no built page in "${demo}", expected the folder that wasm_demo/build.sh makes`);
  process.exit(2);
}
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const base = {
  strict: true, noEmit: true, types: [], target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'esnext',
  moduleResolution: 'bundler', exactOptionalPropertyTypes: false,
};
const folder = mkdtempSync(join(tmpdir(), 'minibert-types-'));

function check(name, compilerOptions, files) {
  const config = join(folder, `${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...base, ...compilerOptions }, files }));
  execFileSync(process.execPath, [here('node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' });
}

try {
  const scripts = ['api.js', 'pipeline.js', 'minibert.d.ts', 'page_api.d.ts'].map((name) => join(demo, name));
  check('scripts', { allowJs: true, checkJs: true }, scripts);
  copyFileSync(here('package_use.ts'), join(folder, 'package_use.ts'));
  check('use', { paths: { minibert: [join(demo, 'minibert.d.ts')] } }, [join(folder, 'package_use.ts')]);
  // What is declared is there, and what is there is declared.
  const names = (file, pattern) => [...readFileSync(join(demo, file), 'utf8').matchAll(pattern)].flatMap(([, list]) => list.split(/,\s*/));
  const exported = names('minibert.js', /^export \{ (.+) \}/gm).map((name) => name.split(' as ').pop());
  const declared = new Set(names('minibert.d.ts', /^export (?:abstract )?(?:class|const|function) (\w+)/gm));
  assert.deepEqual(exported.sort(), [...declared].sort());
  console.log('the types and the scripts agree');
} catch (error) {
  if (error.status === undefined) console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
