#include "report/report_data.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "compare/answers.h"
#include "compare/compare.h"
#include "compare/equal_budget.h"
#include "compare/runs.h"
#include "core/error.h"
#include "core/h5.h"
#include "core/text.h"
#include "data/splits/clusters.h"
#include "record/run_record.h"
#include "report/report_axes.h"
#include "report/report_examples.h"
#include "words/phrases.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kCurveDigits = 5, kSummaryDigits = 9;  // of curves; of figures, with whole counts

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
    values.push_back(rounded(sum / static_cast<double>(end - first), kCurveDigits));
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
  // The resolved model replaces the arm's own text.
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
  json out = {{"id", label + " · " + std::to_string(record.seed)},
              {"label", label},
              {"seed", record.seed},
              {"status", record.status},
              {"axes", step_axes(record)},
              {"summary", json::object()},
              {"metrics", json::object()},
              {"config", config_of(record)},
              {"provenance", provenance_of(record)}};
  for (const auto& [name, value] : record.summary)
    out["summary"][name] = rounded(value, kSummaryDigits);
  for (const auto& [name, series] : record.metrics)  // what was spent is an axis
    if (!series.value.empty() && !name.starts_with("spent/")) out["metrics"][name] = points(series);
  return out;
}

RunRecord load_run(const std::string& path) {
  RunRecord record = load_record(path, Load::predictions);
  if (record.status == "finished") return record;
  record = load_record(path, Load::all);  // the resume state tells how far it came
  record.weights.clear();
  if (record.resume) record.resume->tensors.clear();
  return record;
}

// Where a run is from: only runs of one experiment and profile in one folder are seeds of one arm. A folder that was
// copied names the other's experiment.
struct RunOrigin {
  std::string experiment;
  std::filesystem::path folder;  // the whole path
  std::string profile;

  explicit RunOrigin(const StoredRun& run)
      : experiment(run.record.experiment),
        folder(
            std::filesystem::weakly_canonical(std::filesystem::absolute(run.path).parent_path())),
        profile(run.record.profile) {}
  auto operator<=>(const RunOrigin&) const = default;
};

// The last `count` names of a folder's path, each with "/" behind it.
std::string last_names(const std::filesystem::path& folder, int count) {
  if (count == 0 || !folder.has_relative_path()) return "";
  return last_names(folder.parent_path(), count - 1) + folder.filename().string() + "/";
}

using PathsByOrigin = std::map<RunOrigin, std::vector<std::string>>;

// The arm's name, with everything else that distinguishes runs.
class Labels {
 public:
  explicit Labels(const PathsByOrigin& origins) {
    std::set<std::string> experiments, folders;
    std::map<std::pair<std::string, std::filesystem::path>, std::set<std::string>> profiles;
    for (const auto& [origin, paths] : origins) {
      experiments.insert(origin.experiment);
      folders.insert(last_names(origin.folder, 1));
      profiles[{origin.experiment, origin.folder}].insert(origin.profile);
    }
    has_experiments_ = experiments.size() > 1;
    has_profiles_ =
        std::ranges::any_of(profiles, [](const auto& one) { return one.second.size() > 1; });
    names_ = folders.size() > 1 ? 1 : 0;
    while (are_alike(origins)) ++names_;
  }

  std::string of(const RunOrigin& origin, const std::string& arm) const {
    return (has_experiments_ ? origin.experiment + "/" : "") + last_names(origin.folder, names_) +
           (has_profiles_ ? origin.profile + "/" : "") + arm;
  }

 private:
  bool are_alike(const PathsByOrigin& origins) const {
    std::set<std::tuple<std::string, std::string, std::string>> told;
    for (const auto& [origin, paths] : origins)
      told.emplace(origin.experiment, last_names(origin.folder, names_),
                   has_profiles_ ? origin.profile : "");
    return told.size() < origins.size();
  }

  bool has_experiments_ = false;  // several of them
  bool has_profiles_ = false;     // several of them in one folder
  int names_ = 0;                 // of each folder's path, from its end
};

void add_comparison(const Comparison& comparison, std::span<const Question> questions,
                    std::span<const Measure> measures, const RunOrigin& origin,
                    const Labels& labels, json* out) {
  std::map<std::string, std::string> label_of;  // by the comparison's own label
  for (const ArmSummary& arm : comparison.arms) label_of[arm.label] = labels.of(origin, arm.arm);
  for (const ArmDifference& one : comparison.differences) {
    json intervals = json::object();
    for (const auto& [name, interval] : one.intervals)
      intervals[name] = {{"difference", rounded(interval.difference, kCurveDigits)},
                         {"low", rounded(interval.low, kCurveDigits)},
                         {"high", rounded(interval.high, kCurveDigits)},
                         {"p", rounded(one.p_holm.at(name), kCurveDigits)},
                         {"higher", rounded(interval.higher, kCurveDigits)}};
    (*out)["differences"].push_back({{"arm", label_of.at(one.arm)},
                                     {"baseline", label_of.at(one.baseline)},
                                     {"examples", comparison.examples},
                                     {"clusters", comparison.clusters},
                                     {"runs_measured", one.runs_measured},
                                     {"asked", one.is_asked},
                                     {"intervals", intervals}});
  }
  for (const ArmSummary& arm : comparison.arms) {
    json intervals = json::object();
    for (const auto& [name, interval] : arm.intervals)
      intervals[name] = {{"value", rounded(interval.difference, kCurveDigits)},
                         {"low", rounded(interval.low, kCurveDigits)},
                         {"high", rounded(interval.high, kCurveDigits)}};
    (*out)["arms"].push_back({{"arm", label_of.at(arm.label)},
                              {"floor", arm.is_floor},
                              {"intervals", std::move(intervals)}});
  }
  for (const Answer& answer : answers(comparison, questions, measures)) {
    json one = {{"arm", label_of.at(answer.arm)},
                {"baseline", label_of.at(answer.baseline)},
                {"measure", answer.measure},
                {"difference", rounded(answer.interval.difference, kCurveDigits)},
                {"low", rounded(answer.interval.low, kCurveDigits)},
                {"high", rounded(answer.interval.high, kCurveDigits)},
                {"single", json::array()},
                {"text", answer.text},
                {"korean", answer.korean}};
    for (const std::string& label : answer.single) one["single"].push_back(label_of.at(label));
    (*out)["answers"].push_back(std::move(one));
  }
  for (const std::string& warning : comparison.warnings) (*out)["warnings"].push_back(warning);
}

