#!/usr/bin/env bash
# Builds the engine for the browser alone, without the page, into BUILD/engine-wasm. Run from the
# repository's root. Environment: BUILD (build).
set -euo pipefail
wasm="${BUILD:-build}/engine-wasm"
# Emscripten of Debian and Ubuntu finds its node modules only when told where they are.
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
mkdir -p "$wasm/include"
ln -sfn /usr/include/nlohmann "$wasm/include/nlohmann"
if [[ ! -e "$wasm/build.ninja" ]]; then
  emcmake cmake -S wasm_demo/engine -B "$wasm" -G Ninja -DJSON_DIR="$PWD/$wasm/include" >&2
fi
cmake --build "$wasm" >&2
