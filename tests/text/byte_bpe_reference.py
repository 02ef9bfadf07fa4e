"""Byte-level BPE (GPT-2: Radford et al. 2019, encoder.py) written again, from its rules, for tests of lib/text.

    python3 byte_bpe_reference.py learn SIZE TEXT…     the merges, one a line, counting anew at every step
    python3 byte_bpe_reference.py encode MODEL TEXT    the ids of every line, by the tokenizer.json MODEL

GPT-2's regular expression is Python's own, with \\p{L}, \\p{N} and \\s spelt out from unicodedata. Among pairs that
are as frequent the one with the lower ids is merged, as Hugging Face's trainer does.
"""
import json
import re
import sys
import unicodedata

sys.dont_write_bytecode = True
from bpe_reference import counts_of, merged  # noqa: E402  beside this file

SPECIAL = ["[PAD]", "[UNK]", "[BOS]", "[EOS]", "[SEP]", "[CLS]", "[MASK]"]
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def category(initial):
    """The characters of a category's initial, as the inside of a regular expression's brackets."""
    out = []
    first = None
    for point in range(0x110001):
        inside = point < 0x110000 and unicodedata.category(chr(point))[0] == initial
        if inside and first is None:
            first = point
        elif not inside and first is not None:
            out.append(re.escape(chr(first)) + "-" + re.escape(chr(point - 1)))
            first = None
    return "".join(out)


def word_pattern():
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    letters, numbers = category("L"), category("N")
    pattern = pattern.replace(r"[^\s\p{L}\p{N}]", f"[^{WHITE_SPACE}{letters}{numbers}]")
    pattern = pattern.replace(r"\p{L}", f"[{letters}]").replace(r"\p{N}", f"[{numbers}]")
    return re.compile(pattern.replace(r"\S", f"[^{WHITE_SPACE}]").replace(r"\s", f"[{WHITE_SPACE}]"))


def bytes_to_unicode():
    visible = list(range(ord("!"), ord("~") + 1)) + list(range(ord("¡"), ord("¬") + 1)) + list(range(ord("®"), 256))
    letters = {byte: chr(byte) for byte in visible}
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + len(letters) - len(visible))
    return letters


WORD = word_pattern()
LETTERS = bytes_to_unicode()
DIVIDE = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")


def words(line):
    """The words of a line in GPT-2's letters, and special pieces as they are."""
    for i, part in enumerate(DIVIDE.split(line)):
        if part in SPECIAL:
            yield part
            continue
        if i == 0 and part and not part.startswith(" "):
            part = " " + part
        for word in WORD.findall(part):
            yield "".join(LETTERS[byte] for byte in word.encode("utf-8"))


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def learn(size, paths):
    frequency = {}
    for path in paths:
        for line in lines(path):
            for word in words(line) if line.strip() else ():
                if word not in SPECIAL:
                    frequency[word] = frequency.get(word, 0) + 1
    table = [(list(word), count) for word, count in frequency.items()]
    ids = {piece: id for id, piece in enumerate(SPECIAL + sorted(LETTERS.values()))}
    while len(ids) < size:
        counts = counts_of(table)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        table = [(merged(symbols, best) if best[0] in symbols else symbols, count) for symbols, count in table]
        ids.setdefault("".join(best), len(ids))
        print(*best)


def encode(model_path, path):
    with open(model_path, encoding="utf-8") as file:
        model = json.load(file)["model"]
    ranks = {tuple(merge.split(" ")): rank for rank, merge in enumerate(model["merges"])}
    known = {}
    for line in lines(path):
        ids = []
        for word in words(line):
            if word not in known:
                symbols = [word] if word in SPECIAL else list(word)
                while len(symbols) > 1:
                    best = min(zip(symbols, symbols[1:]), key=lambda pair: ranks.get(pair, len(ranks)))
                    if best not in ranks:
                        break
                    symbols = merged(symbols, best)
                known[word] = [model["vocab"][symbol] for symbol in symbols]
            ids += known[word]
        print(*ids)


if __name__ == "__main__":
    if sys.argv[1] == "learn":
        learn(int(sys.argv[2]), sys.argv[3:])
    else:
        encode(sys.argv[2], sys.argv[3])
