#include "checkpoint/imported_record.h"

#include <algorithm>
#include <filesystem>

#include "core/sha256.h"
#include "experiment/config.h"
#include "record/layout.h"
#include "task/pretrain/stored_pretraining.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr char kImported[] = "imported";  // experiment and profile
constexpr int64_t kSeed = 1;              // records have one; nothing was drawn

// Returns a pretraining experiment's keys beside model and tokenizer.
json pretraining_keys(const Checkpoint& checkpoint) {
  InstanceSettings instances;
  instances.sentence_task = checkpoint.sentence_task;
  instances.sequence_length = static_cast<int>(
      std::min<int64_t>(instances.sequence_length, checkpoint.model.max_positions));
  return {{"task", "pretrain"}, {"instances", to_json(instances)}};
}

// The experiment that the record says it ran: one epoch of nothing, but a model, a tokenizer and
// instances with which it can be measured and gone on from.
json experiment_of(const Checkpoint& checkpoint, const ImportSettings& settings) {
  const json whole = to_json(checkpoint.model);
  json model = whole;
  model.erase("vocab_size");
  const json arm = {{"name", settings.name}, {"model", model}};
  json given = {
      {"name", kImported},
      {"title", "Imported from " + checkpoint.architecture + " (" + checkpoint.format + ")"},
      {"data", {settings.data}},
      {"tokenizer", {{"run", settings.path}}},
      {"seeds", {kSeed}},
      {"arms", {arm}}};
  given.update(pretraining_keys(checkpoint));
  const ExperimentConfig experiment = experiment_from_json(given, settings.path, kImported);
  json out = to_json(experiment, experiment.arms.at(0), kSeed);
  out["model"] = whole;
  out["data_id"] = settings.data;
  out["precision"] = "fp32";
  return out;
}

json data_of(const Checkpoint& checkpoint, const ImportSettings& settings) {
  json files = json::array();
  for (const std::string& file : checkpoint.files)
    files.push_back({{"name", std::filesystem::path(file).filename()},
                     {"bytes", std::filesystem::file_size(file)},
                     {"sha256", sha256_file(file)}});
  json out = {{"id", settings.data},
              {kImported,
               {{"format", checkpoint.format},
                {"architecture", checkpoint.architecture},
                {"files", files}}},
              {"tokenizer_sha256", sha256_hex(checkpoint.tokenizer)}};
  if (!checkpoint.masked_lm) out[layout::kEncoderOnly] = true;
  return out;
}

}  // namespace

RunRecord imported_record(const Checkpoint& checkpoint, const ImportSettings& settings) {
  RunRecord record;
  record.status = "finished";
  record.experiment = record.profile = kImported;
  record.arm = settings.name;
  record.seed = kSeed;
  record.started = record.finished = utc_now();
  record.config = experiment_of(checkpoint, settings);
  record.environment = settings.environment;
  record.data = data_of(checkpoint, settings);
  record.tokenizer_model = checkpoint.tokenizer;
  record.weights = checkpoint.weights;
  record.selected_by = "none";
  double parameters = 0;
  for (const NamedTensor& tensor : record.weights)
    parameters += static_cast<double>(tensor.values.size());
  record.summary["parameters"] = parameters;
  // Throws where the weights are not the model's.
  load_pretrained(record,
                  checkpoint.weights_file.empty() ? settings.path : checkpoint.weights_file);
  return record;
}

}  // namespace minibert
