#include "infer/engine/architecture.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "infer/format/mbq_format.h"
#include "rules/question_overlap.h"
#include "rules/tag_decode.h"

namespace minibert::infer {
namespace {

using nlohmann::json;

// Keys that concern only training, or heads that a file does not have.
const std::set<std::string> kTrainingKeys = {"dropout",  "attention_dropout", "weight_init",
                                             "init_std", "position_init",     "attention_init",
                                             "pooler",   "nsp_bias"};

// Reads typed values out of one JSON object and keeps the first error.
class Keys {
 public:
  // `name` goes before a key in messages.
  Keys(const json& object, std::string name) : object_(object), name_(std::move(name)) {}

  int32_t integer(const char* key, int64_t min, int64_t max) {
    const auto found = find(key);
    const std::string expected =
        "an integer from " + std::to_string(min) + " to " + std::to_string(max);
    if (found == object_.end() || !found->is_number_integer()) return fail(key, found, expected);
    const bool too_large = found->is_number_unsigned() && found->get<uint64_t>() > uint64_t(max);
    const int64_t value = too_large ? max : found->get<int64_t>();
    if (too_large || value < min || value > max) return fail(key, found, expected);
    return static_cast<int32_t>(value);
  }
  bool boolean(const char* key) {
    const auto found = find(key);
    if (found == object_.end() || !found->is_boolean()) return fail(key, found, "true or false");
    return found->get<bool>();
  }
  double number(const char* key, double min, double max) {
    const auto found = find(key);
    if (found == object_.end() || !found->is_number() || !(found->get<double>() >= min) ||
        !(found->get<double>() <= max))
      return fail(key, found,
                  "a number from " + std::to_string(min) + " to " + std::to_string(max));
    return found->get<double>();
  }
  // Index into `choices`.
  size_t choice(const char* key, const std::vector<std::string>& choices) {
    const auto found = find(key);
    std::string expected;
    for (size_t i = 0; i < choices.size(); ++i) {
      if (found != object_.end() && found->is_string() &&
          found->get_ref<const std::string&>() == choices[i])
        return i;
      expected += (i == 0 ? "\"" : " or \"") + choices[i] + "\"";
    }
    return fail(key, found, expected);
  }
  // Different texts that are not empty.
  std::vector<std::string> names(const char* key, size_t least) {
    const auto found = find(key);
    std::vector<std::string> names;
    const bool list = found != object_.end() && found->is_array() && found->size() >= least &&
                      found->size() <= mbq::kMaxLabels;
    for (size_t i = 0; list && i < found->size(); ++i) {
      const json& name = (*found)[i];
      if (!name.is_string() || name.get_ref<const std::string&>().empty() ||
          name.get_ref<const std::string&>().size() > mbq::kMaxLabel)
        break;
      names.push_back(name.get<std::string>());
    }
    const bool all = list && names.size() == found->size();
    if (!all || std::set<std::string>(names.begin(), names.end()).size() != names.size())
      fail(key, found,
           "a list of " + std::to_string(least) + " to " + std::to_string(mbq::kMaxLabels) +
               " different names");
    return names;
  }
  bool has(const char* key) { return find(key) != object_.end(); }
  // Taps of a convolution, an odd number of at least `min`, or 0 where that is the least;
  // `otherwise` where the key, which not all models have, is absent.
  int32_t taps(const char* key, int64_t min, int32_t otherwise) {
    if (!has(key)) return otherwise;
    const int32_t count = integer(key, min, mbq::kMaxTaps);
    if (status_.ok() && count != 0 && count % 2 == 0)
      return fail(key, find(key), min == 0 ? "an odd number or 0" : "an odd number");
    return count;
  }
  // An error unless every key was read above or is one of `others`.
  void refuse_all_but(const std::set<std::string>& others) {
    for (const auto& [key, value] : object_.items())
      if (status_.ok() && !read_.contains(key) && !others.contains(key))
        status_ =
            Status::error(name_ + "." + key + ": found a key that this program does not know");
  }
  // Where the key is there, the one value that this engine computes.
  void only(const char* key, const json& value) {
    const auto found = find(key);
    if (found != object_.end() && *found != value) fail(key, found, value.dump());
  }
  Status status() const { return status_; }

