#!/usr/bin/env bash
# Packs the npm package into BUILD/minibert-VERSION.tgz, and lists its files with their sizes. Run from the
# repository's root. Environment: BUILD (build).
set -euo pipefail
build="${BUILD:-build}"
wasm_demo/compile.sh engine relaxed_simd
python3 wasm_demo/package/pack.py "$build/demo-wasm/engine" "$build/npm"
file="$(npm pack "./$build/npm" --pack-destination "$build" --offline)"
echo "$build/$file"
