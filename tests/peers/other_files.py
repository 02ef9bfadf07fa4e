"""ONNX, safetensors and TensorBoard files of records, in their own readers. Arguments: results."""
import csv
import glob
import os
import shutil
import sys

import h5py
import numpy as np
import onnxruntime
import safetensors
import safetensors.numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import checks
from checks import TOLERANCE, run, short
from transformers_export import SHIPPED


def onnx(record):
    """Rows of several lengths in one batch give what each gives alone, and what the record gives."""
    path = os.path.join(checks.WORK, "model.onnx")
    run("export", "--format", "onnx", "--run", record, "--out", path)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    texts = ["서울은 크다.", "대한민국의 수도는 서울이고 그 다음은 부산이다.", "물"]
    told = checks.json_lines("embed", "--run", record, *texts)
    rows = [[piece["id"] for piece in one["pieces"]] for one in told]
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, one in zip(ids, rows):
        row[: len(one)] = one
    names = [output.name for output in session.get_outputs()]
    together = dict(zip(names, session.run(None, {"input_ids": ids, "token_type_ids": np.zeros_like(ids)})))
    alone_difference, largest = 0, 0
    for i, one in enumerate(rows):
        alone_ids = np.array([one])
        alone = session.run(None, {"input_ids": alone_ids, "token_type_ids": np.zeros_like(alone_ids)})
        for name, value in zip(names, alone):
            batch = together[name][i]
            per_piece = value.ndim > 1 and value.shape[1] == len(one) and batch.shape[0] == ids.shape[1]
            batch = batch[: len(one)] if per_piece else batch
            alone_difference = max(alone_difference, np.abs(batch - value[0]).max())
        hidden = together["last_hidden_state"][i][: len(one)]
        largest = max(largest, np.abs(hidden - np.array(told[i]["hidden"])).max())
    passed = alone_difference < TOLERANCE and largest < TOLERANCE
    return passed, {"outputs": len(names), "batch": short(alone_difference), "record": short(largest)}


def weights_of(file):
    found = {}
    file["weights"].visititems(lambda name, one: found.update({name: one[()]}) if isinstance(one, h5py.Dataset) else None)
    return found


def safetensors_file(record):
    path = os.path.join(checks.WORK, "model.safetensors")
    run("export", "--format", "safetensors", "--run", record, "--out", path)
    theirs = safetensors.numpy.load_file(path)
    with h5py.File(os.path.join(checks.ROOT, record)) as file:
        ours = weights_of(file)
    same = set(ours) == set(theirs) and all(np.array_equal(ours[name], theirs[name]) for name in ours)
    return same, {"tensors": len(theirs)}


def tensorboard_check(record):
    folder = os.path.join(checks.WORK, "tensorboard")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run("export", "--format", "tensorboard", "--run", record, "--out", os.path.join(folder, "events.out.tfevents.1"))
    run("export", "--format", "csv", "--run", record, "--out", os.path.join(folder, "metrics.csv"))
    events = EventAccumulator(folder, size_guidance={"scalars": 0})
    events.Reload()
    tags = events.Tags()["scalars"]
    points = sum(len(events.Scalars(tag)) for tag in tags)
    curves = {}
    with h5py.File(os.path.join(checks.ROOT, record)) as file:
        file["metrics"].visititems(lambda name, one: curves.update({name[: -len("/value")]: one[()]})
                                   if name.endswith("/value") else None)
        curves.update({"summary/" + name: np.array([value]) for name, value in file["summary"].attrs.items()})
    wrong = len(set(curves) ^ set(tags))
    for tag in set(curves) & set(tags):
        theirs = [event.value for event in events.Scalars(tag)]
        wrong += len(theirs) != len(curves[tag]) or not np.allclose(curves[tag], theirs, rtol=1e-6, atol=1e-9)
    with open(os.path.join(folder, "metrics.csv"), newline="") as file:
        lines = sum(1 for _ in csv.reader(file)) - 1
    return wrong == 0 and points == lines, {"curves": len(tags), "points": points, "CSV rows": lines, "wrong curves": wrong}


def main():
    versions = {"onnxruntime": onnxruntime.__version__, "safetensors": safetensors.__version__, "h5py": h5py.__version__}
    import tensorboard.version

    versions["tensorboard"] = tensorboard.version.VERSION
    results = checks.Results(versions)
    made = sorted(glob.glob("build/peers/runs/peers_*/*/*.h5", root_dir=checks.ROOT))
    for record in SHIPPED + made:
        name = record.replace("results/", "").replace("build/peers/runs/", "")[:-3]
        results.check(f"onnx of {name}", "onnxruntime", lambda: onnx(record))
    results.check("safetensors of mini_bert_1m", "safetensors", lambda: safetensors_file(SHIPPED[0]))
    for record in (SHIPPED[0], SHIPPED[4]):
        name = record.split("/")[1]
        results.check(f"curves of {name}", "TensorBoard", lambda: tensorboard_check(record))
    results.write(sys.argv[1])


if __name__ == "__main__":
    main()
