#!/usr/bin/env bash
# Compiles page and engine to WebAssembly in BUILD/demo-wasm, or the named targets (page, engine,
# relaxed_simd) alone. Run from the repository's root. Environment: BUILD (build).
set -euo pipefail
wasm="${BUILD:-build}/demo-wasm"
# Emscripten of Debian and Ubuntu finds its node modules only when told where they are.
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
mkdir -p "$wasm/include"
exec 9>"$wasm/.lock"  # as .setup/build.sh
flock 9
ln -sfn /usr/include/nlohmann "$wasm/include/nlohmann"
if [[ ! -e "$wasm/build.ninja" ]]; then
  emcmake cmake -S wasm_demo -B "$wasm" -G Ninja -DJSON_DIR="$(realpath "$wasm/include")" >&2
fi
declare -a targets=()
(($#)) && targets=(--target "$@")
exec cmake --build "$wasm" "${targets[@]}" >&2
