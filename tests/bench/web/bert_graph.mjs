// The BERT of a .mbq as an ONNX graph of one length, with dynamic int8, as quantizers write it (every product with
// weights is DynamicQuantizeLinear + MatMulInteger with one weight scale an output, the table of pieces is int8, all
// else is float32), or in float32: ids int64 [1, length], position int64 [1] -> logits float32 [1, vocab_size] of that
// position.
import { floats } from './mbq.mjs';
import { Graph } from './onnx.mjs';

const OPERATOR_SET = 20; // has Gelu

// int8 [cols, rows] (transposed) and a scale for each row of float32 [rows, cols].
function quantizeTransposed(values, rows, cols) {
  const quantized = new Int8Array(values.length);
  const scales = new Float32Array(rows);
  for (let n = 0; n < rows; ++n) {
    let largest = 0;
    for (let k = 0; k < cols; ++k) largest = Math.max(largest, Math.abs(values[n * cols + k]));
    scales[n] = largest === 0 ? 1 : largest / 127;
    for (let k = 0; k < cols; ++k) quantized[k * rows + n] = Math.round(values[n * cols + k] / scales[n]);
  }
  return { quantized, scales };
}

// int8 [rows, cols] and a scale for each row of float32 [rows, cols].
function quantizeRows(values, rows, cols) {
  const { quantized, scales } = quantizeTransposed(values, rows, cols);
  return { quantized: Int8Array.from(values, (_, i) => quantized[(i % cols) * rows + Math.floor(i / cols)]), scales };
}

// What rules/relative_bucket.h says of an offset.
function relativeBucket(offset) {
  const distance = Math.abs(offset);
  const shared = [12, 16, 23, 32, 46, 64, 91].filter((begin) => distance >= begin).length;
  return (offset > 0 ? 16 : 0) + (distance < 8 ? distance : 8 + shared);
}

