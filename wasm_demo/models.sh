#!/usr/bin/env bash
# The page's models, BUILD/demo-models/ID.mbq (of a training that was kept on its way ID.mbqs) for every id of
# models.json, and models.json there with those
# that could be had. What the tree has, wasm_demo/models, is taken as it is; others are exported from their
# records where BUILD/minibert is built. `--tree` exports those of the tree anew instead.
# Run from the repository's root. Environment: BUILD (build), MODELS_JSON.
set -euo pipefail
export PYTHONUTF8=1  # whatever the locale
build="${BUILD:-build}"
list="${MODELS_JSON:-wasm_demo/models.json}"
models="$build/demo-models"
tree=wasm_demo/models

# id, its file, record, weights
rows() {
  python3 -c '
import json, sys
for m in json.load(open(sys.argv[1]))["models"]:
    print(m["id"], m["id"] + (".mbqs" if m.get("series") else ".mbq"), m["run"], m["weights"], sep="\t")' "$list"
}

export_to() {  # file record weights
  [[ -e "$2" ]] || { echo "wasm_demo/models.sh: $2, which $list names, is missing" >&2; exit 1; }
  local flags=()
  [[ "$3" == float32 ]] && flags=(--float)
  [[ "$1" == *.mbqs ]] && flags=(--format mbqs)
  [[ "$1" == *.mbqs ]] || flags+=(--no-check)
  "$build/minibert" export --run "$2" --out "$1" "${flags[@]}" >&2
}

if [[ "${1:-}" == --tree ]]; then
  # A series only where its run was made here: no record of it is stored.
  while IFS=$'\t' read -r _ file run weights; do
    [[ ! -e "$tree/$file" || ("$file" == *.mbqs && ! -e "$run") ]] || export_to "$tree/$file" "$run" "$weights"
  done < <(rows)
  exit
fi

mkdir -p "$models"
declare -a had=() missing=()
while IFS=$'\t' read -r id file run weights; do
  out="$models/$file"
  if [[ -e "$tree/$file" ]]; then
    cmp -s "$tree/$file" "$out" || cp "$tree/$file" "$out"
  elif [[ ! -e "$build/minibert" || ("$file" == *.mbqs && ! -e "$run") ]]; then
    missing+=("$id")
    continue
  elif [[ ! "$out" -nt "$run" || ! "$out" -nt "$build/minibert" ]]; then
    # Again only when the record, or the exporter, is newer.
    export_to "$out" "$run" "$weights"
  fi
  had+=("$id")
done < <(rows)
python3 - "$list" "$models/models.json" "${had[@]}" <<'PYTHON'
import json, sys
every = json.load(open(sys.argv[1]))
every["models"] = [model for model in every["models"] if model["id"] in sys.argv[3:]]
json.dump(every, open(sys.argv[2], "w"), ensure_ascii=False, indent=2)
PYTHON
((${#missing[@]} == 0)) || echo "The page has no ${missing[*]}: \`make build\` first, and it has all models." >&2
