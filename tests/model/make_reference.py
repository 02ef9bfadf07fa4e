# Writes reference.json: small BERTs written once more in PyTorch, from the papers and not from our
# sources, in float64, one head at a time; outputs, losses and what identifies every gradient.
# Usage: python3 make_reference.py > reference.json (needs torch; reference_test.cpp reads the file)
import json
import math

import torch
import torch.nn.functional as F

IDS = [[5, 9, 7, 4, 6, 12, 4], [5, 8, 4, 11, 4, 0, 0]]
SEGMENTS = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0, 0]]
POSITIONS, LABELS, NSP = [1, 4, 10], [9, 10, 7], [1, 0]  # positions into the flat batch
START, END = [4, 3], [5, 3]

BASE = {
    "kind": "bert", "vocab_size": 13, "d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 2,
    "max_positions": 9, "embedding_size": 8, "share_layers": False, "norm": "post",
    "layer_norm_eps": 1e-3, "dropout": 0.0, "mlm_transform": False, "mlm_bias": False,
}
DEFAULTS = {
    "activation": "gelu_tanh", "causal": False, "mlm_tied": True, "nsp_bias": False,
}
CASES = {
    "post-norm": {},
    "pre-norm, output bias": {"norm": "pre", "mlm_bias": True},
    "factorized embeddings": {"embedding_size": 6, "mlm_transform": True},
    "shared layers, pre-norm, transform": {
        "share_layers": True, "n_layers": 3, "norm": "pre", "mlm_transform": True, "mlm_bias": True,
    },
    "question answering": {"task": "qa"},
    "erf GELU, biases, as BERT-base is built": {
        "activation": "gelu", "layer_norm_eps": 1e-12, "mlm_transform": True, "mlm_bias": True,
        "nsp_bias": True,
    },
    "ReLU, untied decoder": {
        "activation": "relu", "mlm_transform": True, "mlm_bias": True, "mlm_tied": False,
        "nsp_bias": True,
    },
    "causal, factorized, untied": {
        "task": "mlm", "causal": True, "embedding_size": 6, "mlm_transform": True,
        "mlm_tied": False,
    },
}


def shapes(c, task):
    d, e, f, v = c["d_model"], c["embedding_size"], c["d_ff"], c["vocab_size"]
    out = {
        "bert.embeddings.token.weight": (v, e),
        "bert.embeddings.position.weight": (c["max_positions"], e),
        "bert.embeddings.segment.weight": (2, e),
        "bert.embeddings.norm.weight": (e,),
        "bert.embeddings.norm.bias": (e,),
    }
    if e != d:
        out |= {"bert.embeddings.projection.weight": (d, e), "bert.embeddings.projection.bias": (d,)}
    for i in range(1 if c["share_layers"] else c["n_layers"]):
        p = f"bert.layers.{i}."
        out |= {
            p + "attention.qkv.weight": (3 * d, d), p + "attention.qkv.bias": (3 * d,),
            p + "attention.output.weight": (d, d), p + "attention.output.bias": (d,),
            p + "attention_norm.weight": (d,), p + "attention_norm.bias": (d,),
            p + "ffn.inner.weight": (f, d), p + "ffn.inner.bias": (f,),
            p + "ffn.outer.weight": (d, f), p + "ffn.outer.bias": (d,),
            p + "ffn_norm.weight": (d,), p + "ffn_norm.bias": (d,),
        }
    if c["norm"] == "pre":
        out |= {"bert.final_norm.weight": (d,), "bert.final_norm.bias": (d,)}
    if task == "qa":
        return out | {"qa.weight": (2, d), "qa.bias": (2,)}
    if c["mlm_transform"]:
        out |= {"mlm.transform.weight": (e, d), "mlm.transform.bias": (e,),
                "mlm.norm.weight": (e,), "mlm.norm.bias": (e,)}
    if c["mlm_bias"]:
        out["mlm.bias"] = (v,)
    if not c["mlm_tied"]:
        out["mlm.decoder.weight"] = (v, e)
    if c["nsp_bias"]:
        out["nsp.output.bias"] = (2,)
    if task == "mlm":
        return out
    return out | {"nsp.dense.weight": (d, d), "nsp.dense.bias": (d,), "nsp.output.weight": (2, d)}


# The test fills its parameters by the same rule: i-th value of the k-th name in order.
def weights(c, task):
    out = {}
    for k, (name, shape) in enumerate(sorted(shapes(c, task).items())):
        i = torch.arange(math.prod(shape), dtype=torch.float64)
        value = 0.4 * torch.cos(1.3 * i + 0.9 * k)
        if name.endswith("norm.weight"):
            value = 1 + 0.5 * value
        out[name] = value.view(shape).requires_grad_(True)
    return out


def layer_norm(x, w, name, eps):
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * w[name + ".weight"] + w[name + ".bias"]


def dense(x, w, name):
    return x @ w[name + ".weight"].T + w[name + ".bias"]


