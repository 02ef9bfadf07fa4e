#include "export/onnx_graph.h"

#include "core/error.h"
#include "export/protobuf.h"

namespace minibert {
namespace {

using protobuf::bytes_field;
using protobuf::bytes_of;
using protobuf::field_head;
using protobuf::float_field;
using protobuf::number_field;

constexpr int64_t kIrVersion = 8, kOperatorSet = 17;
constexpr uint64_t kMostBytes = uint64_t{1} << 31;  // of a protobuf message

// Numbers of fields in onnx.proto3.
namespace field {
enum Model { ir_version = 1, producer_name = 2, graph = 7, opset_import = 8, metadata_props = 14 };
enum Operators { domain = 1, version = 2 };
enum Entry { key = 1, entry_value = 2 };
enum Graph { node = 1, graph_name = 2, initializer = 5, graph_input = 11, graph_output = 12 };
enum Node { node_input = 1, node_output = 2, node_name = 3, op_type = 4, attribute = 5 };
enum Attribute { attribute_name = 1, f = 2, i = 3, s = 4, ints = 8, attribute_type = 20 };
enum Tensor { dims = 1, data_type = 2, tensor_name = 8, raw_data = 9 };
enum ValueInfo { value_name = 1, value_type = 2 };
enum Type { tensor_type = 1, elem_type = 1, shape = 2 };
enum Shape { dim = 1, dim_value = 1, dim_param = 2 };
}  // namespace field

// AttributeProto.AttributeType.
constexpr int64_t kFloatAttribute = 1, kIntAttribute = 2, kStringAttribute = 3, kIntsAttribute = 7;

std::string encode(const OnnxAttribute& attribute) {
  std::string bytes = bytes_field(field::attribute_name, attribute.first);
  if (const auto* whole = std::get_if<int64_t>(&attribute.second))
    return bytes + number_field(field::i, *whole) +
           number_field(field::attribute_type, kIntAttribute);
  if (const auto* real = std::get_if<float>(&attribute.second))
    return bytes + float_field(field::f, *real) +
           number_field(field::attribute_type, kFloatAttribute);
  if (const auto* text = std::get_if<std::string>(&attribute.second))
    return bytes + bytes_field(field::s, *text) +
           number_field(field::attribute_type, kStringAttribute);
  for (const int64_t value : std::get<std::vector<int64_t>>(attribute.second))
    bytes += number_field(field::ints, value);
  return bytes + number_field(field::attribute_type, kIntsAttribute);
}

std::string value_info(const std::string& name, OnnxType type,
                       const std::vector<OnnxDimension>& shape) {
  std::string dimensions;
  for (const OnnxDimension& size : shape) {
    const auto* known = std::get_if<int64_t>(&size);
    dimensions += bytes_field(
        field::dim, known != nullptr ? number_field(field::dim_value, *known)
                                     : bytes_field(field::dim_param, std::get<std::string>(size)));
  }
  const std::string tensor = number_field(field::elem_type, static_cast<int64_t>(type)) +
                             bytes_field(field::shape, dimensions);
  return bytes_field(field::value_name, name) +
         bytes_field(field::value_type, bytes_field(field::tensor_type, tensor));
}

std::string tensor_head(const std::string& name, OnnxType type, const std::vector<int64_t>& shape) {
  std::string bytes;
  for (const int64_t size : shape) bytes += number_field(field::dims, size);
  return bytes + number_field(field::data_type, static_cast<int64_t>(type)) +
         bytes_field(field::tensor_name, name);
}

}  // namespace

std::pair<const char*, size_t> OnnxGraph::Initializer::data() const {
  if (values == nullptr) return {bytes.data(), bytes.size()};
  return {reinterpret_cast<const char*>(values->data()), values->size() * sizeof(float)};
}

std::string OnnxGraph::input(const std::string& name, OnnxType type,
                             const std::vector<OnnxDimension>& shape) {
  inputs_ += bytes_field(field::graph_input, value_info(name, type, shape));
  return name;
}

void OnnxGraph::output(const std::string& name, const std::string& value, OnnxType type,
                       const std::vector<OnnxDimension>& shape) {
  add_node(name, "Identity", {value}, {name}, {});
  outputs_ += bytes_field(field::graph_output, value_info(name, type, shape));
}

std::string OnnxGraph::weight(const NamedTensor& tensor) {
  initializers_.push_back(
      {tensor_head(tensor.name, OnnxType::float32, tensor.shape), "", &tensor.values});
  return tensor.name;
}

std::string OnnxGraph::constant(OnnxType type, const std::vector<int64_t>& shape,
                                const std::string& bytes) {
  const std::string key = tensor_head("", type, shape) + bytes;
  const auto [found, added] =
      constants_.emplace(key, "constant_" + std::to_string(constants_.size()));
  if (added) initializers_.push_back({tensor_head(found->second, type, shape), bytes});
  return found->second;
}

std::string OnnxGraph::number(float value) {
  return constant(OnnxType::float32, {}, bytes_of(value));
}

std::string OnnxGraph::integer(int64_t value) {
  return constant(OnnxType::int64, {}, bytes_of(value));
}

std::string OnnxGraph::integers(const std::vector<int64_t>& values) {
  return constant(OnnxType::int64, {static_cast<int64_t>(values.size())},
                  bytes_of(values.data(), values.size()));
}

void OnnxGraph::add_node(const std::string& name, const std::string& type,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs,
                         const std::vector<OnnxAttribute>& attributes) {
  std::string bytes;
  for (const std::string& one : inputs) bytes += bytes_field(field::node_input, one);
  for (const std::string& one : outputs) bytes += bytes_field(field::node_output, one);
  bytes += bytes_field(field::node_name, name) + bytes_field(field::op_type, type);
  for (const OnnxAttribute& one : attributes) bytes += bytes_field(field::attribute, encode(one));
  nodes_ += bytes_field(field::node, bytes);
}

std::vector<std::string> OnnxGraph::nodes(const std::string& type,
                                          const std::vector<std::string>& inputs, size_t results,
                                          const std::vector<OnnxAttribute>& attributes) {
  const std::string name = scope_ + "/" + type + "_" + std::to_string(made_++);
  std::vector<std::string> outputs;
  for (size_t i = 0; i < results; ++i)
    outputs.push_back(results == 1 ? name : name + "." + std::to_string(i));
  add_node(name, type, inputs, outputs, attributes);
  return outputs;
}

std::string OnnxGraph::node(const std::string& type, const std::vector<std::string>& inputs,
                            const std::vector<OnnxAttribute>& attributes) {
  return nodes(type, inputs, 1, attributes).front();
}

std::string OnnxGraph::serialize(const std::map<std::string, std::string>& metadata) const {
  const std::string name = bytes_field(field::graph_name, "minibert");
  std::vector<std::string> heads;  // of every initializer, up to its values
  uint64_t graph_bytes = nodes_.size() + name.size() + inputs_.size() + outputs_.size();
  for (const Initializer& one : initializers_) {
    const size_t size = one.data().second;
    const std::string head = one.head + field_head(field::raw_data, size);
    heads.push_back(field_head(field::initializer, head.size() + size) + head);
    graph_bytes += heads.back().size() + size;
  }
  std::string model =
      number_field(field::ir_version, kIrVersion) + bytes_field(field::producer_name, "minibert") +
      bytes_field(field::opset_import,
                  bytes_field(field::domain, "") + number_field(field::version, kOperatorSet));
  for (const auto& [key, value] : metadata)
    model += bytes_field(field::metadata_props,
                         bytes_field(field::key, key) + bytes_field(field::entry_value, value));
  model += field_head(field::graph, graph_bytes);
  if (model.size() + graph_bytes >= kMostBytes)
    throw Error("gives an ONNX file of " + std::to_string(model.size() + graph_bytes) +
                " bytes, expected less than " + std::to_string(kMostBytes));
  model.reserve(model.size() + graph_bytes);
  model += nodes_ + name;
  for (size_t i = 0; i < initializers_.size(); ++i) {
    const auto [data, size] = initializers_[i].data();
    model += heads[i];
    model.append(data, size);
  }
  model += inputs_ + outputs_;
  return model;
}

}  // namespace minibert
