// Checks minibert.d.ts against the scripts that it describes: tsc --strict on api.js and all that it imports.
// Usage: node types.mjs DEMO_DIR
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const demo = resolve(process.argv[2] ?? '');
if (!existsSync(join(demo, 'words.js'))) {
  console.error(`types.mjs: found no built page in "${demo}", expected the folder that wasm_demo/build.sh makes`);
  process.exit(2);
}
const compilerOptions = {
  strict: true, allowJs: true, checkJs: true, noEmit: true, types: [],
  target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler',
};
const folder = mkdtempSync(join(tmpdir(), 'minibert-types-'));
try {
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['api.js', 'minibert.d.ts'].map((name) => join(demo, name)) }));
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url));
  execFileSync(process.execPath, [compiler, '-p', config], { stdio: 'inherit' });
  console.log('minibert.d.ts and the scripts agree');
} catch {
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
