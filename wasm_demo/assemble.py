#!/usr/bin/python3
"""Puts the page together and prints what it weighs.

assemble.py --wasm DIR --font FONT.ttf --list models.json --models DIR --cache DIR --out DIR

DIR of --models holds ID.mbq for every id of the list, ID.mbqs of a series. The result is a folder of plain files for
any static host, with a manifest of sizes and a service worker that knows this build's files. What takes long, fonts
and compression, is kept in the cache by what it was made from.
"""
import argparse
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.append(str(HERE / "package"))
from pack import put_package, word_rows  # noqa: E402
from source_link import source_link, with_address  # noqa: E402

WASM = ["page.js", "page.wasm"]
NOT_FIRST = {"LICENSE.txt", "NOTICE.txt", "font-full.ttf", "icon.png", "preview.png",  # loaded when they are needed
             "lesson.css", "lesson.en.html", "lesson.js", "lesson.ko.html"}
AFTER_FIRST = {"font-common.ttf"}  # as soon as there are guesses
PRELOADED = ["manifest.json", "engine.wasm", "relaxed_simd.wasm", "page.wasm", "font.ttf", "font-bold.ttf"]
FIRST_WORDS = ["loading", "opened-as-file"]  # of first.js, which can import nothing
WORDS_PLACE = "/* @WORDS@ */ {}"
PRELOAD_PLACE = "<!-- preloads -->"
COMMENT_LINES = re.compile(r"^ *//.*\n", re.MULTILINE)
MIN_COMPRESSED = 1000  # bytes; a smaller file is sent as it is


def digest(*parts):
    """SHA-256 of files and bytes, in hexadecimal."""
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part if isinstance(part, bytes) else pathlib.Path(part).read_bytes()).digest())
    return total.hexdigest()


def make_fonts(args, out, models):
    script = HERE / "make_fonts.py"
    wanting = [HERE / "words.def", *sorted((HERE / "page/tabs").glob("*.cpp")), args.list, *models]
    kept = args.cache / f"fonts-{digest(script, args.font, *wanting)}"
    if not kept.exists():
        making = kept.with_suffix(".part")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        subprocess.run([sys.executable, script, args.font, making, *wanting], check=True)
        making.rename(kept)
    for file in kept.iterdir():
        shutil.copy(file, out)


def put_files(args, out):
    for name in WASM:
        shutil.copy(args.wasm / name, out)
    for file in sorted((HERE / "web").iterdir()):
        shutil.copy(file, out)
    put_package(args.wasm / "engine", out)
    for script in out.glob("*.js"):  # whose sources have the comments
        script.write_text(COMMENT_LINES.sub("", script.read_text()))
    for name in ["LICENSE", "NOTICE"]:
        shutil.copy(HERE.parent / name, out / f"{name}.txt")
    (out / "models").mkdir(exist_ok=True)
    models, sources = [], []
    for entry in json.loads(args.list.read_text())["models"]:
        series = entry.get("series", False)
        source = args.models / f"{entry['id']}.mbq{'s' if series else ''}"
        if not source.exists():
            sys.exit(f"assemble.py: {source} is missing; {args.list} names it")
        target = out / "models" / source.name
        shutil.copy(source, target)
        models.append({"id": entry["id"], "name": entry["name"], "file": f"models/{target.name}",
                       "shown": entry["shown"], "bytes": target.stat().st_size, "data": entry.get("data", ""),
                       "task": entry.get("task", "masks"), "teaching": entry.get("teaching", False),
                       "large": entry.get("large", False), "series": series})
        sources += [] if series else [str(source)]
    make_fonts(args, out, sources)
    return models


def write_words(out):
    words = word_rows("SCRIPT_WORD")
    (out / "words.js").write_text("// Made from words.def.\nexport const WORDS = " +
                                  json.dumps(words, ensure_ascii=False, indent=1) + ";\n")
    first = out / "first.js"
    script = first.read_text()
    if WORDS_PLACE not in script:
        sys.exit(f"assemble.py: first.js lacks {WORDS_PLACE}")
    first.write_text(script.replace(WORDS_PLACE, json.dumps({key: words[key] for key in FIRST_WORDS}, ensure_ascii=False)))


def write_manifest(out, models):
    files = {file.name: file.stat().st_size for file in sorted(out.iterdir()) if file.suffix in {".wasm", ".ttf"}}
    manifest = json.dumps({"files": files, "models": models, "source": source_link(HERE)}, ensure_ascii=False, indent=1)
    (out / "manifest.json").write_text(manifest + "\n")


