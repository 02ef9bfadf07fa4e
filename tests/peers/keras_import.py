"""Files that the course's models save in real Keras 2 (keras_write.py), imported. Arguments: results, the folder of the
files, Keras' Python, versions (Keras, TensorFlow)."""
import json
import os
import subprocess
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


def mini_bert(path, keras):
    record, expected = imported(path)
    ours = from_onnx(record, expected)
    real = expected["ids"] > 0
    mlm = largest(log_softmax(ours["logits"]), np.log(expected["mlm"]), real)
    # Keras' second softmax stands on probabilities already; ours is the first one, its second logit first.
    pair = np.exp(log_softmax(ours["seq_relationship_logits"][:, ::-1]))
    nsp = largest(np.exp(log_softmax(pair)), expected["nsp"])
    return max(mlm, nsp) < TOLERANCE, {"mlm log probability": short(mlm), "nsp probability": short(nsp)}


def masked(logits, ids):
    return np.where(ids > 0, logits, -1e9)


def korquad_bert_none_pretrain(path, keras):
    record, expected = imported(path)
    ours, ids = from_onnx(record, expected), expected["ids"]
    found = 0
    for name in ("start", "end"):
        # The course's softmax reads padding, too: among real pieces the shares are to each other as ours.
        theirs = log_softmax(masked(np.log(expected[name]), ids))
        found = max(found, largest(log_softmax(ours[name + "_logits"]), theirs, ids > 0))
    return found < TOLERANCE, {"log probability": short(found)}


def korquad_lstm(path, keras):
    record, _ = imported(path)
    # The hidden states of a text of ours, and Keras' weights on them.
    one = checks.json_lines("embed", "--run", record, "대한민국의 수도는 서울이다.")[0]
    with h5py.File(record) as file:
        weight, bias = file["weights/qa.weight"][()], file["weights/qa.bias"][()]
        shape = file["weights/token.weight"].shape
    logits = np.array(one["hidden"]) @ weight.T + bias
    theirs = keras_lstm(path, keras, shape, [piece["id"] for piece in one["pieces"]])
    found = max(largest(log_softmax(logits[:, i]), theirs[i]) for i in (0, 1))
    return found < TOLERANCE, {"log probability": short(found)}


def keras_lstm(path, keras, shape, ids):
    """Real Keras again, in its own Python, on these pieces."""
    script = (
        "import os, sys, json; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
        "import numpy as np, course_models as course\n"
        "path, shape, ids = sys.argv[1], json.loads(sys.argv[2]), np.array([json.loads(sys.argv[3])])\n"
        "model = course.lstm(*shape); model.load_weights(path)\n"
        "print(json.dumps([np.log(x.numpy()[0]).tolist() for x in model((ids, np.zeros_like(ids)))]))"
    )
    out = subprocess.run([keras, "-c", script, path, json.dumps(shape), json.dumps(ids)], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))})
    if out.returncode != 0:
        raise RuntimeError(out.stderr.strip().splitlines()[-1])
    return np.array(json.loads(out.stdout.strip().splitlines()[-1]))


def main():
    out, folder, python, versions = sys.argv[1:]
    keras, tensorflow = versions.split()
    results = checks.Results({"onnxruntime": onnxruntime.__version__, "Keras 2": f"{keras} with TensorFlow {tensorflow}"})
    for model in (mini_bert, korquad_bert_none_pretrain, korquad_lstm):
        file = model.__name__ + ".hdf5"
        results.check(f"the course's {file}", "Keras 2", lambda: model(os.path.join(folder, file), python))
    results.write(out)


if __name__ == "__main__":
    main()
