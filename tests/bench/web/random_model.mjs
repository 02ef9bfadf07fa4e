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
  const linear = (name, rows, cols) => {
    matrix(`${name}.weight`, rows, cols, 1 / Math.sqrt(cols));
    vector(`${name}.bias`, rows, 0);
  };
  const norm = (name, size) => {
    vector(`${name}.weight`, size, 1);
    vector(`${name}.bias`, size, 0);
  };
  const { d_model: d, embedding_size: e, d_ff: inner } = model;
  matrix('bert.embeddings.token.weight', model.vocab_size, e, 0.1);
  matrix('bert.embeddings.position.weight', model.max_positions, e, 0.1);
  matrix('bert.embeddings.segment.weight', 2, e, 0.1);
  norm('bert.embeddings.norm', e);
  if (e !== d) linear('bert.embeddings.projection', d, e);
  for (let i = 0; i < (model.share_layers ? 1 : model.n_layers); ++i) {
    const layer = `bert.layers.${i}`;
    linear(`${layer}.attention.qkv`, 3 * d, d);
    linear(`${layer}.attention.output`, d, d);
    norm(`${layer}.attention_norm`, d);
    linear(`${layer}.ffn.inner`, inner, d);
    linear(`${layer}.ffn.outer`, d, inner);
    norm(`${layer}.ffn_norm`, d);
  }
  if (model.norm === 'pre') norm('bert.final_norm', d);
  if (model.mlm_transform) {
    linear('mlm.transform', e, d);
    norm('mlm.norm', e);
  }
  if (model.mlm_bias) vector('mlm.bias', model.vocab_size, 0);
  tensors['tokenizer.model'] = tokenizer;
  const metadata = {
    format: 'minibert-mbq', version: '1', weights: 'int8', activations: '7', model: JSON.stringify(model),
    source_run: 'random', source_sha256: '', metrics: '{}',
  };
  return writeMbq(metadata, tensors);
}
