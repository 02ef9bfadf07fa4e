// A .mbq of any architecture with random int8 weights, for measuring speed where nobody trained one.
import { writeMbq } from './mbq.mjs';

// A small generator with a fixed seed (mulberry32), so that all runs measure the same model.
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// tokenizer: the tensor tokenizer.model of another .mbq, with as many pieces as model.vocab_size.
export function randomMbq(model, tokenizer) {
  const random = generator(1);
  const tensors = {};
  const matrix = (name, rows, cols, deviation) => {
    const values = Int8Array.from({ length: rows * cols }, () =>
      Math.max(-127, Math.min(127, Math.round((random() + random() + random() + random() - 2) * 73))));
    tensors[name] = { dtype: 'I8', shape: [rows, cols], values };
    tensors[`${name}_scale`] = { dtype: 'F32', shape: [rows], values: new Float32Array(rows).fill(deviation / 42) };
  };
  const vector = (name, size, value) => {
    tensors[name] = { dtype: 'F32', shape: [size], values: new Float32Array(size).fill(value) };
  };
  const table = (name, rows, cols, deviation) => {
    const values = Float32Array.from({ length: rows * cols }, () => (random() - 0.5) * 3.46 * deviation);
    tensors[name] = { dtype: 'F32', shape: [rows, cols], values };
  };
  const linear = (name, rows, cols) => {
    matrix(`${name}.weight`, rows, cols, 1 / Math.sqrt(cols));
    vector(`${name}.bias`, rows, 0);
  };
  const norm = (name, size) => {
    vector(`${name}.weight`, size, 1);
    vector(`${name}.bias`, size, 0);
  };
  const { d_model: d, embedding_size: e, d_ff: f, n_heads: heads, local_layers: local = 0 } = model;
  const relative = model.position === 'relative';
  const gated = model.ffn === 'geglu';
  const stored = model.share_layers ? Math.min(local + 1, model.n_layers) : model.n_layers;
  matrix('bert.embeddings.token.weight', model.vocab_size, e, 0.1);
  if (!relative) matrix('bert.embeddings.position.weight', model.max_positions, e, 0.1);
  matrix('bert.embeddings.segment.weight', 2, e, 0.1);
  norm('bert.embeddings.norm', e);
  if (e !== d) linear('bert.embeddings.projection', d, e);
  for (let i = 0; i < stored; ++i) {
    const layer = `bert.layers.${i}`;
    if (i < local) {
      linear(`${layer}.local.value`, d, d);
      table(`${layer}.local.conv`, model.local_taps ?? 7, d, 0.4);
      linear(`${layer}.local.output`, d, d);
    } else {
      linear(`${layer}.attention.qkv`, 3 * d, d);
      if (model.conv > 0) table(`${layer}.attention.conv`, model.conv, 3 * d, 0.6);
      if (relative) table(`${layer}.attention.offsets`, heads, 32, 1);
      if (model.head_gate) {
        table(`${layer}.attention.gate.weight`, heads, d, 1 / Math.sqrt(d));
        vector(`${layer}.attention.gate.bias`, heads, 0);
      }
      linear(`${layer}.attention.output`, d, d);
    }
    norm(`${layer}.attention_norm`, d);
    linear(`${layer}.ffn.inner`, gated ? 2 * f : f, d);
    linear(`${layer}.ffn.outer`, d, f);
    norm(`${layer}.ffn_norm`, d);
  }
  if (model.norm === 'pre') norm('bert.final_norm', d);
  if (model.mlm_transform) {
    linear('mlm.transform', e, d);
    norm('mlm.norm', e);
  }
  if (model.mlm_bias) vector('mlm.bias', model.vocab_size, 0);
  const rank = model.mlm_context ?? 0;
  for (const part of rank > 0 ? ['query', 'key'] : []) {
    table(`mlm.context.${part}.weight`, rank, e, 1);
    vector(`mlm.context.${part}.bias`, rank, 0.1);
  }
  tensors['tokenizer.model'] = tokenizer;
  const shaped = relative || local || model.conv || gated || model.head_gate;
  const metadata = {
    format: 'minibert-mbq', version: rank > 0 ? '5' : shaped ? '2' : '1', weights: 'int8', activations: '7', model: JSON.stringify(model),
    source_run: 'random', source_sha256: '', metrics: '{}',
  };
  return writeMbq(metadata, tensors);
}
