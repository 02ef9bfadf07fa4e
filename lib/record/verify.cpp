#include "record/verify.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/h5.h"
#include "core/sha256.h"
#include "record/layout.h"
#include "record/run_record.h"

namespace minibert {
namespace {

template <class T>
void check_finite(const std::string& part, const std::vector<T>& values, Verification* out) {
  const auto bad = std::ranges::count_if(values, [](T value) { return !std::isfinite(value); });
  if (bad > 0)
    out->problems.push_back(part + ": " + std::to_string(bad) + " of " +
                            std::to_string(values.size()) + " values are no finite numbers");
}

void check_values(const RunRecord& record, Verification* out) {
  for (const NamedTensor& tensor : record.weights)
    check_finite(std::string(layout::kWeights) + "/" + tensor.name, tensor.values, out);
  for (const auto& [name, value] : record.summary)
    check_finite<double>(std::string(layout::kSummary) + " attribute " + name, {value}, out);
  for (const auto& [name, series] : record.metrics) {
    const std::string part = std::string(layout::kMetrics) + "/" + name;
    check_finite(part + "/" + layout::kMetricValue, series.value, out);
    if (!std::ranges::is_sorted(series.step, std::ranges::less_equal()))
      out->problems.push_back(part + "/" + layout::kMetricStep + ": does not go forward");
  }
  if (record.predictions)
    for (const auto& [name, values] : record.predictions->numbers)
      check_finite(std::string(layout::kPredictions) + "/" + name, values, out);
  if (record.resume)
    for (const NamedTensor& tensor : record.resume->tensors)
      check_finite(std::string(layout::kResumeTensors) + "/" + tensor.name, tensor.values, out);
}

void check_complete(const RunRecord& record, Verification* out) {
  const auto missing = [&](const std::string& part) {
    out->problems.push_back(part + ": is missing of a run that is " + record.status);
  };
  if (record.status == "finished") {
    if (record.finished.empty()) missing("/ attribute finished");
    if (record.summary.empty()) missing(layout::kSummary);
    if (record.weights.empty()) out->notes.push_back("has no weights: they were not kept");
    if (!record.predictions) out->notes.push_back("has no predictions");
  } else if (record.status == "failed") {
    if (record.error.empty()) missing("/ attribute error");
  } else if (!record.resume) {
    missing(layout::kResume);
  }
}

// Data sets below `group` and how many of them have a checksum.
void count_sums(const h5::File& file, const std::string& group, size_t* datasets, size_t* sums) {
  for (const std::string& name : file.children(group)) {
    const std::string path = (group == "/" ? "" : group) + "/" + name;
    if (file.is_group(path)) {
      count_sums(file, path, datasets, sums);
      continue;
    }
    ++*datasets;
    *sums += file.has_attribute(path, h5::kSum);
  }
}

}  // namespace

Verification verify_record(const std::string& path) {
  Verification out;
  try {
    const RunRecord record = load_record(path);
    out.status = record.status;
    out.weights_sha256 =
        record.weights.empty() ? record.dropped_weights : weights_sha256(record.weights);
    out.config_sha256 = sha256_hex(record.config.dump());
    out.tokenizer_sha256 = sha256_hex(record.tokenizer_model);
    check_values(record, &out);
    check_complete(record, &out);
    const h5::File file = h5::File::open(path);
    out.reading = file.confinement();
    if (!file.is_sealed())
      out.notes.push_back(
          "has no seal over the whole file: another program, an older version or "
          "someone else wrote it; its parts have checksums, its attributes none");
    size_t datasets = 0, sums = 0;
    count_sums(file, "/", &datasets, &sums);
    if (sums < datasets)
      out.notes.push_back(std::to_string(datasets - sums) + " of " + std::to_string(datasets) +
                          " parts have no checksum: written by an older version");
  } catch (const h5::MemoryError&) {
    throw;
  } catch (const Error& error) {
    std::string message = error.what();
    if (message.starts_with(path + ": ")) message.erase(0, path.size() + 2);
    out.problems.push_back(message);
  }
  return out;
}

}  // namespace minibert
