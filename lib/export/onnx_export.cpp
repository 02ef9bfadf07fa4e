#include "export/onnx_export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string_view>

#include "core/error.h"
#include "export/model_metadata.h"
#include "export/onnx_graph.h"
#include "model/marked_keys.h"
#include "record/layout.h"
#include "rules/relative_bucket.h"
#include "text/pieces.h"

// B batch, S positions, D hidden size, E embedding size, F d_ff, H heads, K taps, V vocabulary, C outputs.
namespace minibert {
namespace {

using Value = std::string;  // a value's name in the graph
using Shape = std::vector<int64_t>;

constexpr float kNever = -1e9f;  // training adds it to the score of hidden positions
constexpr char kBatch[] = "batch", kSequence[] = "sequence";
// The span head's weight for how long answers are, which picks among spans and changes no logit.
constexpr char kAnswerLengths[] = "qa.length";

// Offsets with different buckets: all farther ones share the last.
constexpr int64_t kFarthest = [] {
  int64_t offset = 1;
  while (relative_bucket(offset) != kRelativeBuckets - 1) ++offset;
  return offset;
}();

// The keys of a model that the graph below goes by.
constexpr std::array<std::string_view, 23> kKnownKeys = {
    "d_model",      "n_heads",        "d_ff",          "n_layers",   "max_positions",
    "segments",     "embedding_size", "share_layers",  "norm",       "position",
    "local_layers", "conv",           "ffn",           "activation", "head_gate",
    "causal",       "layer_norm_eps", "mlm_transform", "mlm_bias",   "mlm_context",
    "mlm_tied",     "pooler",         "nsp_bias"};

std::string text_of(const Shape& shape) { return nlohmann::json(shape).dump(); }

class BertGraph {
 public:
  BertGraph(const OnnxSource& source, const std::vector<NamedTensor>& weights)
      : source_(source), config_(source.model) {
    for (const NamedTensor& weight : weights) by_name_[weight.name] = &weight;
  }

  std::string build(const std::map<std::string, std::string>& metadata) {
    graph_.set_scope("input");
    ids_ = graph_.input("input_ids", OnnxType::int64, {kBatch, kSequence});
    segments_ = graph_.input("token_type_ids", OnnxType::int64, {kBatch, kSequence});
    real_BS_ = op("Not", {op("Equal", {ids_, graph_.integer(0)})});
    add_heads(encode());
    for (const auto& [name, weight] : by_name_)
      if (!stored_.contains(name) && name != kAnswerLengths)
        throw Error("/weights/" + name + ": expected no such weight of this model");
    return graph_.serialize(metadata);
  }

 private:
  using Attributes = std::vector<OnnxAttribute>;

  Value op(const std::string& type, const std::vector<Value>& inputs,
           const Attributes& attributes = {}) {
    return graph_.node(type, inputs, attributes);
  }
  Value as_float(const Value& x) {
    return op("Cast", {x}, {{"to", static_cast<int64_t>(OnnxType::float32)}});
  }
  Value turned(const Value& x, const Shape& order) {
    return op("Transpose", {x}, {{"perm", order}});
  }
  Value widened(const Value& x, const Shape& axes) {
    return op("Unsqueeze", {x, graph_.integers(axes)});
  }
  Value reshaped(const Value& x, const Shape& shape) {  // 0 is x's own size
    return op("Reshape", {x, graph_.integers(shape)});
  }
  Value times(const Value& x, float factor) { return op("Mul", {x, graph_.number(factor)}); }

  bool has(const std::string& name) const { return by_name_.contains(name); }
  // Stored once, however often the graph reads it.
  Value weight(const std::string& name, const Shape& shape) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
      throw Error("/weights/" + name + ": is missing, expected by the model");
    if (found->second->shape != shape)
      throw Error("/weights/" + name + ": found shape " + text_of(found->second->shape) +
                  ", expected " + text_of(shape));
    return stored_.insert(name).second ? graph_.weight(*found->second) : name;
  }
  int64_t rows_of(const std::string& name) const {
    const Shape& shape = by_name_.at(name)->shape;
    return shape.empty() ? 0 : shape[0];
  }

