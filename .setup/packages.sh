#!/usr/bin/env bash
# Installs the Debian/Ubuntu packages of the named groups (packages.txt) that are missing, and says which
# and why. Does nothing, in milliseconds, when all are there. Without root it prints the one line to run
# and stops with status 1. On other systems it names what is needed and goes on.
# Usage: .setup/packages.sh GROUP…
set -euo pipefail
list="$(dirname "$0")/packages.txt"

declare -a purposes=() packages=() all=()
declare -A chosen=()
for group in "$@"; do chosen[$group]=0; done
while IFS='|' read -r group purpose names; do
  group="${group//[[:space:]]/}"
  [[ -z "$group" || "$group" == \#* || ! -v chosen[$group] ]] && continue
  chosen[$group]=1
  read -ra words <<<"$names"
  read -r purpose <<<"$purpose"
  purposes+=("$purpose")
  packages+=("${words[*]}")
  all+=("${words[@]}")
done <"$list"
for group in "${!chosen[@]}"; do
  if [[ ${chosen[$group]} == 0 ]]; then
    echo "packages.sh: found group '$group', expected one of $list" >&2
    exit 2
  fi
done
[[ ${#all[@]} == 0 ]] && exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # Said once: a configured build shows that what is needed was found.
  if [[ ! -e "${MINIBERT_BUILD:-build}/build.ninja" ]]; then
    echo "This is no Debian or Ubuntu, so nothing is installed. Needed, by Debian's names:" >&2
    for i in "${!purposes[@]}"; do echo "  ${purposes[$i]}: ${packages[$i]}" >&2; done
  fi
  exit 0
fi

installed=" $(dpkg-query -W -f='${Package}=${db:Status-Status} ' "${all[@]}" 2>/dev/null || true) "
declare -a missing=()
report=""
for i in "${!purposes[@]}"; do
  absent=""
  for name in ${packages[$i]}; do
    [[ "$installed" == *" $name=installed "* ]] || absent+=" $name"
  done
  [[ -z "$absent" ]] && continue
  report+="  ${purposes[$i]}:$absent"$'\n'
  read -ra words <<<"$absent"
  missing+=("${words[@]}")
done
[[ ${#missing[@]} == 0 ]] && exit 0

if [[ "$(id -u)" != 0 ]]; then
  printf 'Missing packages:\n%sInstall them with this line, then run make again:\n' "$report" >&2
  echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
printf 'Installing packages:\n%s' "$report" >&2
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends "${missing[@]}"; } >&2; then
  echo "packages.sh: apt-get could not install ${missing[*]}; its own message is above" >&2
  exit 1
fi
