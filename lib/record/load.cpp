// Reading a run record, trusting nothing in it.
#include <algorithm>
#include <thread>

#include "core/error.h"
#include "core/files.h"
#include "core/h5.h"
#include "core/parallel.h"
#include "core/sha256.h"
#include "record/layout.h"
#include "record/predictions.h"
#include "record/run_record.h"

namespace minibert {
namespace {

constexpr size_t kMostTensors = 100'000;

nlohmann::json read_json_object(const h5::File& file, const char* path) {
  const std::string text = file.read_text(path);
  const std::string place = file.path() + ": " + path + ": ";
  nlohmann::json object;
  try {
    object = parse_json(text);
  } catch (const Error& error) {
    throw Error(place + error.what());
  }
  if (!object.is_object())
    throw Error(place + "found " + object.type_name() + ", expected an object");
  return object;
}

// An attribute that becomes part of a path or a table: no folder, no control character.
std::string read_name(const h5::File& file, const char* attribute) {
  std::string name = file.string_attribute("/", attribute);
  const bool control = std::ranges::any_of(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control || name == "." || name == ".." || name.find('/') != std::string::npos)
    throw Error(
        file.path() + ": " + attribute + ": found " +
        nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
        ", expected a name without '/' and control characters");
  return name;
}

// Reads the tensors below `group`, in the order written; `prefix` is their name's part so far.
void read_tensors(const h5::File& file, const std::string& group, const std::string& prefix,
                  std::vector<NamedTensor>& out) {
  for (const std::string& name : file.children(group)) {
    const std::string path = group + "/" + name;
    if (file.is_group(path)) {
      read_tensors(file, path, prefix + name + "/", out);
      continue;
    }
    if (out.size() == kMostTensors)
      throw Error(file.path() + ": " + group + ": more than " + std::to_string(kMostTensors) +
                  " tensors; the file is damaged");
    NamedTensor tensor;
    tensor.name = prefix + name;
    tensor.values = file.read<float>(path, &tensor.shape);
    out.push_back(std::move(tensor));
  }
}

void read_metrics(const h5::File& file, RunRecord& record) {
  for (const std::string& split : file.children(layout::kMetrics))
    for (const std::string& name : file.children(std::string(layout::kMetrics) + "/" + split)) {
      const std::string key = split + "/" + name;
      const std::string group = std::string(layout::kMetrics) + "/" + key;
      MetricSeries series;
      series.value = file.read<double>(group + "/" + layout::kMetricValue);
      series.step = file.read<int64_t>(group + "/" + layout::kMetricStep);
      if (series.step.size() != series.value.size())
        throw Error(file.path() + ": " + group + ": " + std::to_string(series.step.size()) +
                    " steps for " + std::to_string(series.value.size()) + " values");
      record.metrics[key] = std::move(series);
    }
}

void check_format(const h5::File& file) {
  if (!file.has_attribute("/", layout::kFormat))
    throw Error(file.path() + ": an HDF5 file, but not a run record (no attribute 'format')");
  const std::string format = file.string_attribute("/", layout::kFormat);
  if (format != layout::kFormatName)
    throw Error(file.path() + ": format '" + format + "', expected '" + layout::kFormatName + "'");
  const int64_t version = file.int_attribute("/", layout::kVersion);
  if (version != layout::kFormatVersion)
    throw Error(file.path() + ": " + layout::kFormatName + " version " + std::to_string(version) +
                ", this program reads version " + std::to_string(layout::kFormatVersion));
}

}  // namespace

void expect_weights(const RunRecord& record, const std::string& file) {
  if (!record.weights.empty()) return;
  throw Error(file + ": /weights: is empty (" +
              (record.status == "finished"
                   ? "a record without weights"
                   : "the run has not finished: the same command goes on with it") +
              ")");
}

RunRecord load_record(const std::string& path, Load what) {
  const h5::File file = h5::File::open(path);
  check_format(file);
  RunRecord record;
  record.status = file.string_attribute("/", layout::kStatus);
  const std::vector<std::string> known = {"running", "finished", "failed", "interrupted"};
  if (std::find(known.begin(), known.end(), record.status) == known.end())
    throw Error(path + ": status '" + record.status +
                "', expected running, finished, failed or interrupted");
  record.experiment = read_name(file, layout::kExperiment);
  record.arm = read_name(file, layout::kArm);
  record.seed = file.int_attribute("/", layout::kSeed);
  record.profile = read_name(file, layout::kProfile);
  record.started = read_name(file, layout::kStarted);
  record.finished = read_name(file, layout::kFinished);
  if (file.has_attribute("/", layout::kError))
    record.error = file.string_attribute("/", layout::kError);
  if (file.has_attribute("/", layout::kEndedBy))
    record.ended_by = read_name(file, layout::kEndedBy);
  if (file.has_attribute("/", layout::kMeasuredOn))
    record.measured_on = read_name(file, layout::kMeasuredOn);

  record.config = read_json_object(file, layout::kConfig);
  record.environment = read_json_object(file, layout::kEnvironment);
  record.data = read_json_object(file, layout::kData);
  if (file.exists(layout::kDiff)) record.diff = file.read_text(layout::kDiff);
  for (const std::string& name : file.attributes(layout::kSummary))
    record.summary[name] = file.double_attribute(layout::kSummary, name);
  read_metrics(file, record);
  record.selected_by = file.string_attribute(layout::kWeights, layout::kSelectedBy);
  if (file.has_attribute(layout::kWeights, layout::kDropped))
    record.dropped_weights = file.string_attribute(layout::kWeights, layout::kDropped);

  if (what != Load::summary && file.exists(layout::kPredictions))
    record.predictions = read_predictions(file);
  if (what != Load::all) return record;

  const std::vector<uint8_t> model = file.read<uint8_t>(layout::kTokenizer);
  record.tokenizer_model.assign(model.begin(), model.end());
  if (const auto named = record.data.find("tokenizer_sha256"); named != record.data.end())
    if (const std::string found = sha256_hex(record.tokenizer_model); *named != found)
      throw Error(path + ": " + layout::kTokenizer + ": SHA-256 " + found + ", expected " +
                  (named->is_string() ? named->get<std::string>() : named->dump()) +
                  " as /data says; the file is damaged");
  read_tensors(file, layout::kWeights, "", record.weights);
  const std::string expected = file.string_attribute(layout::kWeights, layout::kSha256);
  if (const std::string found = weights_sha256(record.weights); found != expected)
    throw Error(path + ": " + layout::kWeights + ": SHA-256 " + found + ", expected " + expected +
                "; the file is damaged");
  if (file.exists(layout::kResume)) {
    ResumeState resume;
    resume.numbers = read_json_object(file, layout::kResumeNumbers);
    read_tensors(file, layout::kResumeTensors, "", resume.tensors);
    record.resume = std::move(resume);
  }
  return record;
}

std::vector<LoadedRecord> load_records(const std::vector<std::string>& paths, Load what) {
  constexpr unsigned kMostThreads = 8;
  const auto threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  std::vector<LoadedRecord> out(paths.size());
  const auto server = paths.size() > 1 ? std::make_unique<h5::ForkServer>() : nullptr;
  const auto reader = [&] {
    return [&](size_t i) {
      try {
        out[i].record = load_record(paths[i], what);
      } catch (const h5::MemoryError&) {
        throw;  // a run is not left out for that
      } catch (const Error& error) {
        out[i].error = error;
      }
    };
  };
  parallel_over(paths.size(), static_cast<int>(std::min<size_t>(threads, paths.size())), reader);
  return out;
}

}  // namespace minibert
