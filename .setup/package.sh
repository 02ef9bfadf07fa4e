#!/usr/bin/env bash
# Packs a release into build/package: the sources of the commit, the engine as it is installed (library, headers,
# minibert-ask) and as a Python wheel, what it is made of (SPDX), and the checksums of these.
set -euo pipefail
version="$(.setup/version.sh)"
out=build/package
engine="minibert-engine-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)"
rm -rf "$out"
mkdir -p "$out/$engine"
[[ -z "$(git status --porcelain)" ]] || echo "package: the work tree has changes; the sources are the last commit's" >&2
git archive --prefix "minibert-$version/" HEAD | gzip -n >"$out/minibert-$version.tar.gz"
.setup/engine.sh minibert_ask
cmake --install build/engine --prefix "$out/$engine" >&2
cp LICENSE NOTICE "$out/$engine/"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -c "$engine" |
  gzip -n >"$out/$engine.tar.gz"
rm -r "${out:?}/$engine"
python3 lib/api/python/make_wheel.py build/engine/lib/api/libminibert.so "$out" >&2
.setup/sbom.py >"$out/minibert-$version.spdx.json"
(cd "$out" && sha256sum -- minibert-* >SHA256SUMS)
ls -l "$out" >&2
