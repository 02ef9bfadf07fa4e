"""The BERT of a .mbq as TensorFlow Lite files, for LiteRT.js, converted by TensorFlow: in float32, and with int8
weights and dynamic ranges.

  ids int32 [1, length], position int32 [1]  ->  logits float32 [1, vocab_size] of that position

Usage: tflite.py MODEL.mbq PREFIX LENGTH… writes PREFIX-LENGTH-{int8,float}.tflite and prints TensorFlow's version."""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

TYPES = {"F32": np.float32, "I8": np.int8, "U8": np.uint8}
LOW_STEPS = 254  # lib/infer/format/mbq_format.h


def read_mbq(path):
    """The configuration and the weights, name -> float32 array."""
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    metadata = header.pop("__metadata__")
    stored = {}
    for name, one in header.items():
        first, last = one["data_offsets"]
        stored[name] = np.frombuffer(data[begin + first : begin + last], TYPES[one["dtype"]]).reshape(one["shape"])
    weights = {}
    for name, values in stored.items():
        if values.dtype == np.int8 and not name.endswith("_low"):
            low = stored[name + "_low"].astype(np.float32) / LOW_STEPS if name + "_low" in stored else 0
            values = ((values + low) * stored[name + "_scale"][:, None]).astype(np.float32)
        weights[name] = values
    return json.loads(metadata["model"]), weights


class Bert(tf.Module):
    def __init__(self, config, weights):
        super().__init__()
        self.config = config
        self.weight = {name: tf.constant(x) for name, x in weights.items() if x.dtype == np.float32}

    def linear(self, x, name):
        return tf.matmul(x, self.weight[name + ".weight"], transpose_b=True) + self.weight[name + ".bias"]

    def norm(self, x, name):
        mean = tf.reduce_mean(x, axis=-1, keepdims=True)
        centred = x - mean
        variance = tf.reduce_mean(centred * centred, axis=-1, keepdims=True)
        scaled = centred * tf.math.rsqrt(variance + self.config["layer_norm_eps"])
        return scaled * self.weight[name + ".weight"] + self.weight[name + ".bias"]

    def attention(self, x, name):
        length, width = x.shape
        heads = self.config["n_heads"]
        # As the other peers: the scores' factor stands in the query.
        parts = tf.split(self.linear(x, name + ".qkv"), 3, axis=-1)
        query, key, value = (tf.transpose(tf.reshape(part, [length, heads, width // heads]), [1, 0, 2]) for part in parts)
        scores = tf.matmul(query * (width // heads) ** -0.5, key, transpose_b=True)
        context = tf.transpose(tf.matmul(tf.nn.softmax(scores), value), [1, 0, 2])
        return self.linear(tf.reshape(context, [length, width]), name + ".output")

    def feed_forward(self, x, name):
        return self.linear(tf.nn.gelu(self.linear(x, name + ".inner"), approximate=True), name + ".outer")

    def residual(self, x, part, name, norm):
        if self.config["norm"] == "pre":
            return x + part(self.norm(x, norm), name)
        return self.norm(x + part(x, name), norm)

    def __call__(self, ids, position):
        config = self.config
        x = tf.gather(self.weight["bert.embeddings.token.weight"], ids[0])
        x += self.weight["bert.embeddings.position.weight"][: ids.shape[1]] + self.weight["bert.embeddings.segment.weight"][0]
        x = self.norm(x, "bert.embeddings.norm")
        if config["embedding_size"] != config["d_model"]:
            x = self.linear(x, "bert.embeddings.projection")
        for i in range(config["n_layers"]):
            layer = f"bert.layers.{0 if config.get('share_layers') else i}."
            x = self.residual(x, self.attention, layer + "attention", layer + "attention_norm")
            x = self.residual(x, self.feed_forward, layer + "ffn", layer + "ffn_norm")
        x = tf.gather(x, position)  # only the masked position goes on
        if config["norm"] == "pre":
            x = self.norm(x, "bert.final_norm")
        if config.get("mlm_transform"):
            x = self.norm(tf.nn.gelu(self.linear(x, "mlm.transform"), approximate=True), "mlm.norm")
        x = tf.matmul(x, self.weight["bert.embeddings.token.weight"], transpose_b=True)
        return x + self.weight["mlm.bias"] if config.get("mlm_bias") else x


def convert(bert, length, int8):
    inputs = [tf.TensorSpec([1, length], tf.int32, name="ids"), tf.TensorSpec([1], tf.int32, name="position")]
    function = tf.function(bert.__call__, input_signature=inputs).get_concrete_function()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function], bert)
    if int8:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    return converter.convert()


def main():
    path, prefix, *lengths = sys.argv[1:]
    config, weights = read_mbq(path)
    plain = config.get("position", "table") == "table" and config.get("ffn", "gelu") != "geglu"
    if not plain or any(config.get(key) for key in ("conv", "local_layers", "head_gate", "mlm_context", "causal")):
        sys.exit(f"tflite.py: {path}: found a model with more than BERT has, expected BERT's own layers")
    bert = Bert(config, weights)
    for length in map(int, lengths):
        for kind in ("int8", "float"):
            with open(f"{prefix}-{length}-{kind}.tflite", "wb") as file:
                file.write(convert(bert, length, kind == "int8"))
    print(tf.__version__)


if __name__ == "__main__":
    main()
