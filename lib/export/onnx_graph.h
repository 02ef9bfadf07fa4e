// The part of the ONNX format (onnx.proto3, a protobuf) that a graph of plain nodes with stored
// weights needs: IR version 8, operator set 17. It knows no model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "record/run_record.h"

namespace minibert {

// The format's numbers for element types.
enum class OnnxType : uint8_t { float32 = 1, int64 = 7 };

// A size, or the name of a size that follows from the input.
using OnnxDimension = std::variant<int64_t, std::string>;

using OnnxAttribute =
    std::pair<std::string, std::variant<int64_t, float, std::string, std::vector<int64_t>>>;

// A graph under construction. Names identify values (inputs, weights, results); every call that
// makes a value returns its name.
class OnnxGraph {
 public:
  std::string input(const std::string& name, OnnxType type,
                    const std::vector<OnnxDimension>& shape);
  // Gives `value` the name of a result.
  void output(const std::string& name, const std::string& value, OnnxType type,
              const std::vector<OnnxDimension>& shape);

  // Adds a weight under the tensor's own name, which no other value may have. The tensor is not
  // copied and must outlive serialize().
  std::string weight(const NamedTensor& tensor);
  std::string number(float value);     // a scalar
  std::string integer(int64_t value);  // a scalar
  std::string integers(const std::vector<int64_t>& values);

  // Names later nodes "<scope>/<operator>_<count>", for viewers of the graph.
  void set_scope(const std::string& scope) { scope_ = scope; }
  std::string node(const std::string& type, const std::vector<std::string>& inputs,
                   const std::vector<OnnxAttribute>& attributes = {});
  // Adds a node with several results.
  std::vector<std::string> nodes(const std::string& type, const std::vector<std::string>& inputs,
                                 size_t results, const std::vector<OnnxAttribute>& attributes = {});

  // Returns the model's bytes; `metadata` is its metadata_props. Throws Error if they exceed a
  // protobuf message's limit (2 GiB).
  std::string serialize(const std::map<std::string, std::string>& metadata) const;

 private:
  struct Initializer {
    std::string head;   // all fields but the values
    std::string bytes;  // the values, unless a tensor holds them
    const std::vector<float>* values = nullptr;
    std::pair<const char*, size_t> data() const;
  };
  void add_node(const std::string& name, const std::string& type,
                const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                const std::vector<OnnxAttribute>& attributes);
  std::string constant(OnnxType type, const std::vector<int64_t>& shape, const std::string& bytes);

  std::string scope_;
  std::string nodes_, inputs_, outputs_;  // fields of the graph, encoded
  std::vector<Initializer> initializers_;
  std::map<std::string, std::string> constants_;  // type and value -> name: stored once
  int64_t made_ = 0;
};

}  // namespace minibert