  // x [..., cols] times a matrix [rows, cols] transposed.
  Value product(const Value& x, const std::string& name, int64_t rows, int64_t cols) {
    const Value stored = weight(name, {rows, cols});
    Value& across = transposed_[name];
    if (across.empty()) across = turned(stored, {1, 0});
    return op("MatMul", {x, across});
  }
  Value linear(const Value& x, const std::string& name, int64_t rows, int64_t cols) {
    const Value y = product(x, name + ".weight", rows, cols);
    return op("Add", {y, weight(name + ".bias", {rows})});
  }
  Value norm(const Value& x, const std::string& name, int64_t size) {
    return op("LayerNormalization",
              {x, weight(name + ".weight", {size}), weight(name + ".bias", {size})},
              {{"axis", int64_t{-1}}, {"epsilon", static_cast<float>(config_.layer_norm_eps)}});
  }

  // Both forms of GELU are written as Hugging Face's exporter writes them: runtimes know the patterns.
  Value tanh_gelu(const Value& x) {
    const Value cube = op("Pow", {x, graph_.number(3)});
    const Value sum = op("Add", {x, times(cube, 0.044715f)});
    const Value tanh = op("Tanh", {times(sum, std::sqrt(2 / std::numbers::pi_v<float>))});
    return op("Mul", {times(x, 0.5f), op("Add", {tanh, graph_.number(1)})});
  }
  Value erf_gelu(const Value& x) {
    const Value erf = op("Erf", {op("Div", {x, graph_.number(std::numbers::sqrt2_v<float>)})});
    return times(op("Mul", {x, op("Add", {erf, graph_.number(1)})}), 0.5f);
  }
  Value activated(const Value& x) {
    if (config_.activation == "relu") return op("Relu", {x});
    return config_.activation == "gelu" ? erf_gelu(x) : tanh_gelu(x);
  }

  // x_BSC, depthwise over positions; padding weighs nothing. weight_KC.
  Value convolution(const Value& x, const std::string& name, int64_t taps, int64_t channels) {
    const Value real = widened(as_float(real_BS_), {2});
    const Value x_BCS = turned(op("Mul", {x, real}), {0, 2, 1});
    const Value kernel = widened(turned(weight(name, {taps, channels}), {1, 0}), {1});
    const Value y = op(
        "Conv", {x_BCS, kernel},
        {{"group", channels}, {"kernel_shape", Shape{taps}}, {"pads", Shape{taps / 2, taps / 2}}});
    return turned(y, {0, 2, 1});
  }

  Value embeddings() {
    graph_.set_scope("bert.embeddings");
    const int64_t e = config_.embedding_size, d = config_.d_model;
    const std::string name = "bert.embeddings.";
    Value x = op("Gather", {weight(name + "token.weight", {config_.vocab_size, e}), ids_});
    if (config_.position == "table") {
      const Value table = weight(name + "position.weight", {config_.max_positions, e});
      x = op("Add",
             {x, op("Slice", {table, graph_.integers({0}), length_1_, graph_.integers({0})})});
    }
    const Value segments = weight(name + "segment.weight", {config_.segments, e});
    x = op("Add", {x, op("Gather", {segments, segments_})});
    x = norm(x, name + "norm", e);
    return e == d ? x : linear(x, name + "projection", d, e);
  }

