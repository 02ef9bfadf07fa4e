"""Files that the course's models save in real Keras (keras_write.py), imported. Arguments: results, the folder."""
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


def imported(folder, name):
    path = os.path.join(checks.WORK, name + ".h5")
    if os.path.exists(path):
        os.remove(path)
    run("import", "--format", "keras", os.path.join(folder, name + ".hdf5"), "--tokenizer",
        os.path.join(folder, "tokenizer.model"), "--out", path)
    with open(os.path.join(folder, name + ".json")) as file:
        return path, {key: np.array(value) for key, value in json.load(file).items()}


def from_onnx(record, expected):
    path = os.path.join(checks.WORK, "keras.onnx")
    run("export", "--format", "onnx", "--run", record, "--out", path)
    session = onnxruntime.InferenceSession(path)
    fed = {"input_ids": expected["ids"], "token_type_ids": expected["segments"].astype("int64")}
    return dict(zip([x.name for x in session.get_outputs()], session.run(None, fed)))


def largest(ours, theirs, real=None):
    different = np.abs(ours - theirs)
    return float(different.max() if real is None else different[real].max())


def mini_bert(folder):
    record, expected = imported(folder, "mini_bert")
    ours = from_onnx(record, expected)
    real = expected["ids"] > 0
    mlm = largest(log_softmax(ours["logits"]), np.log(expected["mlm"]), real)
    # Keras' second softmax stands on probabilities already; ours is the first one, its second logit first.
    pair = np.exp(log_softmax(ours["seq_relationship_logits"][:, ::-1]))
    nsp = largest(np.exp(log_softmax(pair)), expected["nsp"])
    return max(mlm, nsp) < TOLERANCE, {"mlm log probability": short(mlm), "nsp probability": short(nsp)}


def masked(logits, ids):
    return np.where(ids > 0, logits, -1e9)


def korquad_bert(folder):
    record, expected = imported(folder, "korquad_bert_none_pretrain")
    ours, ids = from_onnx(record, expected), expected["ids"]
    found = 0
    for name in ("start", "end"):
        # The course's softmax reads padding, too: among real pieces the shares are to each other as ours.
        theirs = log_softmax(masked(np.log(expected[name]), ids))
        found = max(found, largest(log_softmax(ours[name + "_logits"]), theirs, ids > 0))
    return found < TOLERANCE, {"log probability": short(found)}


def korquad_lstm(folder):
    record, expected = imported(folder, "korquad_lstm")
    # The hidden states of a text of ours, and Keras' weights on them.
    one = checks.json_lines("embed", "--run", record, "대한민국의 수도는 서울이다.")[0]
    with h5py.File(record) as file:
        weight, bias = file["weights/qa.weight"][()], file["weights/qa.bias"][()]
    logits = np.array(one["hidden"]) @ weight.T + bias
    theirs = keras_lstm(folder, [piece["id"] for piece in one["pieces"]])
    found = max(largest(log_softmax(logits[:, i]), theirs[i]) for i in (0, 1))
    return found < TOLERANCE, {"log probability": short(found)}


def keras_lstm(folder, ids):
    """Real Keras again, in its own Python, on these pieces."""
    script = (
        "import os, sys, json; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
        "import numpy as np, h5py, course_models as course\n"
        "path, ids = sys.argv[1], np.array([json.loads(sys.argv[2])])\n"
        "with h5py.File(path) as file:\n"
        "    name = next(x for x in file.attrs['layer_names'] if x.startswith('embedding'))\n"
        "    n, d = file[name][file[name].attrs['weight_names'][0]].shape\n"
        "model = course.lstm(n, d); model.load_weights(path)\n"
        "print(json.dumps([np.log(x.numpy()[0]).tolist() for x in model((ids, np.zeros_like(ids)))]))"
    )
    python = os.path.join(os.path.dirname(checks.WORK), "keras/bin/python")
    path = os.path.join(folder, "korquad_lstm.hdf5")
    out = subprocess.run([python, "-c", script, path, json.dumps(ids)], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))})
    if out.returncode != 0:
        raise RuntimeError(out.stderr.strip().splitlines()[-1])
    return np.array(json.loads(out.stdout.strip().splitlines()[-1]))


def main():
    results, folder = checks.Results({"onnxruntime": onnxruntime.__version__, "keras": sys.argv[3]}), sys.argv[2]
    for name, work in (("mini_bert", mini_bert), ("korquad_bert_none_pretrain", korquad_bert), ("korquad_lstm", korquad_lstm)):
        results.check(f"the course's {name}.hdf5", "Keras", lambda: work(folder))
    results.write(sys.argv[1])


if __name__ == "__main__":
    main()
