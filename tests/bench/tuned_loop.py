# Pretraining as one tunes it by hand in PyTorch, the training benchmark's other side: one product for queries, keys
# and values, masked positions decoded alone, batches padded to their longest and ready in memory, the optimizer over
# lists of tensors. From PyTorch 2 on also its own attention, its fused optimizer and torch.compile. Of what it can do
# (compiled or not, bfloat16 or float32, two batches as one) it takes the fastest on this machine, which the first
# call finds out and writes beside the batches for those that follow.
# Usage: tuned_loop.py MODEL.json BATCHES.pt THREADS SECONDS DEVICE. Prints one JSON line.
import itertools
import json
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

WARM_UP_STEPS = 3
MODERN = int(torch.__version__.split(".")[0]) >= 2


def gelu(x):
    # 1.13 computes it one scalar at a time in bfloat16.
    return F.gelu(x if MODERN else x.float(), approximate="tanh")


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c["d_model"]
        self.heads, self.pre = c["n_heads"], c["norm"] == "pre"
        self.qkv, self.output = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.inner, self.outer = nn.Linear(d, c["d_ff"]), nn.Linear(c["d_ff"], d)
        self.attention_norm = nn.LayerNorm(d, c["layer_norm_eps"])
        self.ffn_norm = nn.LayerNorm(d, c["layer_norm_eps"])
        self.dropout = nn.Dropout(c["dropout"])

    def attend(self, x, bias):
        b, s, d = x.shape
        w = d // self.heads
        q, k, v = self.qkv(x).view(b, s, 3, self.heads, w).permute(2, 0, 3, 1, 4)
        if MODERN:
            context = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        else:
            scores = torch.matmul(q * w**-0.5, k.transpose(-1, -2)) + bias
            context = torch.matmul(torch.softmax(scores, -1), v)
        return self.dropout(self.output(context.transpose(1, 2).reshape(b, s, d)))

    def feed_forward(self, x):
        return self.dropout(self.outer(gelu(self.inner(x))))

    def forward(self, x, bias):
        if self.pre:
            x = x + self.attend(self.attention_norm(x), bias)
            return x + self.feed_forward(self.ffn_norm(x))
        x = self.attention_norm(x + self.attend(x, bias))
        return self.ffn_norm(x + self.feed_forward(x))


class Bert(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, e = c["d_model"], c["embedding_size"]
        self.token, self.segment = nn.Embedding(c["vocab_size"], e), nn.Embedding(2, e)
        self.position = nn.Embedding(c["max_positions"], e)
        self.embedding_norm = nn.LayerNorm(e, c["layer_norm_eps"])
        self.projection = nn.Linear(e, d) if e != d else nn.Identity()
        self.dropout = nn.Dropout(c["dropout"])
        self.layers = nn.ModuleList(Layer(c) for _ in range(c["n_layers"]))
        self.final_norm = nn.LayerNorm(d, c["layer_norm_eps"]) if c["norm"] == "pre" else None
        self.transform = self.mlm_norm = self.mlm_bias = None
        if c["mlm_transform"]:
            self.transform, self.mlm_norm = nn.Linear(d, e), nn.LayerNorm(e, c["layer_norm_eps"])
        if c["mlm_bias"]:
            self.mlm_bias = nn.Parameter(torch.zeros(c["vocab_size"]))
        self.nsp_dense, self.nsp_output = nn.Linear(d, d), nn.Linear(d, 2, bias=False)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.trunc_normal_(p, std=0.02, a=-0.04, b=0.04)

    def forward(self, batch):
        ids = batch["ids"]
        x = self.token(ids) + self.position.weight[: ids.shape[1]] + self.segment(batch["segments"])
        x = self.dropout(self.projection(self.embedding_norm(x)).float())
        bias = (ids.eq(0).float() * -1e9)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, bias)
        if self.final_norm is not None:
            x = self.final_norm(x)
        masked = x.reshape(-1, x.shape[-1]).index_select(0, batch["positions"])
        if self.transform is not None:
            masked = self.mlm_norm(gelu(self.transform(masked)))
        logits = F.linear(masked, self.token.weight, self.mlm_bias)
        loss = F.cross_entropy(logits.float(), batch["labels"])
        if "nsp" in batch:
            nsp = self.nsp_output(torch.tanh(self.nsp_dense(x[:, 0])))
            loss = loss + F.cross_entropy(nsp.float(), batch["nsp"])
        return loss


def make_optimizer(c, parameters):
    kind = torch.optim.AdamW if c["type"] == "adamw" else torch.optim.Adam
    settings = {"lr": c["lr"], "betas": (c["beta1"], c["beta2"]), "eps": c["eps"], "weight_decay": c["weight_decay"]}
    if MODERN:
        try:
            return kind(parameters, fused=True, **settings)
        except RuntimeError:  # not on this device in this version
            pass
    return kind(parameters, foreach=True, **settings)


