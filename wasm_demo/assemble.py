#!/usr/bin/python3
"""Puts the page together and prints what it weighs.

assemble.py --wasm DIR --font FONT.ttf --list models.json --models DIR --out DIR

DIR of --models holds ID.mbq for every id of the list. The result is a folder of plain files for any static
host, with a manifest of sizes and a service worker that knows this build's files.
"""
import argparse
import gzip
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WASM = ["page.js", "page.wasm", "engine/engine.js", "engine/engine.wasm", "engine/relaxed_simd.wasm"]
NOT_FIRST = {"font-full.ttf"}  # loaded when text needs it


def put_files(args, out):
    for name in WASM:
        shutil.copy(args.wasm / name, out)
    for file in [*sorted((HERE / "web").iterdir()), HERE / "engine" / "start_engine.js"]:
        shutil.copy(file, out)
    (out / "models").mkdir(exist_ok=True)
    models = []
    for entry in json.loads(args.list.read_text())["models"]:
        source = args.models / f"{entry['id']}.mbq"
        if not source.exists():
            sys.exit(f"assemble.py: {source} is missing; {args.list} names it")
        target = out / "models" / source.name
        shutil.copy(source, target)
        models.append({"id": entry["id"], "name": entry["name"], "file": f"models/{source.name}",
                       "bytes": target.stat().st_size})
    paths = [str(out / model["file"]) for model in models]
    subprocess.run([sys.executable, HERE / "make_fonts.py", args.font, out, *paths], check=True)
    return models


def write_manifest(out, models):
    files = {file.name: file.stat().st_size for file in sorted(out.iterdir()) if file.suffix in {".wasm", ".ttf"}}
    manifest = json.dumps({"files": files, "models": models}, ensure_ascii=False, indent=1)
    (out / "manifest.json").write_text(manifest + "\n")


def write_service_worker(out, models):
    """The files of the first visit; other models are kept when they are first used."""
    names = sorted(f.name for f in out.iterdir() if f.is_file() and f.name not in {"sw.js", "index.html"})
    names += ["./", models[0]["file"]]
    digest = hashlib.sha256()
    for name in names:
        digest.update((out / ("index.html" if name == "./" else name)).read_bytes())
    worker = (out / "sw.js").read_text()
    worker = worker.replace("@BUILD@", digest.hexdigest()[:16])
    worker = worker.replace("/* @FILES@ */ []", json.dumps(names))
    (out / "sw.js").write_text(worker)


def compressed(data):
    """Bytes over the network: brotli where it is installed, else gzip."""
    try:
        import brotli
    except ImportError:
        return len(gzip.compress(data, 9))
    return len(brotli.compress(data))


def print_sizes(out, models):
    print(f"{'file':28}{'bytes':>12}{'compressed':>12}")
    first = 0
    for file in sorted(f for f in out.rglob("*") if f.is_file()):
        name = str(file.relative_to(out))
        data = file.read_bytes()
        size = compressed(data)
        counts = name not in NOT_FIRST and (file.suffix != ".mbq" or name == models[0]["file"])
        first += size if counts else 0
        print(f"{name:28}{len(data):12,}{size:12,}{'' if counts else '  (on demand)'}")
    print(f"{'first visit':28}{'':12}{first:12,}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ["wasm", "font", "list", "models", "out"]:
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    args.out.mkdir(parents=True)
    models = put_files(args, args.out)
    write_manifest(args.out, models)
    write_service_worker(args.out, models)
    print_sizes(args.out, models)


main()
