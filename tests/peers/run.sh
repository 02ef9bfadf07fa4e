#!/usr/bin/env bash
# Checks exports and imports with the programs that they are for, each in a Python of its own in build/peers.
# Environment: BUILD, REMAKE=1 (write tests/peers/files anew), PYTHON (python3), MINIBERT_DATA.
set -euo pipefail
cd "$(dirname "$0")/../.."
build="${BUILD:-build}"
peers="$build/peers"
here=tests/peers
export MINIBERT="$PWD/$build/minibert" PEERS_WORK="$PWD/$peers/work" PYTHONPATH="$PWD/$here"
export TF_CPP_MIN_LOG_LEVEL=3 HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error PYTHONWARNINGS=ignore
mkdir -p "$PEERS_WORK" "$peers/results"
rm -f "$peers"/results/*.json
declare -a skipped=()

# installed NAME WHAT: a Python with what requirements/NAME.txt names; false where it cannot be had.
installed() {
  local folder="$peers/$1" wanted="$here/requirements/$1.txt"
  cmp -s "$wanted" "$folder/installed" && return
  echo "peers: installing $2 into $folder" >&2
  rm -rf "$folder"
  if "${PYTHON:-python3}" -m venv "$folder" && "$folder/bin/pip" install -q --no-compile -r "$wanted" >&2; then
    cp "$wanted" "$folder/installed"
  else
    skipped+=("$2=could not be installed")
    return 1
  fi
}

# Small records of shapes and tasks that none of the shipped ones has: files, and which of their arms.
while read -r name arms; do
  "$MINIBERT" run "$here/experiments/peers_$name.json" --results "$peers/runs" --data experiments/data \
    --profile quick --precision fp32 --no-fetch --quiet ${arms:+--arms "$arms"} >&2
done <<'END'
pretrain
unigram bert
bytes bert
wordpiece
classification
choice bert
questions
END

checks() { "$peers/transformers/bin/python" "$here/$1.py" "${@:2}"; }

if installed transformers "transformers and onnxruntime"; then
  if [[ -n "${REMAKE:-}" ]]; then checks write_files "$here/files"; fi
  checks transformers_export "$peers/results/export.json"
  checks transformers_import "$peers/results/import.json"
  checks other_files "$peers/results/files.json"
  # The course's pretraining model in Keras 2.
  checks tokenizer_of "$peers/runs/peers_pretrain/quick/bert-s1.h5" "$PEERS_WORK/keras_tokenizer.model"
  if installed keras "Keras 2"; then
    export TF_USE_LEGACY_KERAS=1
    python="$PWD/$peers/keras/bin/python" files="$PEERS_WORK/keras"
    rm -rf "$files"
    mkdir -p "$files"
    version="$("$python" "$here/keras_write.py" "$files" 4000)"
    if [[ -n "${REMAKE:-}" ]]; then
      pieces="$(wc -l <"$here/files/electra_vocab_and_settings/vocab.txt")"
      "$python" "$here/keras_write.py" "$here/files/keras" "$pieces" small >&2
    fi
    checks keras_import "$peers/results/keras.json" "$files" "$version"
  fi
fi

# Runs as a database, the names in ONNX files, and what OWN_DATA.md does with pandas.
if installed tables "pandas and onnx"; then
  "$peers/tables/bin/python" "$here/own_data_recipes.py" "$peers/results/recipes.json" || true  # told in the table
  "$peers/tables/bin/python" "$here/exported_runs.py" "$peers/results/runs.json"
fi

# The npm package in a bundler.
if .setup/npm.sh "$here/bundler" && .setup/npm.sh tests/web; then
  package="$(BUILD="$build" wasm_demo/package/build.sh | tail -1)"
  node "$here/bundler/run.mjs" "$package" "$PEERS_WORK/bundler" "$peers/results/bundler.json" || true  # told in the table
else
  skipped+=("Vite=could not be installed")
fi
exec "${PYTHON:-python3}" "$here/table.py" "$peers/results" "${skipped[@]}"
