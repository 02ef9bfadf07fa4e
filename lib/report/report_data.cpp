#include "report/report_data.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "compare/compare.h"
#include "record/run_record.h"

namespace minibert {
namespace {

using nlohmann::json;

json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return std::strtod(text, nullptr);
}

void flatten(const std::string& prefix, const json& value, json* out) {
  if (!value.is_object()) {
    (*out)[prefix] = value;
    return;
  }
  for (const auto& [key, inside] : value.items())
    flatten(prefix.empty() ? key : prefix + "." + key, inside, out);
}

// Steps and values, thinned to at most kMostPoints.
json points(const MetricSeries& series) {
  json steps = json::array(), values = json::array();
  const size_t count = series.value.size();
  const size_t stretches = std::min(count, kMostPoints);
  for (size_t i = 0; i < stretches; ++i) {
    const size_t first = i * count / stretches, end = (i + 1) * count / stretches;
    double sum = 0;
    for (size_t k = first; k < end; ++k) sum += series.value[k];
    steps.push_back(series.step[end - 1]);
    values.push_back(rounded(sum / static_cast<double>(end - first), 5));
  }
  return {steps, values};
}

// The one arm that a run's configuration holds.
json arm_of(const RunRecord& record) {
  const auto arms = record.config.find("arms");
  if (arms == record.config.end() || !arms->is_array() || arms->empty()) return json::object();
  return arms->front().is_object() ? arms->front() : json::object();
}

json config_of(const RunRecord& record) {
  json arm = arm_of(record), flat = json::object();
  arm.erase("name");
  // The resolved model instead of what the arm wrote of it.
  if (record.config.contains("model")) arm["model"] = record.config["model"];
  flatten("", arm, &flat);
  for (const auto& [key, value] : record.config.items())
    if (key != "arms" && key != "model" && key != "seeds" && key != "name" && key != "title")
      flatten(key, value, &flat);
  return flat;
}

json provenance_of(const RunRecord& record) {
  json flat = json::object(), data = record.data;
  data.erase("statistics");  // long, and of the data rather than of where they are from
  flatten("environment", record.environment, &flat);
  flatten("data", data, &flat);
  return flat;
}

json run_of(const RunRecord& record, const std::string& label) {
  json out = {{"id", record.profile + "/" + label + "-s" + std::to_string(record.seed)},
              {"label", label},
              {"seed", record.seed},
              {"status", record.status},
              {"epochs", arm_of(record).value(json::json_pointer("/train/epochs"), json())},
              {"summary", json::object()},
              {"metrics", json::object()},
              {"config", config_of(record)},
              {"provenance", provenance_of(record)}};
  for (const auto& [name, value] : record.summary) out["summary"][name] = rounded(value, 5);
  for (const auto& [name, series] : record.metrics)
    if (!series.value.empty()) out["metrics"][name] = points(series);
  return out;
}

// A label's predictions, means over its runs.
class Examples {
 public:
  void add(const Predictions& predictions) {
    if (runs_ == 0) {
      first_ = predictions;
    } else if (predictions.id == first_.id) {
      for (auto& [name, sums] : first_.numbers) {
        const auto found = predictions.numbers.find(name);
        if (found == predictions.numbers.end()) continue;
        for (size_t i = 0; i < sums.size(); ++i) sums[i] += found->second[i];
      }
    } else {
      same_ = false;
    }
    ++runs_;
  }

  bool usable() const { return same_ && runs_ > 0; }

  json to_json(const std::string& label) const {
    json out = {{"label", label}, {"id", first_.id}, {"texts", first_.texts}};
    out["numbers"] = json::object();
    for (const auto& [name, sums] : first_.numbers) {
      json means = json::array();
      for (const double sum : sums) means.push_back(rounded(sum / runs_, 3));
      out["numbers"][name] = means;
    }
    return out;
  }

 private:
  Predictions first_;
  int runs_ = 0;
  bool same_ = true;
};

// The arm's name, with what else tells runs apart.
std::string label_of(const RunRecord& record, bool experiments, bool profiles) {
  return (experiments ? record.experiment + "/" : "") + (profiles ? record.profile + "/" : "") +
         record.arm;
}

json differences(const Comparison& comparison) {
  json out = json::array();
  for (const ArmDifference& one : comparison.differences) {
    json intervals = json::object();
    for (const auto& [name, interval] : one.intervals)
      intervals[name] = {
          {"difference", interval.difference}, {"low", interval.low}, {"high", interval.high}};
    out.push_back({{"arm", one.arm},
                   {"baseline", one.baseline},
                   {"examples", comparison.examples},
                   {"intervals", intervals}});
  }
  return out;
}

}  // namespace

json report_data(const std::vector<std::string>& paths, std::span<const Measure> measures) {
  std::vector<RunRecord> records;
  std::set<std::string> experiments, profiles;
  for (const std::string& path : paths) {
    records.push_back(load_record(path, Load::predictions));
    experiments.insert(records.back().experiment);
    profiles.insert(records.back().profile);
  }
  json out = {{"title", ""},
              {"measures", json::array()},
              {"runs", json::array()},
              {"differences", differences(compare_runs(paths, measures))},
              {"examples", json::array()}};
  for (const std::string& name : experiments)
    out["title"] = out["title"].get<std::string>() + (out["title"] == "" ? "" : ", ") + name;
  for (const Measure& measure : measures)
    if (measure.better != Better::neither) out["measures"].push_back(measure.name);
  std::map<std::string, Examples> examples;
  for (const RunRecord& record : records) {
    const std::string label = label_of(record, experiments.size() > 1, profiles.size() > 1);
    out["runs"].push_back(run_of(record, label));
    if (record.predictions) examples[label].add(*record.predictions);
  }
  for (const auto& [label, one] : examples)
    if (one.usable()) out["examples"].push_back(one.to_json(label));
  return out;
}

}  // namespace minibert
