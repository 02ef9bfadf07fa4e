#!/usr/bin/env bash
# Builds the page into BUILD/demo: exports the models of models.json, compiles page and engine, makes the
# fonts. Run from the repository's root, with BUILD/minibert built. Environment: BUILD (build), MODELS_JSON,
# MINIBERT_SOURCE_URL (the address that the page gives for its source, else the remote "origin" where that is public).
set -euo pipefail
build="${BUILD:-build}"
list="${MODELS_JSON:-wasm_demo/models.json}"
models="$build/demo-models"
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

wasm_demo/compile.sh
/usr/bin/python3 wasm_demo/assemble.py --wasm "$build/demo-wasm" --font "$font" --list "$list" --models "$models" \
  --cache "$build/demo-cache" --out "$build/demo"
