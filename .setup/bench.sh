#!/usr/bin/env bash
# Runs the built benchmarks one after the other and collects their JSON lines in build/bench/native.json.
# Environment: PRESET, MINIBERT_DATA, ONLY (a benchmark's name).
set -euo pipefail
preset="${PRESET:-release}"
build=build
[[ "$preset" == release ]] || build="build-$preset"
if ! grep -qx 'CMAKE_BUILD_TYPE:[A-Z]*=Release' "$build/CMakeCache.txt"; then
  echo "bench: $build is not a Release build; its times would mean nothing" >&2
  exit 2
fi
read -r load _ </proc/loadavg
if awk -v load="$load" 'BEGIN {exit !(load > 0.5)}'; then
  echo "bench: the machine is busy (load $load); the times below are not to be quoted" >&2
fi

# What the benchmarks' arguments name (minibert_bench in lib/cmake/MinibertTarget.cmake).
data="${MINIBERT_DATA:-data}"
export MINIBERT="$build/minibert"
export KORQUAD="$data/korquad/KorQuAD_v1.0_dev.json"
export CORPUS="$data/kowiki/kowiki-dev.txt.zst"
# Else what the repository ships; the sample is too short for the ratios.
[[ -e "$KORQUAD" ]] || KORQUAD=experiments/data/korquad/KorQuAD_v1.0_dev.json.zst
[[ -e "$CORPUS" ]] || CORPUS=experiments/data/kowiki-small/kowiki-small-train.txt.zst
export TOKENIZER="$build/bench/tokenizer.model"
export PYTHON="${PYTHON:-/usr/bin/python3}"  # the one the packages are for
if [[ ! -e "$TOKENIZER" ]]; then
  echo "bench: training a tokenizer on $CORPUS" >&2
  "$MINIBERT" tokenizer train "$CORPUS" --vocab-size 8007 --shrink-to-fit --out "$TOKENIZER" >&2
fi

lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT
status=0
while read -r name command; do
  [[ -z "${ONLY:-}" || "$name" == "$ONLY" ]] || continue
  echo "bench: $name" >&2
  if ! bash -c "exec $command" >>"$lines"; then
    echo "bench: $name failed" >&2
    status=1
  fi
done <"$build/bench/commands"
/usr/bin/python3 tests/bench/native_report.py "$MINIBERT" "$build/bench/native.json" <"$lines" || status=1
exit "$status"
