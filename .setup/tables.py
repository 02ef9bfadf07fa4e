#!/usr/bin/env python3
"""Writes the tables of the documents from stored runs, by the commands that stand beside them:

    <!-- minibert compare --runs … --format markdown -->
    what the command prints
    <!-- /minibert -->

A command begins with "minibert", or with "for" where it runs minibert several times. It is run by bash in the repository's root, with BUILD/minibert (build) as minibert, or with what MINIBERT says,
in a shell's words. `--check` writes nothing, and exits 1 if a table is not what its command prints.
Usage: .setup/tables.py [--check] [FILE…], without files all Markdown files of the tree.
"""
import difflib
import functools
import os
import re
import shlex
import subprocess
import sys

OPENED = re.compile(r"<!-- (?:minibert|for) ")
BLOCK = re.compile(r"<!-- ((?:minibert|for) [^\n]*) -->\n(.*?)<!-- /minibert -->\n", re.DOTALL)


class Failed(Exception):
    pass


@functools.cache  # the documents of two languages have the same commands
def run(command):
    program = os.environ.get("MINIBERT") or shlex.quote(os.path.join(os.environ.get("BUILD", "build"), "minibert"))
    script = f'minibert() {{ {program} "$@"; }}\n{command}'
    return subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, check=False,
                          env={**os.environ, "MINIBERT_LANGUAGE": "en"})


def printed_by(command, where):
    done = run(command)
    if done.returncode != 0:
        raise Failed(f"{where}: {command}\n{done.stderr.strip()}")
    return done.stdout


def rewritten(text, path):
    opened, closed = len(OPENED.findall(text)), text.count("<!-- /minibert -->")
    blocks = len(BLOCK.findall(text))
    if not opened == closed == blocks:
        raise Failed(f"{path}: {opened} commands and {closed} ends of tables, expected as many, in lines of their own")

    def fill(match):
        line = text.count("\n", 0, match.start()) + 1
        return f"<!-- {match[1]} -->\n{printed_by(match[1], f'{path}:{line}')}<!-- /minibert -->\n"

    return BLOCK.sub(fill, text)


def documents():
    found = []
    for folder, folders, names in os.walk("."):
        folders[:] = [one for one in folders if not one.startswith((".", "build")) and one != "node_modules"]
        found += [os.path.normpath(os.path.join(folder, name)) for name in names if name.endswith(".md")]
    return sorted(found)


def main(arguments):
    check = "--check" in arguments
    files = [one for one in arguments if one != "--check"]
    if not files:
        files = documents()
    stale = 0
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        wanted = rewritten(text, path)
        if wanted == text:
            continue
        if check:
            stale += 1
            sys.stdout.writelines(
                difflib.unified_diff(text.splitlines(True), wanted.splitlines(True), path, "its commands", n=0))
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(wanted)
            print(path)
    if stale:
        print(f"{stale} documents are not what their commands print: make tables")
    return 1 if stale else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failed:
        sys.exit(str(failed))
