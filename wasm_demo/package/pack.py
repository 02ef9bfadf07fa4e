#!/usr/bin/env python3
"""Puts the npm package's folder together. Usage: pack.py WASM_DIR OUT_DIR

WASM_DIR is where wasm_demo/compile.sh left the engine (build/demo-wasm/engine)."""
import ast
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = ["engine.js", "engine.wasm", "relaxed_simd.wasm"]


def word_rows(kind):
    """{key: {"ko", "en"}} of the rows of words.def of this kind, which are calls of literals in Python, too."""
    lines = (HERE.parent / "words.def").read_text(encoding="utf-8").split("\n")
    rows = [row.value for row in ast.parse("\n".join(line for line in lines if not line.startswith("//"))).body]
    return {key: {"ko": korean, "en": english} for row in rows if row.func.id == kind
            for key, korean, english in [map(ast.literal_eval, row.args)]}


def version():
    return subprocess.run([ROOT / ".setup/version.sh"], capture_output=True, text=True, check=True).stdout.strip()


def put_package(wasm, out):
    """What a page imports: the scripts, their types, the engine. The page of wasm_demo holds the same files."""
    for name in BUILT:
        shutil.copy(wasm / name, out)
    for file in [*sorted(HERE.glob("*.js")), *sorted(HERE.glob("*.d.ts")), *sorted((HERE.parent / "engine").glob("*.js"))]:
        shutil.copy(file, out)
    sizes = {name: (wasm / name).stat().st_size for name in BUILT if name.endswith(".wasm")}
    constants = {"VERSION": version(), "SIZES": sizes, "ERRORS": word_rows("ERROR_WORD")}
    (out / "built.js").write_text("// Made by pack.py: of CMakeLists.txt, of the engine's files and of words.def.\n" + "".join(
        f"export const {name} = {json.dumps(value, ensure_ascii=False, indent=1)};\n" for name, value in constants.items()),
        encoding="utf-8")


def main(wasm, out):
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    put_package(wasm, out)
    for file in [HERE / "README.md", ROOT / "LICENSE", ROOT / "NOTICE"]:
        shutil.copy(file, out)
    facts = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    files = sorted(file.name for file in out.iterdir())
    described = {"name": facts.pop("name"), "version": version(), **facts, "files": files}
    (out / "package.json").write_text(json.dumps(described, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
