# Makes an HDF5 file as Keras' save_weights writes it for the course's BERT, with random weights, and
# computes the model's outputs in NumPy from the course's text: post-norm, GELU in the tanh form, epsilon
# 0.001, the first position through a tanh layer for the sentence task.
# Usage: python3 keras_bert.py FILE OPTIONS-AS-JSON; prints JSON: hidden states of "ids" and "segments", and
# the softmax of the sentence task. Options: pieces, fused (one dense layer for Q, K and V), nested
# (model.save's place), variable (names of variable length), sentence; break: what to spoil (see the end).
import json
import math
import sys

import h5py
import numpy as np

path, o = sys.argv[1], {"pieces": 50, "fused": False, "nested": False, "variable": False,
                        "sentence": True, "break": "", **json.loads(sys.argv[2])}
D, FF, LAYERS, POSITIONS, HEADS = 128, 96, 2, 24, 2
random = np.random.RandomState(7)
values, order = {}, {"bert": [], "pooled_nsp": []}
count = {"dense": 0, "layer_normalization": 0}


def weight(layer, name, shape, mean=0.0):
    value = (mean + 0.2 * random.randn(*shape)).astype(np.float32)
    values[name] = value
    order[layer].append(name + ":0")
    return value


def numbered(kind):
    count[kind] += 1
    return kind if count[kind] == 1 else f"{kind}_{count[kind] - 1}"


def dense(layer, scope, inputs, outputs):
    name = f"{scope}/{numbered('dense')}"
    return weight(layer, name + "/kernel", (inputs, outputs)), weight(layer, name + "/bias", (outputs,))


def norm(scope):
    name = f"{scope}/{numbered('layer_normalization')}"
    return weight("bert", name + "/gamma", (D,), 1.0), weight("bert", name + "/beta", (D,))


token = weight("bert", "bert/weight_shared_embedding/shared_embedding_weight/weights", (o["pieces"], D))
position = weight("bert", "bert/position_embedding/embedding/embeddings", (POSITIONS, D))
segment = weight("bert", "bert/embedding_1/embeddings", (2, D))
first_norm = norm("bert")
layers = []
for i in range(LAYERS):
    s = f"bert/encoder_layer_{i}"
    if o["fused"]:
        kernel, bias = dense("bert", s + "/multi_head_attention", D, 3 * D)
        qkv = [(kernel[:, j * D:(j + 1) * D], bias[j * D:(j + 1) * D]) for j in range(3)]
    else:
        qkv = [dense("bert", s + "/multi_head_attention", D, D) for _ in range(3)]
    out = dense("bert", s + "/multi_head_attention", D, D)
    n1 = norm(s)
    w1, w2 = dense("bert", s + "/feed_forward", D, FF), dense("bert", s + "/feed_forward", FF, D)
    layers.append((qkv, out, n1, w1, w2, norm(s)))
if o["sentence"]:
    pooled_1 = dense("pooled_nsp", "pooled_nsp", D, D)
    pooled_2 = weight("pooled_nsp", "pooled_nsp/nsp/kernel", (D, 2))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(x * 0.7978845608 * (1 + 0.044715 * x * x)))


def layer_norm(x, n):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-3) * n[0] + n[1]


def linear(x, d):
    return x @ d[0].astype(np.float64) + d[1]


if "ids" in o:
    ids = np.array(o["ids"])
    x = token[ids] + position[:len(ids)] + segment[np.array(o["segments"])]
    x = layer_norm(x.astype(np.float64), first_norm)
    for qkv, out, n1, w1, w2, n2 in layers:
        q, k, v = (linear(x, d) for d in qkv)
        parts = []
        for h in range(HEADS):
            c = slice(h * (D // HEADS), (h + 1) * (D // HEADS))
            parts.append(softmax(q[:, c] @ k[:, c].T / math.sqrt(D // HEADS)) @ v[:, c])
        x = layer_norm(x + linear(np.concatenate(parts, -1), out), n1)
        x = layer_norm(x + linear(gelu(linear(x, w1)), w2), n2)
    told = {"hidden": x.tolist(), "logits": (x @ token.T.astype(np.float64)).tolist()}
    if o["sentence"]:
        told["sentence"] = softmax(np.tanh(linear(x[0], pooled_1)) @ pooled_2).tolist()
    print(json.dumps(told))

# What a broken or another file has.
if o["break"] == "missing weight":
    order["bert"].pop()
elif o["break"] == "extra weight":
    weight("bert", "bert/encoder_layer_1/more/bias", (3,))
elif o["break"] == "order":
    order["bert"][5], order["bert"][6] = order["bert"][6], order["bert"][5]
elif o["break"] == "shape":
    values["bert/encoder_layer_0/feed_forward/dense_5/kernel"] = np.zeros((FF, D + 1), np.float32)
elif o["break"] == "rank":
    values["bert/encoder_layer_0/feed_forward/dense_5/kernel"] = np.zeros((D, FF, 1), np.float32)
elif o["break"] == "no rows":
    values["bert/position_embedding/embedding/embeddings"] = np.zeros((0, D), np.float32)
elif o["break"] == "type":
    values["bert/position_embedding/embedding/embeddings"] = position.astype(np.float64)
elif o["break"] == "too large":  # 2^66 bytes that nothing is stored of
    values["bert/position_embedding/embedding/embeddings"] = None
elif o["break"] == "not finite":
    values["bert/position_embedding/embedding/embeddings"][3, 4] = np.nan
elif o["break"] == "keras 3 names":
    order["bert"] = [name.removesuffix(":0") for name in order["bert"]]
elif o["break"] == "another layer":
    order["dense"] = []
    weight("dense", "dense_99/kernel", (D, 2))



def names_attribute(group, name, texts):
    if o["variable"]:
        group.attrs.create(name, texts, dtype=h5py.string_dtype())
    else:
        group.attrs.create(name, np.array([text.encode() for text in texts]))


f = h5py.File(path, "w")
root = f.create_group("model_weights") if o["nested"] else f
names = ["enc_tokens", "segments", *(n for n in order if order[n]), "mlm"]
if o["break"] == "no bert":
    names.remove("bert")
if o["break"] != "no names":
    names_attribute(root, "layer_names", names)
for layer in names:
    group = root.create_group(layer)
    stored = order.get(layer, [])
    if stored:
        names_attribute(group, "weight_names", stored)
    else:
        group.attrs.create("weight_names", np.array([]))  # as Keras writes an empty list
    for name in stored:
        value = values[name.removesuffix(":0")]
        if value is None:
            group.create_dataset(name, (1 << 62, 4), np.float32, chunks=(1 << 20, 4))
        else:
            group.create_dataset(name, data=value)
if o["break"] == "keras 3":  # a group an attribute
    f.create_group("layers")
f.close()
