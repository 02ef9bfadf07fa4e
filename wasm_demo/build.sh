#!/usr/bin/env bash
# Builds the page into BUILD/demo: takes the models (models.sh), compiles page and engine, makes the fonts. Run
# from the repository's root. Environment: BUILD (build), MODELS_JSON, MINIBERT_SOURCE_URL (the address that the
# page gives for its source, else the remote "origin" where that is public), MINIBERT_PAGE_URL (where the page will
# stand, for previews of its links).
set -euo pipefail
export PYTHONUTF8=1  # whatever the locale
build="${BUILD:-build}"
models="$build/demo-models"
font=/usr/share/fonts/truetype/nanum/NanumGothic.ttf
[[ -e "$font" ]] || { echo "wasm_demo/build.sh: $font is missing (package fonts-nanum)" >&2; exit 1; }

wasm_demo/models.sh
wasm_demo/compile.sh
/usr/bin/python3 wasm_demo/assemble.py --wasm "$build/demo-wasm" --font "$font" --list "$models/models.json" \
  --models "$models" --cache "$build/demo-cache" --out "$build/demo"
