// Folders that `export` writes with modeling_minibert.py -> our weights.
#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_folder.h"
#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/safetensors.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "model/size_check.h"
#include "task/all/registry.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kOwnType[] = "minibert";
constexpr char kEncoder[] = "bert.", kMaskedLm[] = "mlm.", kPooler[] = "nsp.";

bool is_task(const std::string& name) { return std::ranges::count(task_names(), name) > 0; }

// Begin the names of fine-tuned heads: "qa.", …
std::vector<std::string> tuned_heads() {
  std::vector<std::string> out;
  for (const std::string& task : task_names())
    for (const auto& [ours, theirs] : task_kind(task).huggingface_head().dense)
      out.push_back(ours.substr(0, ours.find('.')) + ".");
  return out;
}

bool begins_with_one(const std::string& name, std::span<const std::string> beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](const std::string& one) { return name.starts_with(one); });
}

// The tensors under the record's names, which are theirs.
std::vector<NamedTensor> read_all(const std::vector<std::string>& files) {
  std::map<std::string, NamedTensor> by_name;
  for (const std::string& path : files) {
    const SafetensorsFile file(path);
    for (const auto& [name, entry] : file.tensors())
      if (!by_name.emplace(name, file.read(name)).second)
        throw Error(path + ": tensor " + name + ": found it in two files");
  }
  std::vector<NamedTensor> out;
  for (auto& [name, tensor] : by_name) out.push_back(std::move(tensor));
  return out;
}

bool has(const Checkpoint& checkpoint, const std::string& beginning) {
  return std::ranges::any_of(checkpoint.weights,
                             [&](const auto& one) { return one.name.starts_with(beginning); });
}

// Takes out the tensors that do not begin so, and tells of them.
void leave_out_all_but(std::span<const std::string> beginnings, Checkpoint* out) {
  std::vector<std::string> left;
  std::erase_if(out->weights, [&](const NamedTensor& one) {
    if (begins_with_one(one.name, beginnings)) return false;
    left.push_back(one.name);
    return true;
  });
  if (!left.empty()) out->told["heads_left_out"] = some_of(left);
}

void read_pretrained(const json& config, const std::string& path, ConfigReader& run,
                     Checkpoint* out) {
  const std::string kept[] = {kEncoder, kMaskedLm, kPooler};
  leave_out_all_but(kept, out);
  out->masked_lm =
      out->architecture == "MinibertForMaskedLM" || out->architecture == "MinibertForPreTraining";
  const bool sentence = has(*out, "nsp.output.");
  out->model.pooler = has(*out, "nsp.dense.") && !sentence;
  ConfigReader reader(config, path);
  const std::string told = reader.choice(kSentenceTaskKey, {"swap", "random_next", "none"}, "none");
  if (sentence && told == "none")
    reader.fail(kSentenceTaskKey, "found \"none\", expected the task of the sentence head");
  if (sentence)
    out->sentence_task = told == "swap" ? SentenceTask::swap : SentenceTask::random_next;
  if (!out->masked_lm) return add_untrained_head(out);
  if (run.has("objective")) out->objective = run.string("objective");
  // Another head than the run's is not what its instances were for.
  if (const json instances = run.object("instances").node();
      !instances.empty() && instances.value("sentence_task", "swap") == (sentence ? told : "none"))
    out->instances = instances;
}

}  // namespace

bool is_own_folder(const json& config) {
  return config.is_object() && config.contains("model_type") && config["model_type"] == kOwnType;
}

Checkpoint import_own_folder(const std::string& folder, const json& config) {
  const std::string path = (fs::path(folder) / kConfigFile).string();
  ConfigReader reader(config, path);
  const json model = reader.object("model").node();
  Checkpoint out;
  out.format = "huggingface";
  out.model = bert_from_json(model, path);
  const std::vector<std::string> classes = reader.strings("architectures");
  out.architecture = classes.empty() ? "MinibertForMaskedLM" : classes[0];
  const std::vector<std::string> files = weight_files_of(folder);
  out.weights = read_all(files);
  check_size(out.model, out.weights, files.front());
  ConfigReader run = reader.object(kRunKey);
  out.data = run.string("data", "");
  const std::string task = run.string("task", "");
  std::vector<std::string> kept = tuned_heads();
  const bool tuned =
      std::ranges::any_of(kept, [&](const std::string& head) { return has(out, head); });
  const FolderTokenizer tokenizer = read_huggingface_tokenizer(folder);
  for (size_t i = 0; i < tokenizer.rows.size(); ++i)
    if (tokenizer.rows[i] != static_cast<int64_t>(i))
      throw Error(tokenizer.file + ": found piece " + std::to_string(i) + " in row " +
                  std::to_string(tokenizer.rows[i]) +
                  " of the tables, expected the pieces in the "
                  "order of minibert's export");
  check_tokenizer(tokenizer.bytes, tokenizer.file, out.model.vocab_size,
                  path + " has in model.vocab_size");
  out.tokenizer = tokenizer.bytes;
  const bool pretrained = is_task(task) && task_kind(task).huggingface_head().dense.empty();
  if (tuned && !pretrained && !task.empty()) {
    kept.emplace_back(kEncoder);
    leave_out_all_but(kept, &out);
    out.fine_tuned = FineTuned{task, model, run.object("features").node()};
  } else {
    read_pretrained(config, path, run, &out);
  }
  set_files(path, files, tokenizer.files, &out);
  return out;
}

}  // namespace minibert
