#!/usr/bin/env bash
# Runs the tests with ctest, prints what fails in full, Catch2's own totals for every executable, the tests
# that were skipped for want of data, with PRESET=coverage also how much of lib they run, and ends with ctest's
# status. Environment: LABEL (a ctest label; without it all but soak), PRESET.
set -euo pipefail
preset="${PRESET:-release}"
build=build
[[ "$preset" == release ]] || build="build-$preset"
declare -a choice=(--preset "$preset")
[[ -n "${LABEL:-}" ]] && choice=(--test-dir "$build" -L "^$LABEL\$")
# Most of a test is one thread; those of soak and what instruments the code want the machine.
[[ "$preset" == release && "${LABEL:-}" != soak ]] && choice+=(--parallel 2)

status=0
ctest "${choice[@]}" --output-on-failure --no-tests=error --timeout "${TIMEOUT:-900}" \
  --output-junit test-results.xml || status=$?

echo
echo "Catch2's own count of every test executable, and the browser's:"
awk '/^[0-9]+\/[0-9]+ Testing: / {name = $3}
     /^All tests passed|^test cases:|^assertions:|^No tests ran|^[0-9]+ passed, [0-9]+ failed/ {printf "  %-28s %s\n", name, $0}' \
  "$build/Testing/Temporary/LastTest.log"
# ctest hides what passed tests say (tests/support/real_data.h).
awk '/^[0-9]+\/[0-9]+ Testing: / {name = $3}
     sub(/^skipped: /, "") {lines[n++] = sprintf("  %-28s %s", name, $0)}
     END {printf "Skipped for want of data: %d\n", n; for (i = 0; i < n; ++i) print lines[i]}' \
  "$build/Testing/Temporary/LastTest.log"
[[ "$preset" != coverage ]] || gcovr --root . --filter lib/ --gcov-executable "llvm-cov-19 gcov" "$build"
exit "$status"
