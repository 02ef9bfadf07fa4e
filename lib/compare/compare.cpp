#include "compare/compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <unordered_map>

#include "core/config_reader.h"
#include "core/error.h"
#include "record/run_record.h"

namespace minibert {
namespace {

struct Run {
  std::string path;
  RunRecord record;
};

struct Arm {
  std::string experiment, profile, name;
  std::vector<const Run*> runs;
};

void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (!json.is_object() || found == json.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::vector<Run> load_finished(const std::vector<std::string>& paths,
                               std::vector<std::string>& warnings) {
  std::vector<Run> runs;
  for (const std::string& path : paths) {
    RunRecord record = load_record(path, Load::predictions);
    if (record.status == "finished")
      runs.push_back({path, std::move(record)});
    else
      warnings.push_back(path + ": " + record.status + ", left out");
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.record.started < b.record.started; });
  return runs;
}

std::vector<Arm> group_by_arm(const std::vector<Run>& runs) {
  std::vector<Arm> arms;
  for (const Run& run : runs) {
    const RunRecord& record = run.record;
    auto arm = std::find_if(arms.begin(), arms.end(), [&](const Arm& other) {
      return other.experiment == record.experiment && other.profile == record.profile &&
             other.name == record.arm;
    });
    if (arm == arms.end())
      arm = arms.insert(arms.end(), {record.experiment, record.profile, record.arm, {}});
    for (const Run* other : arm->runs)
      if (other->record.seed == record.seed)
        throw Error(other->path + " and " + run.path + ": both are seed " +
                    std::to_string(record.seed) + " of arm '" + record.arm + "' of experiment '" +
                    record.experiment + "', expected each run once");
    arm->runs.push_back(&run);
  }
  for (Arm& arm : arms)
    std::sort(arm.runs.begin(), arm.runs.end(),
              [](const Run* a, const Run* b) { return a->record.seed < b->record.seed; });
  return arms;
}

Figure figure_of(const std::vector<double>& values) {
  Figure figure;
  figure.runs = static_cast<int64_t>(values.size());
  const auto count = static_cast<double>(values.size());
  for (const double value : values) figure.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - figure.mean) * (value - figure.mean);
  figure.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1))
                                       : std::numeric_limits<double>::quiet_NaN();
  return figure;
}

std::map<std::string, Figure> figures_of(const Arm& arm) {
  std::map<std::string, std::vector<double>> values;
  for (const Run* run : arm.runs)
    for (const auto& [name, value] : run->record.summary) values[name].push_back(value);
  std::map<std::string, Figure> figures;
  for (const auto& [name, list] : values) figures[name] = figure_of(list);
  return figures;
}

std::string label_of(const Arm& arm, const Comparison& comparison) {
  std::string label;
  if (comparison.experiments.size() > 1) label += arm.experiment + "/";
  if (comparison.profiles.size() > 1) label += arm.profile + "/";
  return label + arm.name;
}

// Every question's mean EM and F1 over the arm's runs, in the order of `ids`.
struct Scores {
  std::vector<double> exact_match, f1;
};

using Index = std::unordered_map<std::string, size_t>;

Index index_of(const Run& run) {
  Index index;
  const auto& ids = run.record.predictions->id;
  for (size_t i = 0; i < ids.size(); ++i)
    if (!index.emplace(ids[i], i).second)
      throw Error(run.path + ": question '" + ids[i] + "' has two predictions");
  if (ids.empty()) throw Error(run.path + ": has no predictions");
  return index;
}

Scores scores_of(const Arm& arm, const Index& index, const std::string& index_path) {
  Scores scores{std::vector<double>(index.size()), std::vector<double>(index.size())};
  for (const Run* run : arm.runs) {
    const Predictions& predictions = *run->record.predictions;
    if (const Index own = index_of(*run); own.size() != index.size())
      throw Error(run->path + ": answers " + std::to_string(own.size()) + " questions, " +
                  index_path + " " + std::to_string(index.size()) +
                  "; only runs over the same questions can be compared");
    for (size_t i = 0; i < predictions.id.size(); ++i) {
      const auto found = index.find(predictions.id[i]);
      if (found == index.end())
        throw Error(run->path + ": question '" + predictions.id[i] + "' is not in " + index_path +
                    "; only runs over the same questions can be compared");
      const auto runs = static_cast<double>(arm.runs.size());
      scores.exact_match[found->second] += 100 * predictions.numbers.at("exact_match")[i] / runs;
      scores.f1[found->second] += 100 * predictions.numbers.at("f1")[i] / runs;
    }
  }
  return scores;
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size());
  std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::minus<>());
  return out;
}