void add_at_equal(const EqualBudget& equal, const RunOrigin& origin, const Labels& labels,
                  json* out) {
  if (equal.arms.size() < 2) return;
  json one = {{"limit", rounded(equal.limit, kSummaryDigits)},
              {"limit_of", equal.limit_of},
              {"arms", json::array()},
              {"notes", equal.notes}};
  for (const ArmAtBudget& arm : equal.arms) {
    json row = {{"arm", labels.of(origin, arm.arm)},
                {"runs", arm.seeds.size()},
                {"steps", arm.steps},
                {"spent", rounded(arm.spent.mean, kSummaryDigits)},
                {"total", rounded(arm.total.mean, kSummaryDigits)},
                {"figures", json::object()}};
    for (const auto& [name, figure] : arm.figures)
      row["figures"][name] = rounded(figure.mean, kSummaryDigits);
    one["arms"].push_back(std::move(row));
  }
  (*out)["equal"][to_string(equal.budget)].push_back(std::move(one));
}

json measure_of(const Measure& measure) {
  return {{"name", measure.name},
          {"heading", measure.heading},
          {"decimals", measure.decimals},
          {"in_table", measure.in_table},
          {"right", measure.right},
          {"probability", measure.probability},
          {"better", measure.better == Better::higher  ? 1
                     : measure.better == Better::lower ? -1
                                                       : 0}};
}

// Throws Error where two runs are one seed of one arm.
void expect_each_once(const std::vector<StoredRun>& runs) {
  std::map<std::tuple<RunOrigin, std::string, int64_t>, std::string> paths;
  for (const StoredRun& run : runs) {
    const auto [other, is_new] =
        paths.try_emplace({RunOrigin(run), run.record.arm, run.record.seed}, run.path);
    if (!is_new)
      throw Error(other->second + " and " + run.path + ": both are seed " +
                  std::to_string(run.record.seed) + " of arm '" + run.record.arm +
                  "', expected one of them in a folder");
  }
}

}  // namespace

json report_data(const std::vector<std::string>& paths, std::span<const Measure> measures,
                 const DataPlaces& places, const QuestionsOf& questions_of,
                 const Comparison* made) {
  std::vector<StoredRun> runs;
  std::vector<std::string> warnings;
  for (const std::string& path : paths) try {
      runs.push_back({path, load_run(path)});
    } catch (const h5::MemoryError&) {
      throw;
    } catch (const Error& error) {
      warnings.emplace_back(error.what());
    }
  if (runs.empty())
    throw Error(warnings.empty() ? "no run to report" : "no run can be read: " + warnings.front());
  expect_each_once(runs);
  std::vector<RunOrigin> origin_of;  // by run
  std::set<std::string> experiments;
  PathsByOrigin comparable;
  for (const StoredRun& run : runs) {
    const RunOrigin& origin = origin_of.emplace_back(run);
    experiments.insert(origin.experiment);
    comparable[origin].push_back(run.path);
  }
  const Labels labels(comparable);
  json out = {
      {"title", joined({experiments.begin(), experiments.end()})},
      {"language", language() == Language::korean ? "ko" : ""},
      {"headings", json::object()},
      {"measures", json::array()},
      {"runs", json::array()},
      {"differences", json::array()},
      {"arms", json::array()},
      {"answers", json::array()},
      {"equal", {{"flops", json::array()}, {"seconds", json::array()}, {"tokens", json::array()}}},
      {"warnings", json::array()}};
  for (const Measure& measure : measures) {
    out["measures"].push_back(measure_of(measure));
    const std::string heading(measure.heading);
    out["headings"][heading] = phrase(heading, {}, Language::korean);
  }
  std::vector<LabelledRun> labelled;
  for (size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& record = runs[i].record;
    const std::string label = labels.of(origin_of[i], record.arm);
    out["runs"].push_back(run_of(record, label));
    labelled.push_back({label, &record});
  }
  const CompareOptions how = {
      .clusters_of_data = registered_clusters(places.data_dir, places.registry),
      .questions_of = questions_of,
      .is_public = registered_public(places.registry)};
  for (const auto& [origin, group] : comparable) try {
      const std::vector<Question> questions =
          questions_of ? questions_of(origin.experiment) : std::vector<Question>();
      const bool is_made = made != nullptr && comparable.size() == 1;
      add_comparison(is_made ? *made : compare_runs(group, measures, how), questions, measures,
                     origin, labels, &out);
      for (const Budget budget : {Budget::flops, Budget::seconds, Budget::tokens})
        add_at_equal(compare_at_equal(group, budget, how), origin, labels, &out);
    } catch (const Error& error) {
      warnings.emplace_back(error.what());
    }
  out["examples"] = report_examples(labelled, measures, places, &warnings);
  for (const std::string& warning : warnings) out["warnings"].push_back(warning);
  return out;
}

}  // namespace minibert
