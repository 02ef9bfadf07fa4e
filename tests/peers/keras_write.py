"""Writes what the course's pretraining model saves, small and with weights far from where they begin, and what real
Keras 2 computes with it. Arguments: folder, pieces of the tokenizer."""
import importlib.metadata
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

import course_models as course

folder, pieces = sys.argv[1], int(sys.argv[2])
small = len(sys.argv) > 3
width, inner, layers, positions = (8, 12, 2, 16) if small else (128, 96, 2, 64)
heads = max(1, width // 64)
config = {"d_model": width, "n_head": heads, "d_head": width // heads, "dropout": 0.1, "d_ff": inner, "layernorm_epsilon": 0.001,
          "n_layer": layers, "n_seq": positions, "n_vocab": pieces, "i_pad": 0}
generator = np.random.default_rng(7)
ids = generator.integers(7, pieces, (3, 12))
ids[1, 9:], ids[2, 5:] = 0, 0
segments = np.where(np.arange(12) < 4, 0, 1) * (ids > 0)


def save(name, model, calls):
    model((ids, segments))
    spread = 0.3 if small else 0.1
    for weight in model.weights:
        shift = 1 if "gamma" in weight.name else 0
        weight.assign(shift + spread * generator.standard_normal(weight.shape).astype("float32"))
    model.save_weights(os.path.join(folder, name + ".hdf5"))
    told = {"ids": ids.tolist(), "segments": segments.tolist()}
    for call, x in zip(calls, model((ids, segments))):
        told[call] = json.loads(json.dumps(x.numpy().tolist()), parse_float=lambda text: float(f"{float(text):.7g}"))
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump(told, file, separators=(",", ":"))


save("mini_bert", course.pretraining(config), ("nsp", "mlm"))
print(importlib.metadata.version("tf-keras"), tf.__version__)