  // Adds the terms that all layers' attention adds to its scores, and the table of offsets.
  void add_scores() {
    graph_.set_scope("scores");
    const Value padding = times(as_float(op("Not", {real_BS_})), kNever);
    shared_bias_ = widened(padding, {1, 2});  // [B, 1, 1, S]
    const bool relative = config_.position == "relative";
    if (!relative && !config_.causal) return;
    const Value scalar = op("Squeeze", {length_1_});
    const Value place = op("Range", {graph_.integer(0), scalar, graph_.integer(1)});
    const Value offset_SS = op("Sub", {widened(place, {0}), widened(place, {1})});
    if (config_.causal) {
      const Value later = as_float(op("Greater", {offset_SS, graph_.integer(0)}));
      shared_bias_ = op("Add", {shared_bias_, times(later, kNever)});
    }
    if (!relative) return;
    Shape buckets;
    for (int64_t offset = -kFarthest; offset <= kFarthest; ++offset)
      buckets.push_back(relative_bucket(offset));
    const Value near =
        op("Clip", {offset_SS, graph_.integer(-kFarthest), graph_.integer(kFarthest)});
    bucket_SS_ =
        op("Gather", {graph_.integers(buckets), op("Add", {near, graph_.integer(kFarthest)})});
  }

  Value attention(const Value& x, const std::string& name) {
    const int64_t d = config_.d_model, heads = config_.n_heads, width = d / heads;
    Value qkv = linear(x, name + "qkv", 3 * d, d);
    if (config_.conv > 0) qkv = convolution(qkv, name + "conv", config_.conv, 3 * d);
    const auto parts =
        graph_.nodes("Split", {qkv, graph_.integers({d, d, d})}, 3, {{"axis", int64_t{-1}}});
    const auto split = [&](const Value& part, const Shape& order) {
      return turned(reshaped(part, {0, 0, heads, width}), order);
    };
    const float scale = static_cast<float>(1 / std::sqrt(static_cast<double>(width)));
    const Value query = times(split(parts[0], {0, 2, 1, 3}), scale);
    Value scores = op("MatMul", {query, split(parts[1], {0, 2, 3, 1})});
    if (!bucket_SS_.empty()) {
      const Value table = weight(name + "offsets", {heads, kRelativeBuckets});
      scores = op("Add", {scores, op("Gather", {table, bucket_SS_}, {{"axis", int64_t{1}}})});
    }
    const Value shares =
        op("Softmax", {op("Add", {scores, shared_bias_})}, {{"axis", int64_t{-1}}});
    Value context = turned(op("MatMul", {shares, split(parts[2], {0, 2, 1, 3})}), {0, 2, 1, 3});
    if (config_.head_gate) {
      const Value gate = op("Sigmoid", {linear(x, name + "gate", heads, d)});
      context = op("Mul", {context, widened(gate, {3})});
    }
    return linear(reshaped(context, {0, 0, d}), name + "output", d, d);
  }

  Value local_mixing(const Value& x, const std::string& name) {
    const int64_t d = config_.d_model;
    const Value value = linear(x, name + "value", d, d);
    return linear(convolution(value, name + "conv", kLocalTaps, d), name + "output", d, d);
  }

  Value feed_forward(const Value& x, const std::string& name) {
    const int64_t d = config_.d_model, f = config_.d_ff;
    const bool gated = config_.ffn == "geglu";
    Value inner = linear(x, name + "inner", gated ? 2 * f : f, d);
    if (gated) {
      const auto halves =
          graph_.nodes("Split", {inner, graph_.integers({f, f})}, 2, {{"axis", int64_t{-1}}});
      inner = op("Mul", {tanh_gelu(halves[0]), halves[1]});
    } else {
      inner = activated(inner);
    }
    return linear(inner, name + "outer", d, f);
  }

  template <class Part>
  Value residual(const Value& x, const std::string& norm_name, const Part& part) {
    const int64_t d = config_.d_model;
    if (config_.norm == "pre") return op("Add", {x, part(norm(x, norm_name, d))});
    return norm(op("Add", {x, part(x)}), norm_name, d);
  }