export function bertGraph(mbq, { length, int8 }) {
  const c = mbq.config;
  const graph = new Graph();
  const { d_model: d, embedding_size: e, n_heads: heads } = c;
  const relative = c.position === 'relative';
  const vector = (name) => graph.constant(floats(mbq, name), [floats(mbq, name).length]);
  const scalar = (value) => graph.constant(new Float32Array([value]), []);
  const shape = (...sizes) => graph.constant(BigInt64Array.from(sizes, BigInt), [sizes.length]);

  const token = 'bert.embeddings.token.weight';
  const { shape: [rows, cols] } = mbq.tensors[token];
  const tokenValues = floats(mbq, token);
  const tokens = int8 ? null : graph.constant(tokenValues, [rows, cols]); // once, for the input and the output

  const product = (x, weight) => {
    const { shape: [rows, cols] } = mbq.tensors[weight];
    const values = floats(mbq, weight);
    if (!int8) {
      const transposed = Float32Array.from(values, (_, i) => values[(i % rows) * cols + Math.floor(i / rows)]);
      return graph.node('MatMul', [x, graph.constant(transposed, [cols, rows])]);
    }
    const { quantized, scales } = quantizeTransposed(values, rows, cols);
    const [a, scale, zero] = graph.node('DynamicQuantizeLinear', [x], {}, 3);
    const sums = graph.node('MatMulInteger', [a, graph.constant(quantized, [cols, rows]), zero]);
    const scaling = graph.node('Mul', [scale, graph.constant(scales, [rows])]);
    return graph.node('Mul', [graph.node('Cast', [sums], { to: 1 }), scaling]);
  };
  const linear = (x, weight, bias) => {
    const y = product(x, weight);
    return bias ? graph.node('Add', [y, vector(bias)]) : y;
  };
  const lookUp = (ids) => {
    if (!int8) return graph.node('Gather', [tokens, ids]);
    const { quantized, scales } = quantizeRows(tokenValues, rows, cols);
    const found = graph.node('Cast', [graph.node('Gather', [graph.constant(quantized, [rows, cols]), ids])], { to: 1 });
    return graph.node('Mul', [found, graph.node('Gather', [graph.constant(scales, [rows, 1]), ids])]);
  };
  const layer = (x, name) => linear(x, `${name}.weight`, `${name}.bias`);
  const norm = (x, name) => graph.node('LayerNormalization', [x, vector(`${name}.weight`), vector(`${name}.bias`)],
    { axis: -1, epsilon: c.layer_norm_eps });
  const gelu = (x) => graph.node('Gelu', [x], { approximate: 'tanh' });
  const residual = (x, sublayer, name) => (c.norm === 'pre'
    ? graph.node('Add', [x, sublayer(norm(x, name))])
    : norm(graph.node('Add', [x, sublayer(x)]), name));

  // Over positions, each channel for itself; `name` [taps, channels].
  const convolution = (x, name) => {
    const { shape: [taps, channels] } = mbq.tensors[name];
    const weights = floats(mbq, name);
    const kernel = Float32Array.from(weights, (_, i) => weights[(i % taps) * channels + Math.floor(i / taps)]);
    const turned = graph.node('Transpose', [x], { perm: [0, 2, 1] });
    const side = Math.floor(taps / 2);
    const y = graph.node('Conv', [turned, graph.constant(kernel, [channels, 1, taps])], { group: channels, pads: [side, side] });
    return graph.node('Transpose', [y], { perm: [0, 2, 1] });
  };
  const localMixing = (prefix) => (x) =>
    layer(convolution(layer(x, `${prefix}.value`), `${prefix}.conv`), `${prefix}.output`);

  const attention = (prefix) => (x) => {
    const mixed = (y) => (c.conv > 0 ? convolution(y, `${prefix}.conv`) : y);
    const parts = graph.node('Split', [mixed(layer(x, `${prefix}.qkv`))], { axis: -1, num_outputs: 3 }, 3);
    const split = (part, order) => graph.node('Transpose',
      [graph.node('Reshape', [part, shape(0, 0, heads, d / heads)])], { perm: order });
    const query = graph.node('Mul', [split(parts[0], [0, 2, 1, 3]), scalar(1 / Math.sqrt(d / heads))]);
    let scores = graph.node('MatMul', [query, split(parts[1], [0, 2, 3, 1])]);
    if (relative) {
      const offsets = floats(mbq, `${prefix}.offsets`);
      const bias = Float32Array.from({ length: heads * length * length }, (_, i) => {
        const [head, from, to] = [Math.floor(i / length / length), Math.floor(i / length) % length, i % length];
        return offsets[head * 32 + relativeBucket(to - from)];
      });
      scores = graph.node('Add', [scores, graph.constant(bias, [1, heads, length, length])]);
    }
    const context = graph.node('MatMul', [graph.node('Softmax', [scores], { axis: -1 }), split(parts[2], [0, 2, 1, 3])]);
    let rows = graph.node('Transpose', [context], { perm: [0, 2, 1, 3] });
    if (c.head_gate) {
      const gates = graph.node('Sigmoid', [layer(x, `${prefix}.gate`)]);
      rows = graph.node('Mul', [rows, graph.node('Reshape', [gates, shape(0, 0, heads, 1)])]);
    }
    return layer(graph.node('Reshape', [rows, shape(0, 0, d)]), `${prefix}.output`);
  };
  const activated = (x) => {
    if (c.ffn !== 'geglu') return gelu(x);
    const [opened, factor] = graph.node('Split', [x], { axis: -1, num_outputs: 2 }, 2);
    return graph.node('Mul', [gelu(opened), factor]);
  };
  const feedForward = (prefix) => (x) => layer(activated(layer(x, `${prefix}.inner`)), `${prefix}.outer`);

  const ids = graph.input('ids', 'int64', [1, length]);
  const places = relative ? new Float32Array(length * e)
    : floats(mbq, 'bert.embeddings.position.weight').slice(0, length * e);
  const segment = floats(mbq, 'bert.embeddings.segment.weight');
  for (let i = 0; i < places.length; ++i) places[i] += segment[i % e];
  let x = graph.node('Add', [lookUp(ids), graph.constant(places, [1, length, e])]);
  x = norm(x, 'bert.embeddings.norm');
  if (e !== d) x = layer(x, 'bert.embeddings.projection');
  const local = c.local_layers ?? 0;
  for (let i = 0; i < c.n_layers; ++i) {
    const prefix = `bert.layers.${c.share_layers ? Math.min(i, local) : i}`;
    const mixing = i < local ? localMixing(`${prefix}.local`) : attention(`${prefix}.attention`);
    x = residual(x, mixing, `${prefix}.attention_norm`);
    x = residual(x, feedForward(`${prefix}.ffn`), `${prefix}.ffn_norm`);
  }
  // Only the masked position goes on.
  const position = graph.input('position', 'int64', [1]);
  x = graph.node('Gather', [graph.node('Reshape', [x, shape(length, d)]), position], { axis: 0 });
  if (c.norm === 'pre') x = norm(x, 'bert.final_norm');
  if (c.mlm_transform) x = norm(gelu(layer(x, 'mlm.transform')), 'mlm.norm');
  const bias = c.mlm_bias ? 'mlm.bias' : null;
  x = int8 ? linear(x, token, bias) : graph.node('Gemm', [x, tokens, ...(bias ? [vector(bias)] : [])], { transB: 1 });
  graph.rename(x, 'logits');
  graph.output('logits', 'float32', [1, c.vocab_size]);
  return graph.serialize(OPERATOR_SET);
}
