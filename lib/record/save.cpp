// Writing a run record.
#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/h5.h"
#include "core/utf8.h"
#include "record/inputs.h"
#include "record/layout.h"
#include "record/predictions.h"
#include "record/run_record.h"

namespace minibert {
namespace {

constexpr h5::Storage kRecordStorage{4};

// A host name or path that is not UTF-8 must not cost the run its record.
// A part that was never set becomes an empty object.
std::string json_text(const nlohmann::json& json) {
  if (json.is_null()) return "{}";
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_tensors(h5::File& file, const std::string& group,
                   const std::vector<NamedTensor>& tensors, const h5::Storage& storage) {
  file.make_group(group);
  for (const NamedTensor& tensor : tensors) {
    int64_t count = 1;
    for (const int64_t extent : tensor.shape) count *= extent;
    if (tensor.name.empty() || count != static_cast<int64_t>(tensor.values.size()))
      throw Error(file.path() + ": tensor '" + tensor.name + "' has " +
                  std::to_string(tensor.values.size()) + " values, its shape " +
                  std::to_string(count));
    file.write(group + "/" + tensor.name, tensor.shape, tensor.values.data(), storage);
  }
}

void write_metrics(h5::File& file, const std::map<std::string, MetricSeries>& metrics) {
  file.make_group(layout::kMetrics);
  for (const auto& [key, series] : metrics) {
    if (series.step.size() != series.value.size())
      throw Error(file.path() + ": metric " + key + " has " + std::to_string(series.step.size()) +
                  " steps and " + std::to_string(series.value.size()) + " values");
    const std::string group = std::string(layout::kMetrics) + "/" + key + "/";
    const auto count = static_cast<int64_t>(series.value.size());
    file.write(group + layout::kMetricValue, {count}, series.value.data(), kRecordStorage);
    file.write(group + layout::kMetricStep, {count}, series.step.data(), kRecordStorage);
  }
}

void write_depends(h5::File& file, const RunRecord& record) {
  file.make_group(layout::kDepends);
  for (const auto& [name, sum] : inputs_of(record)) {
    if (name.starts_with("data file ")) continue;
    std::string key = name;
    std::replace(key.begin(), key.end(), ' ', '_');
    file.set_attribute(layout::kDepends, key, sum);
  }
}

void write_record(const RunRecord& record, const std::string& path) {
  h5::File file = h5::File::create(path, h5::Seal::yes);
  file.set_attribute("/", layout::kFormat, std::string(layout::kFormatName));
  file.set_attribute("/", layout::kVersion, layout::kFormatVersion);
  file.set_attribute("/", layout::kStatus, record.status);
  file.set_attribute("/", layout::kExperiment, record.experiment);
  file.set_attribute("/", layout::kArm, record.arm);
  file.set_attribute("/", layout::kSeed, record.seed);
  file.set_attribute("/", layout::kProfile, record.profile);
  file.set_attribute("/", layout::kStarted, record.started);
  file.set_attribute("/", layout::kFinished, record.finished);
  if (!record.error.empty()) file.set_attribute("/", layout::kError, record.error);
  if (!record.ended_by.empty()) file.set_attribute("/", layout::kEndedBy, record.ended_by);
  if (!record.measured_on.empty()) file.set_attribute("/", layout::kMeasuredOn, record.measured_on);

  file.write_text(layout::kConfig, json_text(record.config));
  file.write_text(layout::kEnvironment, json_text(record.environment));
  file.write_text(layout::kData, json_text(record.data));
  if (!record.diff.empty())
    file.write_text(layout::kDiff, clipped(record.diff, layout::kLongestDiff));

  write_depends(file, record);

  file.make_group(layout::kSummary);
  for (const auto& [name, value] : record.summary)
    file.set_attribute(layout::kSummary, name, value);
  write_metrics(file, record.metrics);
  if (record.predictions) write_predictions(file, *record.predictions);

  file.write(layout::kTokenizer, {static_cast<int64_t>(record.tokenizer_model.size())},
             reinterpret_cast<const uint8_t*>(record.tokenizer_model.data()), kRecordStorage);
  write_tensors(file, layout::kWeights, record.weights, kRecordStorage);
  file.set_attribute(layout::kWeights, layout::kSelectedBy, record.selected_by);
  file.set_attribute(layout::kWeights, layout::kSha256, weights_sha256(record.weights));
  if (!record.dropped_weights.empty())
    file.set_attribute(layout::kWeights, layout::kDropped, record.dropped_weights);

  if (record.resume && record.status != "finished") {
    file.write_text(layout::kResumeNumbers, json_text(record.resume->numbers));
    // Written every minute, and soon replaced.
    write_tensors(file, layout::kResumeTensors, record.resume->tensors, {});
  }
  file.close();
}

}  // namespace

void save_record(const RunRecord& record, const std::string& path) {
  replace_file(path, [&](const std::string& temporary) { write_record(record, temporary); });
}

std::string record_path(const std::string& results, const std::string& experiment,
                        const std::string& profile, const std::string& arm, int64_t seed) {
  return results + "/" + experiment + "/" + profile + "/" + arm + "-s" + std::to_string(seed) +
         ".h5";
}

}  // namespace minibert
