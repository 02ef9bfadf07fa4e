// As much of the ONNX format (onnx.proto3, protobuf) as a graph of plain nodes needs.

const TYPES = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 };

function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes = [];
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => {
  const content = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
};
const float = (field, value) => Buffer.concat([varint((field << 3) | 5), Buffer.from(new Float32Array([value]).buffer)]);
const all = (field, values, encode) => Buffer.concat(values.map((value) => encode(field, value)));

function attribute(name, value) {
  const named = bytes(1, name);
  if (Array.isArray(value)) return Buffer.concat([named, all(8, value, number), number(20, 7)]);
  if (typeof value === 'string') return Buffer.concat([named, bytes(4, value), number(20, 3)]);
  if (Number.isInteger(value)) return Buffer.concat([named, number(3, value), number(20, 2)]);
  return Buffer.concat([named, float(2, value), number(20, 1)]);
}

function valueInfo(name, type, shape) {
  const dimensions = bytes(2, all(1, shape.map((size) => number(1, size)), bytes));
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, Buffer.concat([number(1, TYPES[type]), dimensions])))]);
}

export class Graph {
  #nodes = [];
  #constants = [];
  #inputs = [];
  #outputs = [];
  #made = 0;

  input(name, type, shape) {
    this.#inputs.push(valueInfo(name, type, shape));
    return name;
  }
  output(name, type, shape) {
    this.#outputs.push(valueInfo(name, type, shape));
  }
  // values: a typed array.
  constant(values, shape) {
    const name = `c${this.#made++}`;
    const type = values.constructor.name.replace('Array', '').replace('Big', '').toLowerCase();
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#constants.push(Buffer.concat([all(1, shape, number), number(2, TYPES[type]), bytes(8, name), bytes(9, raw)]));
    return name;
  }
  // Returns the output's name, or a list of `count` names.
  node(type, inputs, attributes = {}, count = 1) {
    const outputs = Array.from({ length: count }, () => `t${this.#made++}`);
    const encoded = Object.entries(attributes).map(([name, value]) => attribute(name, value));
    this.#nodes.push(Buffer.concat([all(1, inputs, bytes), all(2, outputs, bytes), bytes(4, type), all(5, encoded, bytes)]));
    return count === 1 ? outputs[0] : outputs;
  }
  rename(from, to) {
    this.#nodes.push(Buffer.concat([bytes(1, from), bytes(2, to), bytes(4, 'Identity')]));
  }
  // The bytes of a model of this operator set.
  serialize(operatorSet) {
    const graph = Buffer.concat([
      all(1, this.#nodes, bytes), bytes(2, 'graph'), all(5, this.#constants, bytes), all(11, this.#inputs, bytes),
      all(12, this.#outputs, bytes),
    ]);
    return Buffer.concat([number(1, 9), bytes(7, graph), bytes(8, Buffer.concat([bytes(1, ''), number(2, operatorSet)]))]);
  }
}
