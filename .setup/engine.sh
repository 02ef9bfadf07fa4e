#!/usr/bin/env bash
# Configures (once) and builds targets of the engine alone, in build/engine: neither LibTorch nor HDF5.
# Usage: .setup/engine.sh TARGET…
set -euo pipefail
build=build/engine
mkdir -p "$build"
exec 9>"$build/.lock"  # as build.sh
flock 9
if [[ ! -e "$build/build.ninja" ]]; then
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMINIBERT_ENGINE_ONLY=ON >&2
fi
exec cmake --build "$build" --target "$@" >&2