  // hidden_BSD.
  Value encode() {
    length_1_ = op("Shape", {ids_}, {{"start", int64_t{1}}});
    Value x = embeddings();
    add_scores();
    for (int64_t i = 0; i < config_.n_layers; ++i) {
      const std::string layer =
          "bert.layers." + std::to_string(std::min(i, stored_layers(config_) - 1)) + ".";
      graph_.set_scope("bert.layers." + std::to_string(i));
      x = residual(x, layer + "attention_norm", [&](const Value& y) {
        return i < config_.local_layers ? local_mixing(y, layer + "local.")
                                        : attention(y, layer + "attention.");
      });
      x = residual(x, layer + "ffn_norm",
                   [&](const Value& y) { return feed_forward(y, layer + "ffn."); });
    }
    graph_.set_scope("bert");
    return config_.norm == "pre" ? norm(x, "bert.final_norm", config_.d_model) : x;
  }

  // [B, D]: the position by which the encoder reads a text, [CLS] or, from left to right, the last.
  Value pooled(const Value& hidden) {
    if (!config_.causal) return op("Gather", {hidden, graph_.integer(0)}, {{"axis", int64_t{1}}});
    const Value real = op("Cast", {real_BS_}, {{"to", static_cast<int64_t>(OnnxType::int64)}});
    const Value count_B1 = op("ReduceSum", {real, graph_.integers({1})});
    const Value last_B1 = op("Sub", {count_B1, graph_.integer(1)});
    // One index a text into its own positions.
    return op("GatherND", {hidden, last_B1}, {{"batch_dims", int64_t{1}}});
  }
  Value mean_of_real(const Value& hidden) {
    const Value real_BS1 = widened(as_float(real_BS_), {2});
    const auto sum = [&](const Value& x) {
      return op("ReduceSum", {x, graph_.integers({1})}, {{"keepdims", int64_t{0}}});
    };
    return op("Div", {sum(op("Mul", {hidden, real_BS1})), sum(real_BS1)});
  }
  Value pooler(const Value& pooled_BD, const std::string& name) {
    return op("Tanh", {linear(pooled_BD, name, config_.d_model, config_.d_model)});
  }

  void output(const std::string& name, const Value& value, std::vector<OnnxDimension> shape) {
    graph_.output(name, value, OnnxType::float32, shape);
  }

  void add_heads(const Value& hidden) {
    if (has("qa.weight")) {
      add_spans(hidden);
    } else if (has("tag.weight")) {
      graph_.set_scope("tag");
      const int64_t tags = rows_of("tag.weight");
      output("logits", linear(hidden, "tag", tags, config_.d_model), {kBatch, kSequence, tags});
    } else if (has("sequence.output.weight")) {
      graph_.set_scope("sequence");
      const int64_t outputs = rows_of("sequence.output.weight");
      const Value text =
          source_.mean_pooling ? mean_of_real(hidden) : pooler(pooled(hidden), "sequence.dense");
      output("logits", linear(text, "sequence.output", outputs, config_.d_model),
             {kBatch, outputs});
    } else {
      if (source_.masked_lm) add_masked_lm(hidden);
      if (has("nsp.dense.weight")) add_sentences(hidden);
    }
    output("last_hidden_state", hidden, {kBatch, kSequence, config_.d_model});
  }

  void add_spans(const Value& hidden) {
    graph_.set_scope("qa");
    const Value both_BS2 = linear(hidden, "qa", 2, config_.d_model);
    const auto parts =
        graph_.nodes("Split", {both_BS2, graph_.integers({1, 1})}, 2, {{"axis", int64_t{-1}}});
    const char* names[] = {"start_logits", "end_logits"};
    for (size_t i = 0; i < 2; ++i) {
      const Value logits = op("Squeeze", {parts[i], graph_.integers({2})});
      output(names[i], op("Where", {real_BS_, logits, graph_.number(kNever)}), {kBatch, kSequence});
    }
  }

  void add_masked_lm(const Value& hidden) {
    graph_.set_scope("mlm");
    const int64_t v = config_.vocab_size, e = config_.embedding_size;
    Value x = hidden;
    if (config_.mlm_transform)
      x = norm(activated(linear(x, "mlm.transform", e, config_.d_model)), "mlm.norm", e);
    Value logits =
        product(x, config_.mlm_tied ? "bert.embeddings.token.weight" : "mlm.decoder.weight", v, e);
    if (config_.mlm_bias) logits = op("Add", {logits, weight("mlm.bias", {v})});
    if (config_.mlm_context > 0) logits = op("Add", {logits, context_bonus(x)});
    output("logits", logits, {kBatch, kSequence, v});
  }