 private:
  json::const_iterator find(const char* key) {
    read_.insert(key);
    return object_.find(key);
  }
  int fail(const char* key, json::const_iterator found, const std::string& expected) {
    if (status_.ok()) {
      std::string value = "nothing";
      // dump() calls itself for each bracket, and a file may hold too many.
      if (found != object_.end()) {
        const bool nested = std::any_of(found->begin(), found->end(),
                                        [](const json& x) { return x.is_structured(); });
        value = nested ? found->type_name()
                       : found->dump(-1, ' ', true, json::error_handler_t::replace);
      }
      if (value.size() > 60) value.resize(60);
      status_ = Status::error(name_ + "." + key + ": found " + value + ", expected " + expected);
    }
    return 0;
  }
  const json& object_;
  std::string name_;
  std::set<std::string> read_;
  Status status_;
};

Status parse_answers(const json& object, int32_t max_positions, AnswerConfig* config) {
  Keys keys(object, std::string(mbq::kAnswers));
  config->features.max_question = keys.integer("max_question", 1, mbq::kMaxAnswer);
  config->features.max_length =
      keys.integer("max_length", config->features.max_question + mbq::kWindowRoom, max_positions);
  config->features.stride = keys.integer("stride", 1, mbq::kMaxPositions);
  config->features.overlap = keys.boolean("overlap");
  config->spans.max_answer = keys.integer("max_answer", 1, mbq::kMaxAnswer);
  config->spans.n_best = keys.integer("n_best", 1, mbq::kMaxBest);
  keys.refuse_all_but({});
  return keys.status();
}

Status parse_length(const json& object, const HeadText& head, int32_t max_positions,
                    int32_t* max_length, bool* several = nullptr) {
  Keys keys(object, std::string(head.key));
  *max_length = keys.integer("max_length", mbq::kMinLength, max_positions);
  if (several != nullptr && keys.has("several")) *several = keys.boolean("several");
  keys.refuse_all_but({});
  return keys.status();
}

// Reads the head's keys in "model" and in its own text.
Status parse_head(Keys& keys, const HeadText& head, ModelConfig* c) {
  const json object = json::parse(head.text, nullptr, false);
  if (!object.is_object())
    return Status::error(std::string(head.key) + ": found no JSON object, expected one");
  c->mlm_transform = c->mlm_bias = false;
  c->mlm_context = 0;
  if (head.key == mbq::kAnswers) {
    const Status status = parse_answers(object, c->max_positions, &c->answers.emplace());
    if (c->answers->features.overlap) c->segments = kOverlapSegments;
    return status;
  }
  keys.has("head_dropout");  // read, as only training uses it
  if (head.key == mbq::kTags) {
    c->tags.emplace().tags = keys.names("labels", 1);
    for (const std::string& tag : c->tags->tags)
      if (!is_tag(tag))
        return Status::error("model.labels: found \"" + tag + "\", expected O, B-… or I-…");
    return parse_length(object, head, c->max_positions, &c->tags->max_length);
  }
  ClassifyConfig& classifies = c->classifies.emplace();
  classifies.mean_pooling = keys.choice("pooling", {"cls", "mean"}) == 1;
  classifies.labels = keys.names("labels", 2);
  return parse_length(object, head, c->max_positions, &classifies.max_length, &classifies.several);
}

}  // namespace

Status parse_config(std::string_view model, const HeadText& head, ModelConfig* config) {
  const json object = json::parse(model, nullptr, false);
  if (!object.is_object()) return Status::error("model: found no JSON object, expected one");
  Keys keys(object, "model");
  keys.choice("kind", {"bert"});
  ModelConfig c;
  c.vocab_size = keys.integer("vocab_size", 8, mbq::kMaxVocabulary);
  c.d_model = keys.integer("d_model", 1, mbq::kMaxWidth);
  c.n_heads = keys.integer("n_heads", 1, mbq::kMaxHeads);
  c.d_ff = keys.integer("d_ff", 1, mbq::kMaxInner);
  c.n_layers = keys.integer("n_layers", 1, mbq::kMaxLayers);
  c.max_positions = keys.integer("max_positions", 1, mbq::kMaxPositions);
  c.embedding_size = keys.integer("embedding_size", 1, mbq::kMaxWidth);
  c.share_layers = keys.boolean("share_layers");
  c.pre_norm = keys.choice("norm", {"post", "pre"}) == 1;
  c.mlm_transform = keys.boolean("mlm_transform");
  c.mlm_bias = keys.boolean("mlm_bias");
  // Older models do not have this key.
  if (keys.has("mlm_context")) c.mlm_context = keys.integer("mlm_context", 0, mbq::kMaxRank);
  c.layer_norm_eps = static_cast<float>(keys.number("layer_norm_eps", 1e-12, 1));
  keys.only("activation", "gelu_tanh");
  keys.only("causal", false);
  keys.only("embedding_norm", true);
  keys.only("mlm_tied", true);
  if (!head.key.empty()) {
    const Status status = parse_head(keys, head, &c);
    if (!status.ok()) return keys.status().ok() ? status : keys.status();
  }
  keys.only("segments", c.segments);
  if (keys.has("answer_lengths")) {
    const int32_t lengths = keys.integer("answer_lengths", 0, mbq::kMaxAnswer);
    if (c.answers) c.answers->lengths = lengths;
  }
  // Older models do not have these keys.
  if (keys.has("position"))
    c.relative_position = keys.choice("position", {"table", "relative"}) == 1;
  if (keys.has("local_layers")) c.local_layers = keys.integer("local_layers", 0, c.n_layers);
  c.local_taps = keys.taps("local_taps", 1, c.local_taps);
  c.conv = keys.taps("conv", 0, 0);
  if (keys.has("ffn")) c.geglu = keys.choice("ffn", {"gelu", "geglu"}) == 1;
  for (const LayerFlag& flag : kLayerFlags)
    if (keys.has(flag.key)) c.*flag.member = keys.boolean(flag.key);
  keys.refuse_all_but(kTrainingKeys);
  if (!keys.status().ok()) return keys.status();
  if (c.d_model % c.n_heads != 0)
    return Status::error("model.n_heads: found " + std::to_string(c.n_heads) +
                         ", expected a divisor of d_model " + std::to_string(c.d_model));
  if (c.embedding_size != c.d_model && !c.mlm_transform && c.fills_masks())
    return Status::error(
        "model.mlm_transform: found false, expected true where embedding_size is not d_model");
  *config = c;
  return {};
}

std::vector<int64_t> TensorSpec::shape() const {
  return kind == Kind::vector ? std::vector<int64_t>{rows} : std::vector<int64_t>{rows, cols};
}

std::string_view format_version(const ModelConfig& c) {
  const bool flagged = std::any_of(std::begin(kLayerFlags), std::end(kLayerFlags),
                                   [&](const LayerFlag& flag) { return c.*flag.member; });
  const bool shaped = c.relative_position || c.local_layers > 0 || c.conv > 0 || c.geglu || flagged;
  if (c.answers) return mbq::kAnswering;
  if (c.classifies && c.classifies->several) return mbq::kLabelSets;
  if (!c.fills_masks()) return mbq::kLabelling;
  if (c.mlm_context > 0) return mbq::kBonus;
  return shaped ? mbq::kShaped : mbq::kPlain;
}

std::vector<TensorSpec> expected_tensors(const ModelConfig& c) {
  using Kind = TensorSpec::Kind;
  std::vector<TensorSpec> specs;
  const auto vector = [&](const std::string& name, int32_t size) {
    specs.push_back({name, Kind::vector, size, 0});
  };
  const auto table = [&](const std::string& name, int32_t rows, int32_t cols) {
    specs.push_back({name, Kind::table, rows, cols});
  };
  const auto matrix = [&](const std::string& name, int32_t rows, int32_t cols) {
    specs.push_back({name, Kind::matrix, rows, cols});
  };
  const auto linear = [&](const std::string& name, int32_t rows, int32_t cols) {
    matrix(name + ".weight", rows, cols);
    vector(name + ".bias", rows);
  };
  const auto norm = [&](const std::string& name, int32_t size) {
    vector(name + ".weight", size);
    vector(name + ".bias", size);
  };
  const int32_t d = c.d_model, e = c.embedding_size;
  matrix(mbq::kToken, c.vocab_size, e);
  if (!c.relative_position) matrix(mbq::kPosition, c.max_positions, e);
  matrix(mbq::kSegment, c.segments, e);
  norm(mbq::kEmbeddingNorm, e);
  if (e != d) linear(mbq::kProjection, d, e);
  for (int32_t i = 0; i < c.stored_layers(); ++i) {
    const std::string layer = mbq::kLayers + std::to_string(i);
    if (i < c.local_layers) {
      linear(layer + mbq::kLocalValue, d, d);
      table(layer + mbq::kLocalConv, c.local_taps, d);
      linear(layer + mbq::kLocalOutput, d, d);
    } else {
      linear(layer + mbq::kQkv, 3 * d, d);
      if (c.conv > 0) table(layer + mbq::kAttentionConv, c.conv, 3 * d);
      if (c.relative_position) table(layer + mbq::kOffsets, c.n_heads, mbq::kOffsetBuckets);
      if (c.head_gate) {
        table(layer + mbq::kGate + ".weight", c.n_heads, d);
        vector(layer + mbq::kGate + ".bias", c.n_heads);
      }
      linear(layer + mbq::kAttentionOutput, d, d);
    }
    norm(layer + mbq::kAttentionNorm, d);
    linear(layer + mbq::kInner, c.inner_rows(), d);
    linear(layer + mbq::kOuter, d, c.d_ff);
    norm(layer + mbq::kFfnNorm, d);
  }
  if (c.pre_norm) norm(mbq::kFinalNorm, d);
  if (c.mlm_transform) {
    linear(mbq::kMlmTransform, e, d);
    norm(mbq::kMlmNorm, e);
  }
  if (c.mlm_bias) vector(mbq::kMlmBias, c.vocab_size);
  const auto small = [&](const std::string& name, int32_t rows, int32_t cols) {
    table(name + ".weight", rows, cols);
    vector(name + ".bias", rows);
  };
  if (c.mlm_context > 0)
    for (const std::string& name : {mbq::kContextQuery, mbq::kContextKey})
      small(name, c.mlm_context, e);
  const auto output = [&](const std::string& name, size_t rows) {
    small(name, static_cast<int32_t>(rows), d);
  };
  if (c.answers) {
    output(mbq::kSpan, 2);
    if (c.answers->lengths > 0) vector(mbq::kAnswerLengths, c.answers->lengths);
  }
  if (c.classifies) {
    if (!c.classifies->mean_pooling) linear(mbq::kPooler, d, d);
    output(mbq::kSequence, c.classifies->labels.size());
  }
  if (c.tags) output(mbq::kTag, c.tags->tags.size());
  return specs;
}

}  // namespace minibert::infer
