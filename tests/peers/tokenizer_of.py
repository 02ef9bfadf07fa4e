"""Writes the tokenizer of a record as a file. Arguments: record, file."""
import sys

import h5py

with h5py.File(sys.argv[1]) as record, open(sys.argv[2], "wb") as file:
    file.write(bytes(record["tokenizer/model"][()]))
