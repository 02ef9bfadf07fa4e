// .mbq files (lib/infer/format/mbq_format.h), read and written.

const ARRAYS = { I8: Int8Array, U8: Uint8Array, F32: Float32Array };

// bytes: a Uint8Array -> { metadata, config, tensors: name -> { dtype, shape, values } }
export function readMbq(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const headerSize = Number(view.getBigUint64(0, true));
  const { __metadata__: metadata, ...entries } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerSize)));
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(entries)) {
    // Copied, because a view of float32 must be aligned.
    const copy = Uint8Array.from(bytes.subarray(8 + headerSize + begin, 8 + headerSize + end));
    tensors[name] = { dtype, shape, values: new ARRAYS[dtype](copy.buffer) };
  }
  return { metadata, config: JSON.parse(metadata.model), tensors };
}

// The float32 values of a tensor, int8 or not.
export function floats({ tensors }, name) {
  const { dtype, shape, values } = tensors[name];
  if (dtype === 'F32') return values;
  const scales = tensors[`${name}_scale`].values;
  const low = tensors[`${name}_low`]?.values;
  return Float32Array.from(values, (value, i) => (value + (low ? low[i] / 254 : 0)) * scales[Math.floor(i / shape[1])]);
}

// tensors: name -> { dtype, shape, values }, in the order in which they are stored.
export function writeMbq(metadata, tensors) {
  const header = { __metadata__: metadata };
  const parts = [];
  let size = 0;
  let paddings = 0;
  const add = (name, { dtype, shape, values }) => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    header[name] = { dtype, shape, data_offsets: [size, size + bytes.length] };
    parts.push(bytes);
    size += bytes.length;
  };
  const pad = (count) => add(`padding.${paddings++}`, { dtype: 'U8', shape: [count], values: new Uint8Array(count) });
  for (const [name, tensor] of Object.entries(tensors)) {
    if (size % 16) pad(16 - (size % 16));
    add(name, tensor);
  }
  pad(64 + ((16 - (size % 16)) % 16));
  let text = new TextEncoder().encode(JSON.stringify(header));
  const whole = Math.ceil((8 + text.length) / 16) * 16 - 8;
  text = new Uint8Array([...text, ...new Array(whole - text.length).fill(0x20)]);
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return Buffer.concat([length, text, ...parts]);
}
