# BERT's forward pass over a folder in Hugging Face's form, in NumPy, float64, written from the architecture
# (Devlin et al. 2019, Vaswani et al. 2017) and the format's description, not from our sources.
# Usage: python3 numpy_bert.py FOLDER < {"ids": [...], "segments": [...]}; prints JSON: hidden states after
# the last layer and, where the checkpoint has those heads, pooled, logits (of every position and piece)
# and the probability that the second segment follows the first.
import json
import math
import os
import sys

import numpy as np


def read_safetensors(path):
    data = open(path, "rb").read()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    out = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        assert entry["dtype"] == "F32", name
        values = np.frombuffer(data[begin:end], dtype="<f4").astype(np.float64)
        out[name] = values.reshape(entry["shape"])
    return out


folder = sys.argv[1]
config = json.load(open(os.path.join(folder, "config.json")))
w = read_safetensors(os.path.join(folder, "model.safetensors"))
prefix = "bert." if any(name.startswith("bert.") for name in w) else ""
given = json.load(sys.stdin)
ids, segments = np.array(given["ids"]), np.array(given["segments"])

erf = np.vectorize(math.erf)
ACTIVATIONS = {
    "gelu": lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2))),
    "gelu_new": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: np.maximum(x, 0),
}
act = ACTIVATIONS[config["hidden_act"]]


def dense(x, name):
    return x @ w[name + ".weight"].T + w[name + ".bias"]


def norm(x, name):
    centred = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + config["layer_norm_eps"])
    return centred / deviation * w[name + ".weight"] + w[name + ".bias"]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


e = prefix + "embeddings."
x = w[e + "word_embeddings.weight"][ids] + w[e + "token_type_embeddings.weight"][segments]
x = norm(x + w[e + "position_embeddings.weight"][:len(ids)], e + "LayerNorm")
heads = config["num_attention_heads"]
width = config["hidden_size"] // heads
for i in range(config["num_hidden_layers"]):
    layer = f"{prefix}encoder.layer.{i}."
    q, k, v = (dense(x, f"{layer}attention.self.{part}") for part in ("query", "key", "value"))
    contexts = []
    for h in range(heads):
        part = slice(h * width, (h + 1) * width)
        contexts.append(softmax(q[:, part] @ k[:, part].T / math.sqrt(width)) @ v[:, part])
    x = norm(x + dense(np.concatenate(contexts, -1), layer + "attention.output.dense"),
             layer + "attention.output.LayerNorm")
    inner = act(dense(x, layer + "intermediate.dense"))
    x = norm(x + dense(inner, layer + "output.dense"), layer + "output.LayerNorm")

out = {"hidden": x.tolist()}
if prefix + "pooler.dense.weight" in w:
    pooled = np.tanh(dense(x[0], prefix + "pooler.dense"))
    out["pooled"] = pooled.tolist()
    if "cls.seq_relationship.weight" in w:
        # The first logit says that the second segment is the next sentence.
        out["follows"] = softmax(dense(pooled, "cls.seq_relationship"))[0]
if "cls.predictions.bias" in w:
    t = norm(act(dense(x, "cls.predictions.transform.dense")),
             "cls.predictions.transform.LayerNorm")
    decoder = w[e + "word_embeddings.weight"]
    if not config["tie_word_embeddings"]:
        decoder = w["cls.predictions.decoder.weight"]
    out["logits"] = (t @ decoder.T + w["cls.predictions.bias"]).tolist()
print(json.dumps(out))
