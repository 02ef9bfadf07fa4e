#!/usr/bin/env bash
# Installs a folder's npm packages, as its package-lock.json names them, when they are not there.
# Usage: .setup/npm.sh FOLDER
set -euo pipefail
[[ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ]] && exit
(cd "$1" && npm ci --no-fund --no-audit >&2)
