#!/usr/bin/env bash
# Configures (once, or when TORCH, Torch_DIR or the preset changed) and builds the named targets, or all.
# Environment: PRESET (release), TORCH (debian | cuda | python | a folder with TorchConfig.cmake; without it as the build
# folder is configured, else debian), PYTHON (the one with torch), JOBS (compilers at once).
# Usage: .setup/build.sh [TARGET…]
set -euo pipefail
preset="${PRESET:-release}"
torch="${TORCH:-debian}"
build=build
[[ "$preset" == release ]] || build="build-$preset"

declare -a options=()
case "$torch" in
  debian) options+=(-DMINIBERT_TORCH=package) ;;
  cuda)
    python="$(.setup/torch_cuda.sh)"
    options+=(-DMINIBERT_TORCH=python "-DMINIBERT_PYTHON=$python")
    ;;
  python) options+=(-DMINIBERT_TORCH=python ${PYTHON:+"-DMINIBERT_PYTHON=$PYTHON"}) ;;
  *)
    if [[ ! -e "$torch/TorchConfig.cmake" ]]; then
      echo "TORCH: found '$torch', expected debian, cuda, python or a folder with TorchConfig.cmake" >&2
      exit 2
    fi
    options+=(-DMINIBERT_TORCH=package "-DTorch_DIR=$(realpath "$torch")")
    ;;
esac

# One build at a time in a folder: another waits here. The lock goes with the last process that has it.
mkdir -p "$build"
exec 9>"$build/.lock"
flock 9
stamp="$build/.configured-with"
wanted="$preset ${options[*]}"
[[ -z "${TORCH:-}" && -e "$build/build.ninja" && -e "$stamp" ]] && wanted="$(cat "$stamp")"
if [[ ! -e "$build/build.ninja" || "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]]; then
  rm -f "$stamp"  # so that what ends here is configured again
  cmake --fresh --preset "$preset" "${options[@]}" >&2
  echo "$wanted" >"$stamp"
fi

# Twenty sources that include LibTorch, compiled as one, take about 1.5 GiB. A container may have less than the machine.
memory_kib="$(awk '/^MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 4000000)"
for limit in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
  bytes="$(cat "$limit" 2>/dev/null || true)"
  [[ "$bytes" =~ ^[0-9]{1,15}$ ]] && ((bytes / 1024 < memory_kib)) && memory_kib=$((bytes / 1024))
done
jobs=$((memory_kib / 1500000))
cores="$(nproc)"
((jobs > cores)) && jobs=$cores
((jobs < 1)) && jobs=1
declare -a targets=()
(($#)) && targets=(--target "$@")
exec cmake --build "$build" --parallel "${JOBS:-$jobs}" "${targets[@]}" >&2
