// Records -> folders of transformers: its own BERT if that suits, else with our modelling file.
#include <algorithm>
#include <filesystem>
#include <map>

#include "checkpoint/huggingface.h"
#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_names.h"
#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/modeling_minibert.h"
#include "checkpoint/safetensors.h"
#include "core/error.h"
#include "core/files.h"
#include "model/marked_keys.h"
#include "task/all/registry.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/start.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr char kModelingFile[] = "modeling_minibert.py";

struct ExportedModel {
  json model;  // of the record
  BertConfig config;
  HuggingfaceHead head;
  std::vector<std::string> labels;
  bool several = false;  // labels a text
  int64_t outputs = 0;   // of a head that judges
  bool masked_lm = false, mean = false;
  SentenceTask sentence_task = SentenceTask::none;
};

bool is_pretrained(const ExportedModel& model) { return model.head.dense.empty(); }

using WeightsByName = std::map<std::string, const NamedTensor*>;

int64_t rows_of(const WeightsByName& weights, const std::string& name, const std::string& file) {
  const auto found = weights.find(name);
  if (found == weights.end())
    throw Error(file + ": /weights/" + name + ": is missing, expected by the model");
  const std::vector<int64_t>& shape = found->second->shape;
  return shape.empty() ? 0 : shape[0];
}

ExportedModel exported_model(const RunRecord& record, const WeightsByName& weights,
                             const std::string& file) {
  ExportedModel out;
  out.model = record.config.value("model", json());
  const std::string kind = out.model.is_object() ? out.model.value("kind", "") : "";
  if (kind != BertConfig::kKind)
    throw usage_error(file + ": model.kind: found \"" + kind + "\", expected \"bert\"");
  expect_weights(record, file);
  out.config = bert_from_json(out.model, file);
  // Early records leave out keys that came later.
  json whole = to_json(out.config);
  whole.update(out.model);
  out.model = std::move(whole);
  out.mean = out.model.value("pooling", "cls") == "mean";
  out.labels = out.model.value("labels", std::vector<std::string>());
  const std::string task = record.config.value("task", "");
  const std::vector<std::string> known = task_names();
  if (std::ranges::find(known, task) != known.end()) {
    out.several = task_kind(task).several_labels();
    out.head = task_kind(task).huggingface_head();
  }
  if (out.head.labels)
    out.outputs = rows_of(weights, out.head.dense.back().first + ".weight", file);
  if (is_pretrained(out)) {
    const StoredPretraining stored = stored_pretraining(record, file);
    out.masked_lm = stored.masked_lm;
    out.sentence_task = stored.sentence_task;
    out.head.architecture = !out.masked_lm                               ? "Model"
                            : stored.sentence_task != SentenceTask::none ? "ForPreTraining"
                                                                         : "ForMaskedLM";
  }
  return out;
}

// Returns true if transformers' own BERT has this model and head.
bool is_standard(const ExportedModel& model) {
  return !model.mean && is_huggingface_bert(model.config, is_pretrained(model) && model.masked_lm);
}

void add_labels(const ExportedModel& model, ordered_json* config) {
  if (model.outputs == 0) return;
  ordered_json names = ordered_json::object(), ids = ordered_json::object();
  for (int64_t i = 0; i < model.outputs; ++i) {
    const auto at = static_cast<size_t>(i);
    const std::string name =
        at < model.labels.size() ? model.labels[at] : "LABEL_" + std::to_string(i);
    names[std::to_string(i)] = name;
    ids[name] = i;
  }
  (*config)["id2label"] = names;
  (*config)["label2id"] = ids;
  if (model.head.architecture == "ForSequenceClassification")
    (*config)["problem_type"] = model.several        ? "multi_label_classification"
                                : model.outputs == 1 ? "regression"
                                                     : "single_label_classification";
}

std::string sentence_task_name(SentenceTask task) {
  InstanceSettings instances;
  instances.sentence_task = task;
  return to_json(instances).at("sentence_task");
}

// One of ours as the tensors of theirs; a bias that the model lacks is 0.
void append_theirs(const TensorNames& names, const WeightsByName& weights, const std::string& file,
                   std::vector<NamedTensor>* out) {
  NamedTensor whole{names.ours, names.shape, {}};
  const auto found = weights.find(names.ours);
  if (found != weights.end())
    whole = *found->second;
  else if (names.ours == "mlm.bias" || names.ours == "nsp.output.bias")
    whole.values.resize(static_cast<size_t>(names.shape[0]));
  else
    throw Error(file + ": /weights/" + names.ours + ": is missing, expected by the model");
  if (whole.shape != names.shape)
    throw Error(file + ": /weights/" + names.ours + ": found shape " + shape_text(whole.shape) +
                ", expected " + shape_text(names.shape));
  if (names.swapped) swap_halves(&whole);
  const size_t size = whole.values.size() / names.theirs.size();
  for (size_t i = 0; i < names.theirs.size(); ++i) {
    const auto first = whole.values.begin() + static_cast<ptrdiff_t>(i * size);
    out->push_back({names.theirs[i], names.their_shape({}),
                    std::vector<float>(first, first + static_cast<ptrdiff_t>(size))});
  }
}

