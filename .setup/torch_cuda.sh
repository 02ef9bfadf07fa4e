#!/usr/bin/env bash
# Makes .venv with the torch that runs on NVIDIA cards, once; several GB are downloaded. Prints the venv's Python.
# Usage: .setup/torch_cuda.sh
set -euo pipefail
cd "$(dirname "$0")/.."
version=2.11.0  # the one that has trained on a card
venv=.venv
if [[ "$(cat "$venv/cuda-torch" 2>/dev/null)" != "$version" ]]; then
  .setup/packages.sh cuda
  echo "Installing torch $version with CUDA into $venv (several GB, once)" >&2
  python3 -m venv "$venv" >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "torch==$version" numpy >&2
  echo "$version" >"$venv/cuda-torch"  # last: what was interrupted is made again
fi
realpath -s "$venv/bin/python"
