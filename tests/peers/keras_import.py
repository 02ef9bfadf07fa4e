"""Files that the course's models save in real Keras 2 (keras_write.py), imported. Arguments: results, the folder of the
files, Keras' Python, versions (Keras, TensorFlow)."""
import json
import os
import sys

import h5py
import numpy as np
import onnxruntime

import checks
from checks import TOLERANCE, run, short


def log_softmax(x):
    return x - x.max(-1, keepdims=True) - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))


def imported(path):
    """The record of the file, and what Keras computes."""
    base = os.path.basename(path).split(".")[0]
    record = os.path.join(checks.WORK, base + ".h5")
    if os.path.exists(record):
        os.remove(record)
    folder = os.path.dirname(path)
    run("import", "--format", "keras", path, "--tokenizer", os.path.join(checks.WORK, "keras_tokenizer.model"), "--out", record)
    with open(os.path.join(folder, base + ".json")) as file:
        return record, {key: np.array(value) for key, value in json.load(file).items()}


def from_onnx(record, expected):
    path = os.path.join(checks.WORK, "keras.onnx")
    run("export", "--format", "onnx", "--run", record, "--out", path)
    session = onnxruntime.InferenceSession(path)
    fed = {"input_ids": expected["ids"], "token_type_ids": expected["segments"].astype("int64")}
    return dict(zip([x.name for x in session.get_outputs()], session.run(None, fed)))


def largest(ours, theirs, real=None):
    different = np.abs(ours - theirs)
    return float(different.max() if real is None else different[real].max())


def mini_bert(path):
    record, expected = imported(path)
    ours = from_onnx(record, expected)
    real = expected["ids"] > 0
    mlm = largest(log_softmax(ours["logits"]), np.log(expected["mlm"]), real)
    # Keras' second softmax stands on probabilities already; ours is the first one, its second logit first.
    pair = np.exp(log_softmax(ours["seq_relationship_logits"][:, ::-1]))
    nsp = largest(np.exp(log_softmax(pair)), expected["nsp"])
    return max(mlm, nsp) < TOLERANCE, {"mlm log probability": short(mlm), "nsp probability": short(nsp)}


def main():
    out, folder, versions = sys.argv[1:]
    keras, tensorflow = versions.split()
    results = checks.Results({"onnxruntime": onnxruntime.__version__, "Keras 2": f"{keras} with TensorFlow {tensorflow}"})
    results.check("the course's mini_bert.hdf5", "Keras 2", lambda: mini_bert(os.path.join(folder, "mini_bert.hdf5")))
    results.write(out)


if __name__ == "__main__":
    main()
