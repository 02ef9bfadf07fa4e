#!/usr/bin/env bash
# Configures (once, or when TORCH, Torch_DIR or the preset changed) and builds the named targets, or all.
# Environment: PRESET (release), TORCH (debian | python | a folder with TorchConfig.cmake; without it as the build
# folder is configured, else debian), PYTHON (the one with torch), JOBS.
# Usage: .setup/build.sh [TARGET…]
set -euo pipefail
preset="${PRESET:-release}"
torch="${TORCH:-debian}"
build=build
[[ "$preset" == release ]] || build="build-$preset"

declare -a options=()
case "$torch" in
  debian) options+=(-DMINIBERT_TORCH=package) ;;
  python) options+=(-DMINIBERT_TORCH=python ${PYTHON:+"-DMINIBERT_PYTHON=$PYTHON"}) ;;
  *)
    if [[ ! -e "$torch/TorchConfig.cmake" ]]; then
      echo "TORCH: found '$torch', expected debian, python or a folder with TorchConfig.cmake" >&2
      exit 2
    fi
    options+=(-DMINIBERT_TORCH=package "-DTorch_DIR=$(realpath "$torch")")
    ;;
esac

stamp="$build/.configured-with"
wanted="$preset ${options[*]}"
[[ -z "${TORCH:-}" && -e "$build/build.ninja" && -e "$stamp" ]] && wanted="$(cat "$stamp")"
if [[ ! -e "$build/build.ninja" || "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]]; then
  cmake --fresh --preset "$preset" "${options[@]}" >&2
  echo "$wanted" >"$stamp"
fi

# Twenty sources that include LibTorch, compiled as one, take about 1.5 GiB.
memory_kib="$(awk '/^MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 4000000)"
jobs=$((memory_kib / 1500000))
cores="$(nproc)"
((jobs > cores)) && jobs=$cores
((jobs < 1)) && jobs=1
declare -a targets=()
(($#)) && targets=(--target "$@")
exec cmake --build "$build" --parallel "${JOBS:-$jobs}" "${targets[@]}" >&2
