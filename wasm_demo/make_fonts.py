#!/usr/bin/python3
"""Makes the page's font files from NanumGothic and its bold sister (SIL OFL 1.1).

make_fonts.py FONT OUT_DIR SOURCE... MODEL.mbq...

font.ttf         Latin, and every character of the sources: what the page says, and the sentences that it opens with
font-bold.ttf    in bold Latin, what words.def says in few characters (headings, labels), and the models' names
font-common.ttf  of what font.ttf lacks, every character of the models' vocabularies but Hanja, the 2,350 syllables
                 of KS X 1001, compatibility jamo, punctuation
font-full.ttf    what both lack: the other syllables, and every other character of the font

None has conjoining jamo (U+1100 to U+11FF): of a syllable that stands in another file a browser would put their glyphs
beside each other.
"""
import json
import logging
import pathlib
import re
import struct
import sys

from fontTools import subset

HEADING = re.compile(r'(?:^WORD\(\w+,\s*|"ko": )"([^"]{1,14})"', re.MULTILINE)
logging.getLogger("fontTools").setLevel(logging.ERROR)


def vocabulary(path):
    """The characters of a .mbq's SentencePiece pieces."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        begin, end = header["tokenizer.model"]["data_offsets"]
        file.seek(8 + size + begin)
        model = file.read(end - begin)
    characters = set()
    # ModelProto: repeated SentencePiece pieces = 1; SentencePiece: string piece = 1.
    for field, value in fields(model):
        if field == 1:
            for inner, piece in fields(value):
                if inner == 1:
                    characters.update(piece.decode())
    return characters


def fields(message):
    """(number, bytes) of every length-delimited field of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        kind = key & 7
        if kind == 2:
            length = varint()
            yield key >> 3, message[at : at + length]
            at += length
        elif kind == 0:
            varint()
        else:
            at += 8 if kind == 1 else 4


def common():
    """KS X 1001's 2,350 syllables, jamo, Latin and punctuation."""
    characters = set(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2040)]))
    characters.update(map(chr, range(0x3131, 0x318F)), "→←↑↓·…–—×÷▁≤≥°₩「」『』《》〈〉、。！？")
    for high in range(0xB0, 0xC9):
        for low in range(0xA1, 0xFF):
            try:
                characters.add(bytes([high, low]).decode("euc_kr"))
            except UnicodeDecodeError:
                pass
    return characters


def write(source, out, wanted):
    options = subset.Options()
    options.hinting = False  # stb_truetype ignores hints
    options.layout_features = []
    options.name_IDs = [0, 1, 2, 13]
    options.notdef_outline = True
    options.glyph_names = False
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "kern", "vhea", "vmtx", "DSIG", "FFTM", "BASE"]
    options.drop_tables += [f"TSI{i}" for i in range(6)]
    font = subset.load_font(source, options)
    points = sorted(point for point in font.getBestCmap() if not 0x1100 <= point < 0x1200 and wanted(chr(point)))
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    font.save(out)


def main():
    source, out, *files = sys.argv[1:]
    models = [file for file in files if file.endswith(".mbq")]
    sources = [pathlib.Path(file).read_text() for file in files if file not in models]
    latin = map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2040)])
    first = set(latin).union(*sources)
    hanja = set(map(chr, [*range(0x3400, 0xA000), *range(0xF900, 0xFB00)]))
    more = common().union(*map(vocabulary, models)) - first - hanja
    write(source, f"{out}/font.ttf", lambda character: character in first)
    bold = set(map(chr, range(0x20, 0x7F))).union(*(said for text in sources for said in HEADING.findall(text)))
    write(source.replace(".ttf", "Bold.ttf"), f"{out}/font-bold.ttf", lambda character: character in bold)
    write(source, f"{out}/font-common.ttf", lambda character: character in more)
    write(source, f"{out}/font-full.ttf", lambda character: character not in first and character not in more)


main()
