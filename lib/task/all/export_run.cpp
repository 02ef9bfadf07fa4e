#include "task/all/export_run.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/file_kind.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/text.h"
#include "infer/format/mbq_series.h"
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
  return export_record(load_record(path), path, type);
}

std::string export_record(const RunRecord& record, const std::string& path, MbqWeights type) {
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
    // A file that the engine refuses (damaged tokenizer, more pieces than embeddings) never leaves.
    const infer::Status status = head.load(AlignedBytes(bytes).span());
    if (!status.ok()) throw Error("gives a model file that cannot be loaded: " + status.message());
    return bytes;
  } catch (const Error& error) {
    throw fail(error.what());
  }
}

RunRecord load_portable_record(const std::string& path) {
  RunRecord record = load_record(path);
  const std::string task = record.config.value("task", "");
  const std::vector<std::string> known = task_names();
  if (std::ranges::find(known, task) != known.end()) task_kind(task).fold_output_units(&record);
  return record;
}

namespace {

constexpr std::string_view kSeriesName = ".mbqs";

// "a.mbqs@50" in its two parts; none where the path is no series.
std::optional<std::pair<std::string, std::string>> split_series(const std::string& path) {
  const size_t name = path.rfind(kSeriesName);
  if (name == std::string::npos) return std::nullopt;
  const size_t end = name + kSeriesName.size();
  if (end == path.size()) return std::pair(path, std::string());
  if (path[end] != '@') return std::nullopt;
  return std::pair(path.substr(0, end), path.substr(end + 1));
}

std::string model_of_series(const std::string& path, const std::string& wanted) {
  const std::string bytes = read_file(path);
  std::vector<infer::SeriesPart> parts;
  const infer::Status status =
      infer::read_series({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &parts);
  if (!status.ok()) throw Error(path + ": " + status.message());
  if (wanted.empty()) return parts.back().file;
  std::vector<std::string> shares;
  for (infer::SeriesPart& part : parts) {
    shares.push_back(std::to_string(part.share));
    if (shares.back() == wanted) return std::move(part.file);
  }
  throw usage_error(path + ": found @" + wanted + ", expected one of " + joined(shares));
}

}  // namespace

std::string kept_model(const std::string& record, int64_t share) {
  std::string number = std::to_string(share);
  number.insert(0, 4 - std::min<size_t>(4, number.size()), '0');
  return std::filesystem::path(record).replace_extension(".at") / (number + ".mbq");
}

std::string kept_series(const std::string& record) {
  std::vector<infer::SeriesPart> parts;
  for (uint32_t share = 0; share <= infer::kWholeTraining; ++share)
    if (const std::string path = kept_model(record, share); std::filesystem::exists(path))
      parts.push_back({share, read_file(path)});
  if (parts.empty())
    throw Error(std::filesystem::path(record).replace_extension(".at").string() +
                ": no models there, expected those of `minibert run --keep-at`");
  if (parts.size() > infer::kMostFiles)
    throw Error(record + ": found " + std::to_string(parts.size()) +
                " kept models, expected at most " + std::to_string(infer::kMostFiles));
  return infer::write_series(parts);
}

bool is_model_file(const std::string& path) {
  return path.ends_with(".mbq") || split_series(path) || (is_safetensors(path) && !is_hdf5(path));
}

std::string load_or_export(const std::string& path) {
  if (const auto series = split_series(path)) return model_of_series(series->first, series->second);
  return is_model_file(path) ? read_file(path) : export_record(path, MbqWeights::float32);
}

}  // namespace minibert