def imported(out, name, found):
    """The modules that a module imports, and they, in the order of the imports."""
    for other in re.findall(r"^(?:import|export) .* from '\./(.+)';$", (out / name).read_text(), re.MULTILINE):
        if other not in found:
            found.append(other)
            imported(out, other, found)
    return found


def write_preloads(out, models):
    """All that the first visit needs is asked for at once, not when the module that wants it has come. The
    model by first.js, as an address may name another."""
    links = [f'<link rel="modulepreload" href="{name}">' for name in imported(out, "main.js", ["main.js"])]
    links += [f'<link rel="preload" as="fetch" crossorigin href="{name}">' for name in PRELOADED]
    links.append(f'<meta name="first-model" content="{models[0]["file"]}">')
    index = out / "index.html"
    page = index.read_text()
    if PRELOAD_PLACE not in page:
        sys.exit(f"assemble.py: index.html lacks {PRELOAD_PLACE}")
    index.write_text(page.replace(PRELOAD_PLACE, "\n".join(links)))


def write_address(out):
    index = out / "index.html"
    try:
        index.write_text(with_address(index.read_text(), os.environ.get("MINIBERT_PAGE_URL", "")))
    except ValueError as error:
        sys.exit(f"assemble.py: MINIBERT_PAGE_URL: {error}")


def write_service_worker(out, models):
    """The files of the first visit and the worksheets; other models are kept when they are first used, until a build
    that changes one."""
    not_listed = {"sw.js", "index.html"} | {name for name in NOT_FIRST if not name.startswith("lesson.")}
    names = sorted(f.name for f in out.iterdir() if f.is_file() and f.name not in not_listed and not f.name.endswith(".d.ts"))
    names += ["./", models[0]["file"]]
    later = [*sorted(NOT_FIRST), *(model["file"] for model in models[1:])]
    build = digest(*(out / ("index.html" if name == "./" else name) for name in names + later))
    worker = (out / "sw.js").read_text()
    worker = worker.replace("@BUILD@", build[:16])
    worker = worker.replace("/* @FILES@ */ []", json.dumps(names))
    (out / "sw.js").write_text(worker)


def compress_all(out, cache):
    """FILE.br beside every file, for hosts that send such (serve.mjs, nginx' brotli_static), where brotli is
    installed."""
    try:
        import brotli
    except ImportError:
        return
    for file in [f for f in out.rglob("*") if f.is_file() and f.stat().st_size >= MIN_COMPRESSED]:
        kept = cache / f"{digest(file)}.br"
        if not kept.exists():
            making = kept.with_suffix(".part")
            making.write_bytes(brotli.compress(file.read_bytes()))
            making.rename(kept)
        shutil.copy(kept, file.with_name(file.name + ".br"))


def transfer(file):
    """Bytes over the network."""
    packed = file.with_name(file.name + ".br")
    return packed.stat().st_size if packed.exists() else min(file.stat().st_size, len(gzip.compress(file.read_bytes(), 9)))


def print_sizes(out, models):
    print(f"{'file':28}{'bytes':>12}{'compressed':>12}")
    first = after = 0
    for file in sorted(f for f in out.rglob("*") if f.is_file() and f.suffix != ".br"):
        name = str(file.relative_to(out))
        size = transfer(file)
        counts = name not in NOT_FIRST and not name.endswith(".d.ts") and (not file.suffix.startswith(".mbq") or name == models[0]["file"])
        after += size if name in AFTER_FIRST else 0
        first += size if counts else 0
        note = "  (after the first guesses)" if name in AFTER_FIRST else "" if counts else "  (on demand)"
        print(f"{name:28}{file.stat().st_size:12,}{size:12,}{note}")
    print(f"{'first visit':28}{'':12}{first:12,}, {after:,} of it after the first guesses")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ["wasm", "font", "list", "models", "cache", "out"]:
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    args.out.mkdir(parents=True)
    args.cache.mkdir(parents=True, exist_ok=True)
    models = put_files(args, args.out)
    write_words(args.out)
    write_manifest(args.out, models)
    write_preloads(args.out, models)
    write_address(args.out)
    write_service_worker(args.out, models)
    compress_all(args.out, args.cache)
    print_sizes(args.out, models)


main()
