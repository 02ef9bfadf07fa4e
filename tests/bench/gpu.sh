#!/usr/bin/env bash
# All that a first session on a GPU shows, in one JSON: the operations and tasks on the card against the CPU; training
# speed beside LibTorch's own modules and a tuned loop in Python, with the share of what the card multiplies; then the
# course's ten epochs of pretraining and its two models on KorQuAD, as far as the minutes go (the next call goes on).
# Environment: PRESET, DEVICE (cuda), MINUTES (30, all together), PYTHON (with torch; else the loop in Python is left out),
# MINIBERT_DATA, TRAINING (course), BENCH_OUT. Usage: tests/bench/gpu.sh
set -euo pipefail
build=build
[[ "${PRESET:-release}" == release ]] || build="build-$PRESET"
export DEVICE="${DEVICE:-cuda}"
minutes="${MINUTES:-30}"
profile="${TRAINING:-course}"
out="${BENCH_OUT:-$build/bench/gpu.json}"
program="$build/minibert"
started="$(date +%s)"
left() { echo $((minutes * 60 - ($(date +%s) - started))); }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p "$(dirname "$out")"
if ! "$program" run kowiki_mini_bert --list --device "$DEVICE" >/dev/null 2>"$work/error"; then
  tail -n 1 "$work/error" >&2
  exit 2
fi
"$program" --version >"$work/machine"

# Runs a part in the time that is left, at most `most` seconds of it; what it prints goes to files of its own.
part() {
  local name="$1" begin status=0 limit
  shift
  if (($(left) <= 0)); then
    echo "bench-gpu: no time is left for $name" >&2
    return
  fi
  echo "bench-gpu: $name ($(left) s left)" >&2
  begin="$(date +%s)"
  limit="$(left)"
  [[ -z "${most:-}" ]] || ((limit <= most)) || limit="$most"
  timeout --signal=INT --kill-after=60 "$limit" "$@" >"$work/$name.out" 2>"$work/$name.err" || status=$?
  printf '%s\t%s\t%s\n' "$name" "$status" "$(($(date +%s) - begin))" >>"$work/parts"
  ((status == 0)) || { echo "bench-gpu: $name ended with status $status" >&2; tail -n 3 "$work/$name.err" >&2; }
}

MINIBERT_TEST_DEVICE="$DEVICE" part correctness "$build/test_device" "[on a device]" --reporter xml

data="${MINIBERT_DATA:-data}"
korquad="$data/korquad/KorQuAD_v1.0_dev.json"
corpus="$data/kowiki/kowiki-dev.txt.zst"
[[ -e "$korquad" ]] || korquad=experiments/data/korquad/KorQuAD_v1.0_dev.json.zst
[[ -e "$corpus" ]] || corpus=experiments/data/kowiki-small/kowiki-small-train.txt.zst
tokenizer="$build/bench/tokenizer.model"
[[ -e "$tokenizer" ]] ||
  "$program" tokenizer train "$corpus" --vocab-size 8007 --shrink-to-fit --out "$tokenizer" >&2
export PYTHON="${PYTHON:-python3}"
TUNED=1
"$PYTHON" -c 'import sys, torch; torch.zeros(1, device=sys.argv[1])' "$DEVICE" 2>/dev/null || TUNED=0
export TUNED
most=$((minutes * 20)) part speed "$build/bench_train" "$korquad" "$corpus" "$tokenizer" "${ROUNDS:-3}" "${SECONDS_A_ROUND:-5}"

results="$build/bench/gpu-results"
for experiment in kowiki_mini_bert korquad_lstm_vs_bert; do
  part "$experiment" "$program" run "$experiment" --profile "$profile" --device "$DEVICE" \
    --results "$results" --no-fetch --quiet
  "$program" compare "$experiment" --results "$results" --json >"$work/$experiment.out" || true
done

python3 tests/bench/gpu_report.py "$work" "$results" "$out"
