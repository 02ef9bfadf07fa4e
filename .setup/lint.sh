#!/usr/bin/env bash
# Checks the format of all own sources, and clang-tidy on the named ones, else on those that differ from
# the last commit or came with it. Usage: .setup/lint.sh [FILE…]
set -euo pipefail
declare -a files
status=0
.setup/format.sh || status=1

if (($#)); then
  files=("$@")
else
  changed="$(git diff --name-only --diff-filter=d HEAD~1 -- '*.cpp')"
  added="$(git ls-files -o --exclude-standard '*.cpp')"
  mapfile -t files < <(printf '%s\n' "$changed" "$added" | sed '/^$/d' | sort -u)
fi
# clang cannot read the compiler's precompiled header, so the tidy build has none; and it looks at single sources.
cmake -S . -B build-lint -G Ninja -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DMINIBERT_UNITY=OFF >build-lint.log 2>&1 ||
  { cat build-lint.log >&2; exit 1; }
rm -f build-lint.log
# What is compiled for the browser alone is not in this build.
declare -a known=()
for file in "${files[@]}"; do
  grep -qF "\"$(realpath "$file")\"" build-lint/compile_commands.json && known+=("$file")
done
if ((${#known[@]})); then
  printf '%s\0' "${known[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build-lint --quiet --warnings-as-errors='*' \
      --extra-arg=-Wno-unknown-warning-option || status=1
fi
echo "lint: ${#known[@]} files with clang-tidy" >&2
exit "$status"
