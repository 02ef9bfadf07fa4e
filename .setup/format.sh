#!/usr/bin/env bash
# Names the own sources that clang-format would change; status 1 if there are any.
set -euo pipefail
declare -a sources
list="$(git ls-files -co --exclude-standard '*.cpp' '*.h')"
mapfile -t sources <<<"$list"
if ! problems="$(clang-format --dry-run -Werror "${sources[@]}" 2>&1)"; then
  echo "format: make format would change" >&2
  sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error.*/  \1/p' <<<"$problems" | sort -u >&2
  exit 1
fi
echo "format: ${#sources[@]} files are as they should be" >&2
