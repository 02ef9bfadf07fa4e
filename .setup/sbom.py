#!/usr/bin/env python3
"""Prints what the program is made of as SPDX 2.3 in JSON: its own sources, the sources that it pins, and the
Debian packages that it is built with, at the versions installed here. Usage: .setup/sbom.py"""
import datetime
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout.strip()


def pinned():
    """(name, version, SHA-256, address) of the sources that CMake fetches."""
    for path in sorted([*ROOT.glob("lib/cmake/*.cmake"), *ROOT.glob("wasm_demo/*.cmake")]):
        text = path.read_text(encoding="utf-8")
        versions = dict(re.findall(r"set\((\w+_VERSION) ([\w.]+)\)", text))
        for variable, value in versions.items():
            text = text.replace("${" + variable + "}", value)
        for name, version, sha256, address in re.findall(
            r"minibert_fetch_source\(\w+ ([\w-]+?)-(\d[\w.]*)\s+([0-9a-f]{64})\s+(\S+?)\)?\s", text
        ):
            yield name, version, sha256, address


def debian():
    """(name, version) of the packages of the groups that are compiled into, or linked by, the program."""
    seen = set()
    for line in (ROOT / ".setup/packages.txt").read_text(encoding="utf-8").splitlines():
        if not re.match(r"(engine|core|torch|page)\b", line):
            continue
        for name in line.split("|")[2].split():
            version = output_of("dpkg-query", "-W", "-f=${Version}", name)
            if version and name not in seen:
                seen.add(name)
                yield name, version


def main():
    version = output_of(".setup/version.sh")
    commit, date = output_of("git", "rev-parse", "HEAD"), output_of(
        "env", "TZ=UTC0", "git", "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd")
    # Of an unpacked archive there is no commit.
    date = date or datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    packages = [{"SPDXID": "SPDXRef-minibert", "name": "minibert", "versionInfo": version, "licenseDeclared": "MIT",
                 "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "sourceInfo": f"commit {commit}"}]
    for name, found, sha256, address in pinned():
        packages.append({"SPDXID": f"SPDXRef-source-{name}", "name": name, "versionInfo": found,
                         "downloadLocation": address if "://" in address else "NOASSERTION", "filesAnalyzed": False,
                         "checksums": [{"algorithm": "SHA256", "checksumValue": sha256}]})
    for name, found in debian():
        packages.append({"SPDXID": f"SPDXRef-debian-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name,
                         "versionInfo": found, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                           "referenceLocator": f"pkg:deb/debian/{name}@{found}"}]})
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-minibert"}]
    relations += [{"spdxElementId": "SPDXRef-minibert", "relationshipType": "DEPENDS_ON",
                   "relatedSpdxElement": one["SPDXID"]} for one in packages[1:]]
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
               "name": f"minibert-{version}", "documentNamespace": f"urn:minibert:{version}:{commit}",
               "creationInfo": {"created": date, "creators": ["Tool: minibert/.setup/sbom.py"]},
               "packages": packages, "relationships": relations}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
