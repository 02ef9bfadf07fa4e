#!/usr/bin/env bash
# Prints the version, which stands in CMakeLists.txt alone.
set -euo pipefail
exec sed -n 's/^project(minibert VERSION \([0-9.]*\).*/\1/p' "$(dirname "$0")/../CMakeLists.txt"