def stretched(batch, length, first_row=0):
    """Padded to `length`; the masked positions as of the rows from `first_row` on."""
    own, at = batch["ids"].shape[1], batch["positions"]
    rows = torch.div(at, own, rounding_mode="floor") + first_row
    return {**batch, "positions": rows * length + at % own,
            **{name: F.pad(batch[name], (0, length - own)) for name in ("ids", "segments")}}


def joined(a, b):
    """Two batches as one, padded to the longer."""
    length = max(a["ids"].shape[1], b["ids"].shape[1])
    a, b = stretched(a, length), stretched(b, length, a["ids"].shape[0])
    return {name: a[name] + b[name] if name == "tokens" else torch.cat([a[name], b[name]]) for name in a}


def of_one_shape(batches):
    """Batches padded to the longest of all and to the most masked positions, so that one compiled form does for all."""
    length = max(batch["ids"].shape[1] for batch in batches)
    most = max(len(batch["positions"]) for batch in batches)
    out = []
    for batch in (stretched(batch, length) for batch in batches):
        missing = most - len(batch["positions"])
        out.append({**batch, "positions": F.pad(batch["positions"], (0, missing)),
                    "labels": F.pad(batch["labels"], (0, missing), value=-100)})  # cross_entropy leaves them out
    return out


def peak_megabytes():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def train(config, batches, device, way, seconds):
    """Trains for so many seconds after a warm-up. Gives what was done and the seconds it took."""
    model = Bert(config["model"]).to(device)
    forward = torch.compile(model, dynamic=False) if way["compiled"] else model
    optimizer = make_optimizer(config["train"]["optimizer"], list(model.parameters()))
    clip = config["train"]["clip_norm"]
    if way["batches"] == 2:
        batches = [joined(a, b) for a, b in zip(batches[::2], batches[1::2])]
    if way["compiled"]:
        batches = of_one_shape(batches)
    steps = tokens = start = cpu_start = 0
    while True:
        if steps == WARM_UP_STEPS:
            wait(device)
            tokens, start, cpu_start = 0, time.perf_counter(), time.process_time()
        batch = batches[steps % len(batches)]
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=way["precision"] == "bf16"):
            loss = forward(batch)
        loss.backward()
        if clip > 0:
            nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        steps += 1
        tokens += batch["tokens"]
        if steps > WARM_UP_STEPS + 2 and time.perf_counter() - start >= seconds:
            wait(device)
            taken = time.perf_counter() - start
            break
    if not torch.isfinite(loss):
        sys.exit("tuned_loop.py: the loss is not finite")
    return {"tokens": tokens, "seconds": taken, "cpu_seconds": time.process_time() - cpu_start,
            "steps": steps - WARM_UP_STEPS, "loss": float(loss.detach()),
            "parameters": sum(p.numel() for p in model.parameters())}


def has_bf16(device):
    """Whether the processor computes bfloat16 itself: PyTorch imitates it elsewhere, slower than float32."""
    if device.type != "cpu":
        return True
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "")
    return "bf16" in flags


def fastest(config, batches, device, seconds):
    """The way that trains most pieces a second."""
    ways = [{"compiled": compiled, "precision": precision, "batches": together}
            for compiled, precision, together in
            itertools.product((False, True) if MODERN else (False,), ("bf16", "fp32") if has_bf16(device) else ("fp32",),
                              (1, 2))]
    best, speed = None, 0
    for way in ways:
        done = train(config, batches, device, way, seconds)
        now = done["tokens"] / done["seconds"]
        print(f"tuned_loop.py: {now:.0f} pieces a second with {json.dumps(way)}", file=sys.stderr)
        if now > speed:
            best, speed = way, now
    return best


def main():
    config = json.load(open(sys.argv[1]))
    batches = torch.load(sys.argv[2], weights_only=False)
    torch.set_num_threads(int(sys.argv[3]))
    seconds = float(sys.argv[4])
    device = torch.device(sys.argv[5])
    batches = [{key: value.to(device) for key, value in batch.items() if key != "tokens"}
               | {"tokens": int(batch["tokens"])} for batch in batches]
    known = sys.argv[1] + ".way"
    if not os.path.exists(known):
        with open(known, "w") as file:
            json.dump(fastest(config, batches, device, seconds / 2), file)
    way = json.load(open(known))
    done = train(config, batches, device, way, seconds)
    print(json.dumps({**done, "peak_mb": peak_megabytes(), "torch": torch.__version__, "way": way}))


main()
