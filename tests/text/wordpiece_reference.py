"""BERT's tokenization (Devlin et al. 2019, tokenization.py of google-research/bert) written again, from its
rules: prints the ids of every line, for tests of lib/text.

    python3 wordpiece_reference.py VOCAB TEXT

As Hugging Face's BertTokenizerFast it lower-cases character by character (a final sigma stays σ), counts every
category C* as control, and takes special pieces that stand in a text for what they are.
"""
import re
import sys
import unicodedata

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
IDEOGRAPHS = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])")


def clean(text):
    out = []
    for c in text:
        if c in " \t\n\r" or unicodedata.category(c).startswith("Z"):
            out.append(" ")
        elif c != "\ufffd" and not unicodedata.category(c).startswith("C"):
            out.append(c)
    return "".join(out)


def is_punctuation(c):
    ascii_mark = ord(c) < 128 and not c.isalnum() and not c.isspace()
    return ascii_mark or unicodedata.category(c).startswith("P")


def words(text, uncased):
    text = IDEOGRAPHS.sub(r" \1 ", clean(text))
    if uncased:
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        text = "".join(c.lower() for c in text)
    for chunk in text.split():
        word = ""
        for c in chunk:
            if is_punctuation(c):
                if word:
                    yield word
                yield c
                word = ""
            else:
                word += c
        if word:
            yield word


def pieces(word, vocabulary):
    if len(word) > 100:
        return ["[UNK]"]
    out = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        out.append(piece)
        start = end
    return out


def main():
    with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
        vocabulary = {line.rstrip("\r\n"): id for id, line in enumerate(file)}
    uncased = all(piece.lower() == piece for piece in vocabulary if piece not in SPECIAL)
    divide = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")
    with open(sys.argv[2], encoding="utf-8", newline="\n") as file:
        for line in file:
            ids = []
            for part in divide.split(line.rstrip("\n")):
                if part in SPECIAL:
                    ids.append(vocabulary[part])
                    continue
                for word in words(part, uncased):
                    ids += [vocabulary[piece] for piece in pieces(word, vocabulary)]
            print(*ids)


if __name__ == "__main__":
    main()
