#include "task/all/export_run.h"

#include "core/error.h"
#include "core/file_kind.h"
#include "core/files.h"
#include "core/sha256.h"
#include "model/config.h"
#include "task/all/registry.h"

namespace minibert {

namespace {

// The figures of the task that a summary has, as a card shows them.
nlohmann::json card_of(const TaskKind& task, const std::map<std::string, double>& summary) {
  nlohmann::json card = nlohmann::json::array();
  for (const Measure& measure : task.measures())
    if (measure.on_card && summary.contains(std::string(measure.name)))
      card.push_back({{"name", measure.name},
                      {"heading", measure.heading},
                      {"split", to_string(task.reported())},
                      {"decimals", measure.decimals}});
  return card;
}

}  // namespace

std::string export_record(const std::string& path, MbqWeights type) {
  const RunRecord record = load_record(path);
  const auto fail = [&](const std::string& what) { return Error(path + ": " + what); };
  const nlohmann::json model = record.config.value("model", nlohmann::json());
  if (!model.is_object()) throw fail("config has no \"model\"");
  const std::string kind = model.value("kind", "");
  if (kind != BertConfig::kKind) throw fail("found a \"" + kind + "\" model, expected a \"bert\"");
  if (record.weights.empty()) throw fail("the record has no weights");
  if (record.tokenizer_model.empty()) throw fail("the record has no tokenizer");
  try {
    const TaskKind& task = task_kind(record.config.value("task", ""));
    const MbqHead head = task.mbq_head(record);
    const MbqSource source{model,
                           record.tokenizer_model,
                           record.experiment + "/" + record.profile + "/" + record.arm + "-s" +
                               std::to_string(record.seed),
                           sha256_file(path),
                           record.summary,
                           head,
                           card_of(task, record.summary)};
    std::string bytes = make_mbq(source, record.weights, type);
    // What the reader would refuse (a damaged tokenizer, more pieces than embeddings) is not handed
    // out.
    const infer::Status status = head.load(AlignedBytes(bytes).span());
    if (!status.ok()) throw Error("gives a model file that cannot be loaded: " + status.message());
    return bytes;
  } catch (const Error& error) {
    throw fail(error.what());
  }
}

bool is_model_file(const std::string& path) {
  return path.ends_with(".mbq") || (is_safetensors(path) && !is_hdf5(path));
}

std::string load_or_export(const std::string& path) {
  return is_model_file(path) ? read_file(path) : export_record(path, MbqWeights::float32);
}

}  // namespace minibert
