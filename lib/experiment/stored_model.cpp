#include "experiment/stored_model.h"

#include <algorithm>
#include <unordered_set>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "data/files/held_out.h"
#include "data/registry.h"
#include "task/all/registry.h"

namespace minibert {
namespace {

// Text files as the data that a run on text reads, in the split that is measured.
DataSource texts_of(const std::vector<std::string>& texts, Split split) {
  DataSource source;
  (split == Split::train ? source.train : split == Split::dev ? source.dev : source.test) = texts;
  return source;
}

// Fills in columns and labels of a labelled file from the run's own data if `given` has none.
// Readers refuse a file that lacks one of the columns.
FileSource measured_on(const FileSource& given, const ExperimentConfig& experiment,
                       const Registry& registry) {
  nlohmann::json keys = nlohmann::json::object(), said = to_json(given);
  if (experiment.data.labelled) keys = to_json(*experiment.data.labelled);
  for (nlohmann::json* json : {&keys, &said})
    for (const char* files : {"train", "dev", "test", "held_out"}) json->erase(files);
  // Another column may hold its labels otherwise.
  if (said.contains("label")) keys.erase("label_separator");
  keys.update(said);
  keys["train"] = given.test;
  ConfigReader reader(keys, "--data");
  FileSource out = read_file_source(reader);
  std::swap(out.train, out.test);
  // The registry's names of labels. An imported run may name a user's files.
  if (out.table.labels.empty() && !experiment.data.ids.empty() &&
      std::ranges::count(registry.ids(), experiment.data.ids.front()) > 0)
    if (const auto& table = registry.at(experiment.data.ids.front()).table)
      out.table.labels = table->labels;
  return out;
}

// Says which of the run's own files hold something else than when it was trained, so that other texts may be held out.
void tell_changed(const RunRecord& record, const ResolvedData& measured, const Say& say) {
  const nlohmann::json files = record.data.value("files", nlohmann::json::array());
  if (files.size() != measured.files.size()) return;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string stored = files[i].value("sha256", ""), found = measured.files[i].sha256;
    if (!stored.empty() && !found.empty() && stored != found)
      say(measured.files[i].path + ": has changed since the run was trained (SHA-256 " +
          found.substr(0, 8) + "…, then " + stored.substr(0, 8) +
          "…): the figures measure the new texts, and the run may have learnt from some of them");
  }
}

// Returns true, and reports it, if the run was trained on this very file (it may hold its other
// splits, too).
bool is_trained_on(const RunRecord& record, const ResolvedData& measured, const Say& say) {
  const nlohmann::json files = record.data.value("files", nlohmann::json::array());
  for (const FileState& state : measured.files)
    for (const nlohmann::json& file : files)
      if (file.value("sha256", "") == state.sha256 && file.value("split", "") == "train") {
        say(state.path +
            ": the run was trained on this file, so its figures say little about other texts; "
            "`minibert inspect` shows the figures on its test split");
        return true;
      }
  return false;
}

// Reports how many of the evaluated texts are among the run's training texts.
void report_training_texts(const std::vector<std::string>& texts, const std::string& path,
                           const std::vector<std::string>& trained, const Say& say) {
  const std::unordered_set<std::string> learnt(trained.begin(), trained.end());
  const auto count =
      std::ranges::count_if(texts, [&](const std::string& one) { return learnt.contains(one); });
  if (count > 0)
    say(path + ": " + std::to_string(count) + " of its " + std::to_string(texts.size()) +
        " texts were in the run's training data: figures say little about other texts");
}

Split split_named(const std::string& name, const TaskKind& kind) {
  if (name.empty()) return kind.reported();
  for (const Split split : {Split::train, Split::dev, Split::test})
    if (name == to_string(split)) return split;
  throw usage_error("--split: found \"" + name + "\", expected train, dev or test");
}

void expect_run_on_text(const TaskKind& kind, const std::string& option, const std::string& run) {
  if (!kind.reads_text())
    throw usage_error(option + ": " + run + " is a " + std::string(kind.name()) +
                      " run, expected a pretraining run; other runs take --data");
}

}  // namespace

ExperimentConfig stored_experiment(const RunRecord& record, const std::string& file) {
  nlohmann::json config = record.config;
  if (!config.contains("data_id")) throw Error(file + ": /config: data_id: is missing");
  if (config.at("data").is_array()) config["data"] = nlohmann::json::array({config.at("data_id")});
  for (const char* made : {"model", "data_id", "precision"}) config.erase(made);
  return experiment_from_json(config, file, record.profile);
}

StoredModel::StoredModel(const std::string& run, const EvaluationSource& source,
                         const Compute& compute)
    : record_(load_record(run)) {
  expect_weights(record_, run);
  ConfigReader config(record_.config, run, "/config");
  const TaskKind& kind = task_kind(config.choice("task", task_names()));
  split_ = split_named(source.split, kind);
  if (!source.texts.empty()) expect_run_on_text(kind, "--text", run);
  experiment_ = stored_experiment(record_, run);
  DataSource from = source.texts.empty() ? experiment_.data : texts_of(source.texts, split_);
  if (!source.data.empty()) from = {.ids = {source.data}};
  const Registry registry = Registry::load();
  if (source.labelled) {
    if (kind.reads_text())
      throw usage_error("--data: found a labelled file, but " + run +
                        " is a run on plain text, expected --text FILE");
    from = {};
    from.labelled = measured_on(*source.labelled, experiment_, registry);
    split_ = Split::test;
  }
  const ResolvedData data = resolve(from, registry, data_directory(source.data_dir));
  tokenizer_ = std::make_unique<Tokenizer>(Tokenizer::from_bytes(record_.tokenizer_model, run));
  const auto load = [&](const ResolvedData& resolved, const Say& say) {
    return kind.load({.data = resolved,
                      .tokenizer = *tokenizer_,
                      .settings = *experiment_.settings,
                      .limit = source.limit,
                      .threads = compute.threads,
                      .cache = source.cache,
                      .say = say,
                      .find = [data_dir = source.data_dir](const std::string& id) {
                        return choose(Registry::load(), {id}, data_directory(data_dir));
                      }});
  };
  data_ = load(data, source.say);
  if (!source.labelled && source.data.empty() && source.texts.empty())
    tell_changed(record_, data, source.say);
  if (source.labelled && !is_trained_on(record_, data, source.say) && experiment_.data.labelled)
    try {
      const auto files = resolve(experiment_.data, registry, data_directory(source.data_dir));
      report_training_texts(data_->asked(split_), source.labelled->test.front(),
                            load(files, [](const std::string&) {})->asked(Split::train),
                            source.say);
    } catch (const Error&) {
      // The run's own files are no longer there.
    }
  arm_ = kind.make_arm({.config = experiment_.arms.at(0),
                        .seed = record_.seed,
                        .compute = compute,
                        .stored = &record_,
                        .stored_file = run},
                       *data_);
}

}  // namespace minibert
