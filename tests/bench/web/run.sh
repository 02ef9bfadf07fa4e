#!/usr/bin/env bash
# Measures the engine in Chromium against onnxruntime-web: the shipped 1M model, and the
# 10M one, with random weights where no record of it is stored. Run from the repository's root, with BUILD/minibert
# built. Environment: BUILD (build), CHROMIUM. Arguments go to run.mjs.
set -euo pipefail
build="${BUILD:-build}"
here=tests/bench/web
results=results/kowiki_mini_bert/full
out="$build/bench"
mkdir -p "$out"

wasm_demo/compile.sh engine relaxed_simd
.setup/npm.sh "$here"
models=()
for name in mini_bert_1m mini_bert_10m; do
  if [[ -e "$results/$name-s1.h5" ]]; then
    "$build/minibert" export --run "$results/$name-s1.h5" --out "$out/$name.mbq" --no-check >&2
    models+=("$name=$out/$name.mbq")
  else
    models+=("$name=$here/$name.json")
  fi
done
exec node "$here/run.mjs" --wasm "$build/demo-wasm/engine" --out "$out/web.json" "$@" "${models[@]}"
