"""Reads a safetensors file by the format's own description, without any library, and prints as JSON its
metadata and the SHA-256 that a run record has over its weights (record/run_record.h)."""
import hashlib
import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    (size,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(size))
    data = file.read()
metadata = header.pop("__metadata__")
total = hashlib.sha256()
for name, entry in sorted(header.items(), key=lambda item: item[0].encode()):
    assert entry["dtype"] == "F32", entry
    begin, end = entry["data_offsets"]
    shape = ",".join(str(extent) for extent in entry["shape"])
    total.update(name.encode() + b"\0" + shape.encode() + b"\0" + data[begin:end])
print(json.dumps({"metadata": metadata, "weights_sha256": total.hexdigest()}))
