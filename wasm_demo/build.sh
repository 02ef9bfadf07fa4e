#!/usr/bin/env bash
# Builds the page into BUILD/demo: exports the models of models.json, compiles page and engine, makes the
# fonts. Run from the repository's root, with BUILD/minibert built. Environment: BUILD (build), MODELS_JSON.
set -euo pipefail
build="${BUILD:-build}"
list="${MODELS_JSON:-wasm_demo/models.json}"
models="$build/demo-models"
wasm="$build/demo-wasm"
font=/usr/share/fonts/truetype/nanum/NanumGothic.ttf
[[ -e "$font" ]] || { echo "wasm_demo/build.sh: $font is missing (package fonts-nanum)" >&2; exit 1; }

# Models: again only when the record, or the exporter, is newer.
mkdir -p "$models"
while IFS=$'\t' read -r id run weights; do
  out="$models/$id.mbq"
  [[ -e "$run" ]] || { echo "wasm_demo/build.sh: $run, which $list names, is missing" >&2; exit 1; }
  if [[ ! "$out" -nt "$run" || ! "$out" -nt "$build/minibert" ]]; then
    flags=()
    [[ "$weights" == float32 ]] && flags=(--float)
    "$build/minibert" export --run "$run" --out "$out" --no-check "${flags[@]}" >&2
  fi
done < <(python3 -c '
import json, sys
for m in json.load(open(sys.argv[1]))["models"]:
    print(m["id"], m["run"], m["weights"], sep="\t")' "$list")

# Emscripten of Debian and Ubuntu finds its node modules only when told where they are.
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
mkdir -p "$wasm/include"
ln -sfn /usr/include/nlohmann "$wasm/include/nlohmann"
if [[ ! -e "$wasm/build.ninja" ]]; then
  emcmake cmake -S wasm_demo -B "$wasm" -G Ninja -DJSON_DIR="$PWD/$wasm/include" >&2
fi
cmake --build "$wasm" >&2
/usr/bin/python3 wasm_demo/assemble.py --wasm "$wasm" --font "$font" --list "$list" --models "$models" \
  --out "$build/demo"
