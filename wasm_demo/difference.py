"""What a model file (.mbq) differs in from another one, as a smaller file (.mbqd), for assemble.py.

web/difference.js puts MODEL together again from BASE and that file, byte for byte. What `minibert export --near BASE`
writes differs little.

  offset  size  what
  0       8     MAGIC
  8       12    bytes of BASE, of MODEL, and the Adler-32 of BASE (uint32, little-endian, as all numbers here)
  20      …     deflated without a header (RFC 1951): parts, which follow each other and give MODEL's bytes in order:
                a number of LITERAL, COPY or STEPS and three of what the kind says (uint32), then
    LITERAL 0, n, 1       n bytes
    COPY    at, n, 1      nothing: n bytes of BASE from `at`
    STEPS   at, rows, n   rows bytes of steps and rows times n signed bytes of counts: of BASE from `at`, rows times n
                          bytes, to each of which is added, modulo 256, its count times the step of its row
"""
import json
import math
import struct
import zlib

MAGIC = b"MBQD\1\0\0\0"
LITERAL, COPY, STEPS = range(3)


def tensors(file):
    """(name, entry, begin, end) of a .mbq, in the order of the file; offsets from the file's start."""
    start = 8 + struct.unpack("<Q", file[:8])[0]
    entries = {name: entry for name, entry in json.loads(file[8:start]).items() if name != "__metadata__"}
    return [(name, entry, *(start + offset for offset in entry["data_offsets"]))
            for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"])]


def stepped(base, model, width):
    """The steps of the rows and the counts, as bytes."""
    steps, counts = bytearray(), bytearray()
    for at in range(0, len(model), width):
        differs = [(new - old + 128) % 256 - 128 for old, new in zip(base[at:at + width], model[at:at + width])]
        step = math.gcd(*differs) or 1
        steps.append(step)
        counts += bytes(count // step % 256 for count in differs)
    return bytes(steps + counts)


def parts(base, model):
    at = {(name, json.dumps(entry["shape"]), entry["dtype"]): begin for name, entry, begin, _ in tensors(base)}
    done = 0
    for name, entry, begin, end in tensors(model):
        data, source = model[begin:end], at.get((name, json.dumps(entry["shape"]), entry["dtype"]))
        same = source is not None and base[source:source + len(data)] == data
        if not same and (source is None or entry["dtype"] != "I8"):
            continue
        if done < begin:
            yield struct.pack("<4I", LITERAL, 0, begin - done, 1) + model[done:begin]
        rows, width = entry["shape"][0], len(data) // entry["shape"][0]
        if same:
            yield struct.pack("<4I", COPY, source, len(data), 1)
        else:
            yield struct.pack("<4I", STEPS, source, rows, width) + stepped(base[source:source + len(data)], data, width)
        done = end
    if done < len(model):
        yield struct.pack("<4I", LITERAL, 0, len(model) - done, 1) + model[done:]


def difference(base, model):
    # Counts hardly repeat: strings of earlier ones, which zlib looks for by default, would only cost.
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_RLE)
    packed = packer.compress(b"".join(parts(base, model))) + packer.flush()
    return MAGIC + struct.pack("<3I", len(base), len(model), zlib.adler32(base)) + packed