  // Returns the bonus of the pieces that the input shows (model/ops/context_bonus.h), [B, S, V];
  // x_BSE is the output layer's input.
  Value context_bonus(const Value& x) {
    const int64_t v = config_.vocab_size, e = config_.embedding_size, rank = config_.mlm_context;
    const Value query_BSR = linear(x, "mlm.context.query", rank, e);
    const Value token_VE = weight("bert.embeddings.token.weight", {v, e});
    const Value key_RV = turned(linear(token_VE, "mlm.context.key", rank, e), {1, 0});
    const Value batch_1 = op("Shape", {ids_}, {{"end", int64_t{1}}});
    const Value size_2 = op("Concat", {batch_1, graph_.integers({v})}, {{"axis", int64_t{0}}});
    const Value count_BV = op("ScatterElements",
                              {op("Expand", {graph_.number(0), size_2}), ids_,
                               op("Expand", {graph_.number(1), op("Shape", {ids_})})},
                              {{"axis", int64_t{1}}, {"reduction", std::string("add")}});
    const Value place_V = op("Range", {graph_.integer(0), graph_.integer(v), graph_.integer(1)});
    const Value ordinary_V =
        as_float(op("Greater", {place_V, graph_.integer(kFirstOrdinaryPiece - 1)}));
    const Value weight_BV =
        op("Mul", {op("Log", {op("Add", {count_BV, graph_.number(1)})}), ordinary_V});
    return op("Mul", {op("MatMul", {query_BSR, key_RV}), widened(weight_BV, {1})});
  }

  void add_sentences(const Value& hidden) {
    graph_.set_scope("nsp");
    const Value vector = pooler(pooled(hidden), "nsp.dense");
    if (has("nsp.output.weight")) {
      Value logits = product(vector, "nsp.output.weight", 2, config_.d_model);
      if (config_.nsp_bias) logits = op("Add", {logits, weight("nsp.output.bias", {2})});
      // Here the second logit says that B follows A, in Hugging Face's models the first one.
      logits = op("Gather", {logits, graph_.integers({1, 0})}, {{"axis", int64_t{1}}});
      output("seq_relationship_logits", logits, {kBatch, int64_t{2}});
    }
    output("pooler_output", vector, {kBatch, config_.d_model});
  }

  const OnnxSource& source_;
  const BertConfig& config_;
  std::map<std::string, const NamedTensor*> by_name_;
  std::set<std::string> stored_;             // weights that the graph has
  std::map<std::string, Value> transposed_;  // of a matrix
  OnnxGraph graph_;
  Value ids_, segments_, real_BS_, length_1_, shared_bias_, bucket_SS_;
};

}  // namespace

std::string make_onnx(const OnnxSource& source, const std::vector<NamedTensor>& weights,
                      const std::map<std::string, std::string>& metadata) {
  refuse_unknown_keys(
      marked_keys(source.model),
      [](const std::string& key) { return std::ranges::find(kKnownKeys, key) != kKnownKeys.end(); },
      "ONNX");
  return BertGraph(source, weights).build(metadata);
}

std::string export_onnx(const RunRecord& record, const std::string& path) {
  const nlohmann::json model = record.config.value("model", nlohmann::json());
  const std::string kind = model.is_object() ? model.value("kind", "") : "bert";
  if (kind != "bert") throw Error(path + ": found a \"" + kind + "\" model, expected a \"bert\"");
  const auto metadata = model_metadata(record, path);
  OnnxSource source{bert_from_json(model, path), model.value("pooling", "cls") == "mean",
                    !record.data.value(layout::kEncoderOnly, false)};
  try {
    return make_onnx(source, record.weights, metadata);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace minibert
