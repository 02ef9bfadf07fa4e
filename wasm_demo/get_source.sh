#!/bin/sh
# get_source.sh PACKAGE VERSION SHA256 DIR: unpacks a Debian source package's upstream tarball, checked
# against its SHA-256, into DIR. Uses deb-src lines derived from this machine's own package sources,
# in a private list that leaves the system's alone; where those do not have that version, Debian's pool.
set -eu
package=$1 version=$2 sha256=$3 dir=$4
upstream=${version%-*}
[ -f "$dir/.unpacked-$upstream" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  [ -f "$list" ] || continue
  case $list in
    *.list) sed -n 's/^deb /deb-src /p' "$list" > "$work/parts/$(basename "$list")" ;;
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" > "$work/parts/$(basename "$list")" ;;
  esac
done
apt_options="-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$work/parts
  -o Dir::State::lists=$work/lists -o Dir::Cache=$work/cache -o APT::Sandbox::User=root"
# shellcheck disable=SC2086 # a list of options
(cd "$work/source" && apt-get $apt_options update >"$work/log" 2>&1 || true
  apt-get $apt_options source --download-only "$package=$version" >>"$work/log" 2>&1) || true
tarball=$(find "$work/source" -name "${package}_${upstream}.orig.tar.*" | head -n 1)
if [ -z "$tarball" ]; then
  initial=$(printf %.1s "$package")
  pool=https://deb.debian.org/debian/pool/main/$initial/$package
  for suffix in xz gz; do
    tarball=$work/source/${package}_$upstream.orig.tar.$suffix
    curl -fsSL "$pool/$(basename "$tarball")" -o "$tarball" && break || rm -f "$tarball"
  done
fi
if [ ! -f "$tarball" ]; then
  cat "$work/log" >&2
  echo "get_source.sh: no source package $package $version in apt's sources or in Debian's pool" >&2
  exit 1
fi
found=$(sha256sum "$tarball" | cut -d' ' -f1)
if [ "$found" != "$sha256" ]; then
  echo "get_source.sh: $(basename "$tarball") has SHA-256 $found, expected $sha256" >&2
  exit 1
fi
mkdir -p "$dir"
tar xf "$tarball" -C "$dir" --strip-components=1
touch "$dir/.unpacked-$upstream"