// As transformers' BERT names them.
std::vector<NamedTensor> standard_weights(const ExportedModel& model, const WeightsByName& weights,
                                          const std::string& file) {
  const bool sentence = model.sentence_task != SentenceTask::none;
  const HuggingfaceHeads heads{is_pretrained(model) && model.masked_lm,
                               is_pretrained(model) && (sentence || model.config.pooler), sentence};
  HuggingfaceTables tables;
  tables.segments = model.config.segments;
  std::vector<NamedTensor> out;
  for (const TensorNames& names : huggingface_names(model.config, heads, tables))
    append_theirs(names, weights, file, &out);
  for (const auto& [ours, theirs] : model.head.dense)
    for (const char* part : {".weight", ".bias"}) {
      const auto found = weights.find(ours + part);
      if (found == weights.end())
        throw Error(file + ": /weights/" + ours + part + ": is missing, expected by the model");
      out.push_back(*found->second);
      out.back().name = theirs + part;
    }
  // transformers stores the output bias under both names.
  const auto bias = std::ranges::find(out, kHuggingfaceBert.bias, &NamedTensor::name);
  if (bias != out.end()) {
    NamedTensor copy = *bias;
    copy.name = kHuggingfaceBert.bias_copy;
    out.push_back(std::move(copy));
  }
  return out;
}

ordered_json standard_config(const ExportedModel& model) {
  ordered_json out = huggingface_config(model.config, "Bert" + model.head.architecture);
  if (is_pretrained(model))
    out[kSentenceTaskKey] = sentence_task_name(model.sentence_task);
  else if (model.outputs > 0)
    out["classifier_dropout"] = model.model.value("head_dropout", 0.0);
  add_labels(model, &out);
  return out;
}

ordered_json own_config(const ExportedModel& model, bool has_pooler) {
  const auto at = [](const std::string& name) { return "modeling_minibert.Minibert" + name; };
  ordered_json classes = {{"AutoConfig", at("Config")}, {"AutoModel", at("Model")}};
  if (is_pretrained(model)) {
    if (model.masked_lm) classes["AutoModelForMaskedLM"] = at("ForMaskedLM");
    if (model.head.architecture == "ForPreTraining")
      classes["AutoModelForPreTraining"] = at("ForPreTraining");
  } else {
    classes["AutoModel" + model.head.architecture] = at(model.head.architecture);
    if (model.outputs == 1) classes["AutoModelForMultipleChoice"] = at("ForMultipleChoice");
  }
  ordered_json out = {{"architectures", {"Minibert" + model.head.architecture}},
                      {"model_type", "minibert"},
                      {"auto_map", classes},
                      {"model", model.model},
                      {"has_pooler", has_pooler},
                      {kSentenceTaskKey, sentence_task_name(model.sentence_task)},
                      {"pad_token_id", 0},
                      {"torch_dtype", "float32"}};
  add_labels(model, &out);
  return out;
}

// Refuses a key that modeling_minibert.py does not know. "has_pooler" tells it of the pooler.
void check_modeling_file(const BertConfig& config) {
  const std::string_view program = kModelingMinibert;
  refuse_unknown_keys(
      marked_keys(config),
      [&](const std::string& key) {
        return key == "pooler" || program.find("c[\"" + key + "\"]") != program.npos;
      },
      kModelingFile);
}

// Under the record's names.
std::vector<NamedTensor> own_weights(const ExportedModel& model, const RunRecord& record) {
  std::vector<NamedTensor> out;
  for (const NamedTensor& one : record.weights) {
    const bool untrained = is_pretrained(model) && !model.masked_lm && one.name.starts_with("mlm.");
    if (!untrained) out.push_back(one);
  }
  return out;
}

}  // namespace

void export_huggingface(const RunRecord& record, const std::string& file,
                        const std::string& folder) {
  if (fs::exists(folder) && (!fs::is_directory(folder) || !fs::is_empty(folder)))
    throw usage_error(folder + ": found something there, expected a new or an empty folder");
  WeightsByName weights;
  for (const NamedTensor& tensor : record.weights) weights[tensor.name] = &tensor;
  const ExportedModel model = exported_model(record, weights, file);
  const bool standard = is_standard(model);
  if (!standard) check_modeling_file(model.config);
  const auto tensors =
      standard ? standard_weights(model, weights, file) : own_weights(model, record);
  const ordered_json config =
      standard ? standard_config(model) : own_config(model, weights.contains("nsp.dense.weight"));
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, file);
  const auto files = huggingface_tokenizer_files(tokenizer, model.config.max_positions, file);
  const fs::path base(folder);
  std::error_code error;
  fs::create_directories(base, error);
  if (error) throw Error(folder + ": cannot be created: " + error.message());
  for (const auto& [name, bytes] : files) write_file_atomically((base / name).string(), bytes);
  if (!standard) write_file_atomically((base / kModelingFile).string(), kModelingMinibert);
  write_file_atomically((base / kConfigFile).string(), config.dump(2) + "\n");
  write_safetensors((base / kWeightsFile).string(), tensors);
}

}  // namespace minibert