void add_differences(const std::vector<Arm>& arms, Comparison& comparison) {
  std::vector<const Arm*> with;
  for (const Arm& arm : arms) {
    const auto answered = std::count_if(arm.runs.begin(), arm.runs.end(), [](const Run* run) {
      const auto& predictions = run->record.predictions;
      return predictions && predictions->numbers.contains("exact_match") &&
             predictions->numbers.contains("f1");
    });
    if (answered == static_cast<int64_t>(arm.runs.size())) {
      with.push_back(&arm);
    } else if (answered > 0) {
      comparison.warnings.push_back("arm '" + label_of(arm, comparison) +
                                    "': not every run has predictions, no intervals for it");
    }
  }
  if (with.empty()) return;
  const Run& first = *with[0]->runs[0];
  const Index index = index_of(first);
  std::vector<Scores> scores;
  for (const Arm* arm : with) scores.push_back(scores_of(*arm, index, first.path));
  for (size_t base = 0; base < with.size(); ++base)
    for (size_t other = base + 1; other < with.size(); ++other) {
      const auto intervals =
          paired_bootstrap({minus(scores[other].exact_match, scores[base].exact_match),
                            minus(scores[other].f1, scores[base].f1)});
      comparison.differences.push_back(
          {label_of(*with[other], comparison), label_of(*with[base], comparison),
           static_cast<int64_t>(index.size()), intervals[0], intervals[1]});
    }
}

void warn_of_unequal_conditions(const std::vector<Run>& runs, Comparison& comparison) {
  auto& warnings = comparison.warnings;
  if (comparison.profiles.size() > 1)
    warnings.push_back("the runs are of different profiles: " + joined(comparison.profiles));
  if (comparison.data.size() > 1)
    warnings.push_back("the runs used different data: " + joined(comparison.data));
  else if (std::any_of(runs.begin(), runs.end(),
                       [&](const Run& run) { return run.record.data != runs[0].record.data; }))
    warnings.push_back("the runs used different versions of the data " + joined(comparison.data));
  for (const char* key : {"hardware", "device", "precision", "threads"}) {
    std::vector<std::string> values;
    for (const Run& run : runs) add_once(values, text_at(run.record.environment, key));
    if (values.size() > 1)
      warnings.push_back("the runs differ in " + std::string(key) + " (" + joined(values) +
                         "): their speeds do not compare");
  }
}

}  // namespace

Comparison compare_runs(const std::vector<std::string>& paths) {
  Comparison comparison;
  const std::vector<Run> runs = load_finished(paths, comparison.warnings);
  if (runs.empty()) return comparison;
  for (const Run& run : runs) {
    add_once(comparison.experiments, run.record.experiment);
    add_once(comparison.profiles, run.record.profile);
    add_once(comparison.data, text_at(run.record.data, "id"));
  }
  const std::vector<Arm> arms = group_by_arm(runs);
  for (const Arm& arm : arms) {
    ArmSummary summary{arm.experiment, arm.profile, arm.name, label_of(arm, comparison), {}, {}};
    for (const Run* run : arm.runs) summary.seeds.push_back(run->record.seed);
    summary.figures = figures_of(arm);
    comparison.arms.push_back(std::move(summary));
  }
  warn_of_unequal_conditions(runs, comparison);
  add_differences(arms, comparison);
  return comparison;
}

namespace {

namespace fs = std::filesystem;

std::vector<std::string> sorted_entries(const std::string& folder, bool folders) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_directory() != folders) continue;
    if (folders || entry->path().extension() == ".h5")
      names.push_back(entry->path().filename().string());
  }
  if (error) throw usage_error(folder + ": cannot be read: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile) {
  if (!fs::is_directory(results))
    throw usage_error(results + ": no such folder of results; an experiment makes it");
  const std::vector<std::string> experiments = sorted_entries(results, true);
  std::vector<std::vector<std::string>> found;
  for (const std::string& name : experiments) {
    if (!experiment.empty() && name != experiment) continue;
    for (const std::string& kind : sorted_entries(results + "/" + name, true)) {
      if (!profile.empty() && kind != profile) continue;
      const std::string folder = results + "/" + name + "/" + kind;
      std::vector<std::string> paths;
      for (const std::string& file : sorted_entries(folder, false))
        paths.push_back(folder + "/" + file);
      if (!paths.empty()) found.push_back(std::move(paths));
    }
  }
  if (!found.empty()) return found;
  std::string message = results + ": no runs";
  if (!experiment.empty()) message += " of experiment '" + experiment + "'";
  if (!profile.empty()) message += " with profile '" + profile + "'";
  message += experiments.empty() ? "; it is empty" : "; it has " + joined(experiments);
  if (const std::string near = nearest(experiment, experiments);
      !near.empty() && near != experiment)
    message += " (did you mean '" + near + "'?)";
  throw usage_error(message);
}

}  // namespace minibert
