#!/usr/bin/env bash
# Names the NVIDIA card that Debian's LibTorch leaves unused, and the command that uses it. Says nothing without a card, or
# with another LibTorch. Environment: TORCH, NAME; DRIVER, the folder in which the kernel shows NVIDIA's driver.
set -euo pipefail
[[ "${TORCH:-debian}" == debian ]] || exit 0
driver="${DRIVER:-/proc/driver/nvidia}"
card="$(sed -n 's/^Model:[[:space:]]*//p' "$driver"/gpus/*/information 2>/dev/null | head -n 1 || true)"
if [[ -z "$card" ]] && command -v nvidia-smi >/dev/null; then  # as on WSL
  card="$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 || true)"
fi
[[ -n "$card" ]] || exit 0
echo "$card is here, and Debian's LibTorch cannot use it. To train on it: make experiment TORCH=cuda NAME=${NAME:-…}" >&2
