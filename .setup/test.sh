#!/usr/bin/env bash
# Runs the tests with ctest, prints what fails in full, Catch2's own totals for every executable, and ends
# with ctest's status. Environment: LABEL (a ctest label; without it all but soak), PRESET.
set -euo pipefail
preset="${PRESET:-release}"
build=build
[[ "$preset" == release ]] || build="build-$preset"
declare -a choice=(-LE '^soak$')
[[ -n "${LABEL:-}" ]] && choice=(-L "^$LABEL\$")

status=0
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout "${TIMEOUT:-900}" \
  --output-junit test-results.xml "${choice[@]}" || status=$?

echo
echo "Catch2's own count of every test executable, and the browser's:"
awk '/^[0-9]+\/[0-9]+ Testing: / {name = $3}
     /^All tests passed|^test cases:|^assertions:|^No tests ran|^[0-9]+ passed, [0-9]+ failed/ {printf "  %-28s %s\n", name, $0}' \
  "$build/Testing/Temporary/LastTest.log"
exit "$status"