ACTIVATIONS = {
    "gelu_tanh": lambda x: 0.5 * x
    * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "gelu": lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2))),
    "relu": lambda x: x * (x > 0),
}


def attention(x, padding, w, p, heads, causal):
    width = x.shape[-1] // heads
    q, k, v = dense(x, w, p + "attention.qkv").split(x.shape[-1], -1)
    outputs = []
    for h in range(heads):
        part = slice(h * width, (h + 1) * width)
        scores = q[..., part] @ k[..., part].transpose(1, 2) / math.sqrt(width)
        scores = scores.masked_fill(padding[:, None, :], float("-inf"))
        if causal:
            later = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
            scores = scores.masked_fill(later, float("-inf"))
        outputs.append(torch.softmax(scores, -1) @ v[..., part])
    return dense(torch.cat(outputs, -1), w, p + "attention.output")


def encode(c, w):
    act = ACTIVATIONS[c["activation"]]
    ids, segments, eps = torch.tensor(IDS), torch.tensor(SEGMENTS), c["layer_norm_eps"]
    x = w["bert.embeddings.token.weight"][ids] + w["bert.embeddings.segment.weight"][segments]
    x = x + w["bert.embeddings.position.weight"][: ids.shape[1]]
    x = layer_norm(x, w, "bert.embeddings.norm", eps)
    if c["embedding_size"] != c["d_model"]:
        x = dense(x, w, "bert.embeddings.projection")
    for i in range(c["n_layers"]):
        p = f"bert.layers.{0 if c['share_layers'] else i}."
        attend = lambda y: attention(y, ids == 0, w, p, c["n_heads"], c["causal"])
        feed = lambda y: dense(act(dense(y, w, p + "ffn.inner")), w, p + "ffn.outer")
        if c["norm"] == "pre":
            x = x + attend(layer_norm(x, w, p + "attention_norm", eps))
            x = x + feed(layer_norm(x, w, p + "ffn_norm", eps))
        else:
            x = layer_norm(x + attend(x), w, p + "attention_norm", eps)
            x = layer_norm(x + feed(x), w, p + "ffn_norm", eps)
    return layer_norm(x, w, "bert.final_norm", eps) if c["norm"] == "pre" else x


def losses(c, w, hidden, task):
    if task == "qa":
        logits = dense(hidden, w, "qa").masked_fill((torch.tensor(IDS) == 0)[..., None], -1e9)
        return {"start": F.cross_entropy(logits[..., 0], torch.tensor(START)),
                "end": F.cross_entropy(logits[..., 1], torch.tensor(END))}
    x = hidden.reshape(-1, hidden.shape[-1])[POSITIONS]
    if c["mlm_transform"]:
        x = ACTIVATIONS[c["activation"]](dense(x, w, "mlm.transform"))
        x = layer_norm(x, w, "mlm.norm", c["layer_norm_eps"])
    decoder = "bert.embeddings.token.weight" if c["mlm_tied"] else "mlm.decoder.weight"
    logits = x @ w[decoder].T
    if c["mlm_bias"]:
        logits = logits + w["mlm.bias"]
    mlm = F.cross_entropy(logits, torch.tensor(LABELS))
    if task == "mlm":
        return {"mlm": mlm}
    nsp = torch.tanh(dense(hidden[:, 0], w, "nsp.dense")) @ w["nsp.output.weight"].T
    if c["nsp_bias"]:
        nsp = nsp + w["nsp.output.bias"]
    return {"mlm": mlm, "nsp": F.cross_entropy(nsp, torch.tensor(NSP))}


def rounded(x):
    return [float(f"{v:.9g}") for v in x.detach().reshape(-1).tolist()]


cases = []
for name, changes in CASES.items():
    config = BASE | {k: v for k, v in changes.items() if k != "task"}
    task = changes.get("task", "pretraining")
    full = DEFAULTS | config
    w = weights(full, task)
    hidden = encode(full, w)
    loss = losses(full, w, hidden, task)
    sum(loss.values()).backward()
    gradients = {}
    for parameter, value in w.items():
        g = torch.zeros_like(value) if value.grad is None else value.grad
        i = torch.arange(g.numel(), dtype=torch.float64)
        projected = (g.reshape(-1) * torch.cos(0.7 * i)).sum()
        gradients[parameter] = rounded(torch.stack([g.norm(), projected]))
    cases.append({
        "name": name, "task": task, "model": config,
        "parameters": sum(v.numel() for v in w.values()), "hidden": rounded(hidden),
        "losses": {k: rounded(v)[0] for k, v in loss.items()}, "gradients": gradients,
    })
lines = ",\n".join(json.dumps(case) for case in cases)
inputs = json.dumps({"ids": IDS, "segments": SEGMENTS, "positions": POSITIONS, "labels": LABELS,
                     "nsp": NSP, "start": START, "end": END})
print(f'{{"inputs": {inputs},\n"cases": [\n{lines}\n]}}')
