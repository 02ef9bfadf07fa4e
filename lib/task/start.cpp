#include "task/start.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "model/grow.h"
#include "model/marked_keys.h"
#include "model/size_check.h"
#include "task/weights.h"

namespace minibert {
namespace {

const nlohmann::json& stored_model(const RunRecord& record, const std::string& file) {
  if (!record.config.contains("model") || !record.config.at("model").is_object())
    throw Error(file + ": /config: has no \"model\", expected a run of this program");
  return record.config.at("model");
}

// A table of more segments than it was saved with: the new ones begin as the last.
void add_segments(const Model& model, std::vector<NamedTensor>* weights) {
  for (const auto& item : model.named_parameters()) {
    if (!item.key().ends_with("segment.weight")) continue;
    for (NamedTensor& one : *weights) {
      if (one.name != item.key() || one.shape.size() != 2 || one.shape[0] == 0) continue;
      const auto last = static_cast<ptrdiff_t>((one.shape[0] - 1) * one.shape[1]);
      const std::vector<float> row(one.values.begin() + last, one.values.end());
      for (; one.shape[0] < item.value().size(0); ++one.shape[0])
        one.values.insert(one.values.end(), row.begin(), row.end());
    }
  }
}

// The record's weights for an encoder that is larger than its own.
std::vector<NamedTensor> grown(const RunRecord& record, const nlohmann::json& larger, uint64_t seed,
                               const std::string& file) {
  const ModelConfig from = model_config_from_json(stored_model(record, file), file);
  ConfigReader reader(larger, file, "model");
  const ModelConfig to = read_model_config(reader, from.vocab_size());
  const auto *from_bert = from.get_if<BertConfig>(), *to_bert = to.get_if<BertConfig>();
  if (from_bert == nullptr || to_bert == nullptr)
    throw usage_error(file + ": model.kind: found " + from.kind() + ", expected bert to grow from");
  NamedParameters weights;
  for (auto& [name, tensor] : from_record(record.weights)) weights.emplace(name, tensor);
  const NamedParameters out = grow(weights, *from_bert, *to_bert, seed);
  return to_record({out.begin(), out.end()});
}

// Keys of a head that judges texts: its input and its outputs' unit.
constexpr const char* kHeadKeys[] = {"pooling", "output_mean", "output_deviation"};

// Returns the keys that determine a stored model's outputs beside its weights.
nlohmann::json deciding_keys(const nlohmann::json& model, const std::string& file) {
  nlohmann::json keys = to_json(model_config_from_json(model, file));
  keys.erase("kind");  // an LSTM has two names
  for (const MarkedKey& one : marked_keys(BertConfig()))
    if (one.mark.of == KeyOf::training) keys.erase(one.key);
  if (model.contains("labels")) keys["labels"] = model.at("labels");  // what each output stands for
  if (!model.contains("pooling")) return keys;
  for (const char* key : kHeadKeys) {
    keys[key] = nullptr;
    if (model.contains(key)) keys[key] = model.at(key);
  }
  return keys;
}

// Throws a usage Error where `other`, mean's record, is of another model than `own`, init_from's: equal weights would
// be two functions, so that a mean of weights is no mean of models.
void check_same_model(const RunRecord& own, const std::string& own_file, const RunRecord& other,
                      const std::string& file) {
  if (other.tokenizer_model != own.tokenizer_model)
    throw usage_error("mean.run: " + file +
                      " was trained with another tokenizer, expected init_from's");
  const nlohmann::json expected = deciding_keys(stored_model(own, own_file), own_file),
                       found = deciding_keys(stored_model(other, file), file);
  for (const auto& [key, value] : expected.items())
    if (found.contains(key) && found.at(key) != value)
      throw usage_error("mean.run: " + file + ": model." + key + ": found " +
                        excerpt(found.at(key).dump()) + ", expected init_from's " +
                        excerpt(value.dump()));
}

// Each weight as `share` of the other record's and the rest of its own (Wortsman et al. 2022).
void average(RunRecord* record, const RunRecord& other, double share, const std::string& file) {
  std::map<std::string, const NamedTensor*> others;
  for (const NamedTensor& one : other.weights) others[one.name] = &one;
  for (NamedTensor& one : record->weights) {
    const auto found = others.find(one.name);
    if (found == others.end() || found->second->shape != one.shape)
      throw usage_error("mean.run: " + file + ": has no " + one.name +
                        " of this shape, expected a model of init_from's shape");
    for (size_t i = 0; i < one.values.size(); ++i)
      one.values[i] = static_cast<float>(share * double{found->second->values[i]} +
                                         (1 - share) * double{one.values[i]});
  }
}

}  // namespace

std::string named_record(std::string path, int64_t seed) {
  constexpr std::string_view kPlace = "{seed}";
  for (size_t at = path.find(kPlace); at != std::string::npos; at = path.find(kPlace, at))
    path.replace(at, kPlace.size(), std::to_string(seed));
  return shipped_path(path);
}

Start::Start(const ArmRequest& request, const Tokenizer& tokenizer)
    : stored_(request.stored),
      grow_(request.config.grow),
      seed_(static_cast<uint64_t>(request.seed)) {
  const ArmConfig& arm = request.config;
  file_ = "arm " + arm.name;
  model_ = arm.model;
  if (stored_) {
    file_ = request.stored_file;
    model_ = stored_model(*stored_, file_);
  } else if (!arm.init_from.empty()) {
    file_ = named_record(arm.init_from, request.seed);
    record_ = load_record(file_);
    expect_weights(*record_, file_);
    model_ = to_json(model_config_from_json(stored_model(*record_, file_), file_));
    if (record_->tokenizer_model != tokenizer.bytes())
      throw usage_error("arm " + arm.name + ": init_from: " + file_ +
                        " was trained with another tokenizer, expected the experiment's (set "
                        "tokenizer.run to this record)");
    if (!arm.mean.run.empty()) {
      const std::string file = named_record(arm.mean.run, request.seed);
      const RunRecord other = load_record(file);
      expect_weights(other, file);
      check_same_model(*record_, file_, other, file);
      average(&*record_, other, arm.mean.share, file);
    }
    if (!arm.model.is_null()) model_.merge_patch(arm.model);
  }
  model_.erase("vocab_size");
  if (tokenizer.is_wordpiece() && model_.is_object() && model_.value("kind", "") == "bag")
    throw usage_error(file_ +
                      ": model.kind: found bag with a WordPiece vocabulary, expected lstm or "
                      "bert (a bag leaves out [CLS] and [SEP] by SentencePiece's ids)");
  if (tokenizer.is_wordpiece() && model_.is_object() && model_.value("mlm_context", 0) > 0)
    throw usage_error(file_ + ": model.mlm_context: found " + model_["mlm_context"].dump() +
                      " with a WordPiece vocabulary, expected 0 (the bonus leaves out [CLS], [SEP] "
                      "and [MASK] by SentencePiece's ids)");
}

ConfigReader Start::model_reader() const { return {model_, file_, "model"}; }

void Start::leave_out(std::string_view prefix) {
  if (record_)
    std::erase_if(record_->weights,
                  [&](const NamedTensor& one) { return one.name.starts_with(prefix); });
}

std::string Start::match_rows(const Model& model, const std::string& layer,
                              const std::vector<std::string>& labels) {
  if (!record_) return "";
  NamedTensor* weight = nullptr;
  NamedTensor* bias = nullptr;
  for (NamedTensor& one : record_->weights) {
    if (one.name == layer + ".weight") weight = &one;
    if (one.name == layer + ".bias") bias = &one;
  }
  if (weight == nullptr && bias == nullptr) return "";  // another head
  const std::vector<std::string> stored =
      ConfigReader(stored_model(*record_, file_), file_, "/config: model").strings("labels");
  const auto parameters = model.named_parameters();
  const torch::Tensor *own_weight = parameters.find(layer + ".weight"),
                      *own_bias = parameters.find(layer + ".bias");
  const auto rows = static_cast<int64_t>(stored.size());
  // A run of numbers lists them, too, and has one output.
  const bool named = weight != nullptr && weight->shape.size() == 2 && weight->shape[0] == rows;
  if (named && stored == labels) return "";
  const bool fits = named && bias != nullptr && own_weight != nullptr && own_bias != nullptr &&
                    weight->shape[1] == own_weight->size(1) &&
                    bias->shape == std::vector<int64_t>{rows};
  std::vector<std::string> taken, fresh, left;
  for (const std::string& label : labels)
    (fits && std::ranges::count(stored, label) > 0 ? taken : fresh).push_back(label);
  for (const std::string& label : stored)
    if (std::ranges::count(labels, label) == 0) left.push_back(label);
  if (taken.empty()) {
    leave_out(layer + ".");
    return file_ + ": the output layer is not loaded: " +
           (!named ? "it has no labels, expected the arm's "
                   : "its labels " + excerpt(joined(stored)) + " are none of the arm's, ") +
           excerpt(joined(labels));
  }
  std::vector<NamedTensor> own = to_record({{weight->name, *own_weight}, {bias->name, *own_bias}});
  const auto width = static_cast<ptrdiff_t>(own_weight->size(1));
  for (size_t row = 0; row < labels.size(); ++row) {
    const auto found = std::ranges::find(stored, labels[row]) - stored.begin();
    if (found == rows) continue;
    std::copy_n(weight->values.begin() + found * width, width,
                own[0].values.begin() + static_cast<ptrdiff_t>(row) * width);
    own[1].values[row] = bias->values[static_cast<size_t>(found)];
  }
  *weight = std::move(own[0]);
  *bias = std::move(own[1]);
  if (fresh.empty() && left.empty()) return "";  // in another order
  std::string line = file_ + ": the output layer's rows of " + excerpt(joined(taken)) +
                     " are loaded by their labels";
  if (!fresh.empty()) line += "; new: " + excerpt(joined(fresh));
  if (!left.empty()) line += "; left out: " + excerpt(joined(left));
  return line;
}

void Start::load(Model& model,
                 const std::vector<std::pair<std::string, std::string>>& renamed) const {
  if (stored_) return load_weights(model, stored_->weights, file_);
  if (!record_) return;
  std::set<std::string> needed;
  for (const auto& item : model.encoder().named_parameters())
    needed.insert(model.encoder().prefix() + item.key());
  std::vector<NamedTensor> weights =
      grow_ ? grown(*record_, model_, seed_, file_) : record_->weights;
  for (const auto& [from, to] : renamed)
    if (std::ranges::none_of(weights, [&](const auto& one) { return one.name.starts_with(to); }))
      for (NamedTensor& one : weights)
        if (one.name.starts_with(from)) one.name = to + one.name.substr(from.size());
  add_segments(model, &weights);
  load_some_weights(
      model, weights, [&](const std::string& name) { return needed.contains(name); }, file_);
}

void check_length(int max_length, const ModelConfig& encoder, const ConfigReader& model) {
  if (max_length > encoder.max_positions())
    model.fail("max_positions", "found " + std::to_string(encoder.max_positions()) +
                                    ", expected at least features.max_length " +
                                    std::to_string(max_length));
}

nlohmann::json stored_features(const RunRecord& record) {
  const nlohmann::json none = nlohmann::json::object();
  const nlohmann::json arms = record.config.value("arms", nlohmann::json::array());
  const nlohmann::json arm = arms.empty() ? none : arms[0];
  return arm.value("features", record.config.value("features", none));
}

StoredHead stored_head(const RunRecord& record, const std::string& file, std::string_view task) {
  const std::string found = record.config.value("task", "");
  if (found != task)
    throw usage_error(file + ": /config: task: found \"" + found + "\", expected " +
                      std::string(task));
  expect_weights(record, file);
  StoredHead out{stored_model(record, file), nlohmann::json::object(), 0, file};
  ConfigReader reader = out.reader();
  out.vocab_size = reader.integer("vocab_size", kSmallestVocabulary, 65535);
  check_size(model_config_from_json(out.model, file), record.weights, file);
  out.model.erase("vocab_size");
  out.features = stored_features(record);
  return out;
}

}  // namespace minibert
