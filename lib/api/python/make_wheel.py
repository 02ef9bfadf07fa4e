#!/usr/bin/env python3
"""Packs the engine's library and the Python files beside this one into a wheel, which pip installs. Prints
its path. The version is what the library says. Usage: make_wheel.py LIBRARY OUT_DIR"""
import base64
import ctypes
import hashlib
import pathlib
import platform
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def main(library, out):
    asked = ctypes.CDLL(str(pathlib.Path(library).resolve()))
    asked.minibert_version.restype = ctypes.c_char_p
    version = asked.minibert_version().decode()
    tag = f"py3-none-{sys.platform}_{platform.machine()}"
    info = f"minibert-{version}.dist-info"
    files = {f"minibert/{file.name}": file.read_bytes() for file in sorted((HERE / "minibert").glob("*.py"))}
    files["minibert/libminibert.so"] = pathlib.Path(library).read_bytes()
    for name in ("LICENSE", "NOTICE"):
        files[f"{info}/{name}"] = (HERE.parents[2] / name).read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: minibert\nVersion: {version}\n"
        "Summary: A mini BERT for Korean: fills masks, answers, labels and marks names\n"
        "License: MIT\nRequires-Python: >=3.8\n"
    ).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: minibert\nRoot-Is-Purelib: false\nTag: {tag}\n"
    ).encode()
    record = f"{info}/RECORD"
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    path = pathlib.Path(out) / f"minibert-{version}-{tag}.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            # One date, so that the same files give the same wheel.
            wheel.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
