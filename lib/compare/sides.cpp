#include "compare/sides.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "compare/pair.h"
#include "compare/runs.h"
#include "core/error.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "record/inputs.h"
#include "record/layout.h"
#include "record/run_notes.h"

namespace minibert {
namespace {

// The examples that runs are compared by, in the order of the first run's predictions.
class Examples {
 public:
  // All of the run's examples except the listed ones. Throws Error if an id occurs twice.
  Examples(const StoredRun& first, const std::vector<std::string>& left_out);

  // Throws Error when none is left.
  void expect_some() const;

  // Where the examples stand in the run's predictions. Nothing, and `why`, unless these are of just
  // the same ids. Throws Error when an id occurs twice.
  std::optional<std::vector<size_t>> rows_of(const StoredRun& run, std::string* why) const;
  size_t size() const { return rows_.size(); }
  size_t left_out() const { return example_of_.size() - rows_.size(); }

 private:
  static constexpr size_t kLeftOut = static_cast<size_t>(-1);
  std::string first_path_;
  RunRecord first_;                                     // identifies examples
  std::vector<size_t> rows_;                            // of the first run, by example
  std::unordered_map<std::string, size_t> example_of_;  // by id; kLeftOut
};

Examples::Examples(const StoredRun& first, const std::vector<std::string>& left_out)
    : first_path_(first.path) {
  const Predictions& all = *first.record.predictions;
  first_.data = first.record.data;
  Predictions& kept = first_.predictions.emplace();
  kept.id = all.id;
  for (const char* name : {layout::kGoldColumn, layout::kTextColumn}) {
    if (all.texts.contains(name)) kept.texts[name] = all.texts.at(name);
    if (all.numbers.contains(name)) kept.numbers[name] = all.numbers.at(name);
  }
  const std::unordered_set<std::string> listed(left_out.begin(), left_out.end());
  const std::vector<std::string>& ids = first_.predictions->id;
  for (size_t row = 0; row < ids.size(); ++row) {
    const std::string& id = ids[row];
    const bool kept = !listed.contains(id);
    if (!example_of_.emplace(id, kept ? rows_.size() : kLeftOut).second)
      throw Error(first.path + ": example '" + id + "' has two predictions");
    if (kept) rows_.push_back(row);
  }
}

void Examples::expect_some() const {
  if (rows_.empty())
    throw Error(first_path_ + (example_of_.empty()
                                   ? ": has no predictions"
                                   : ": every example is left out, so none is compared"));
}

std::optional<std::vector<size_t>> Examples::rows_of(const StoredRun& run, std::string* why) const {
  const std::vector<std::string>& ids = run.record.predictions->id;
  std::vector<size_t> rows = rows_;
  // Data sets number their examples alike: "test-1" of another one is another example.
  const SameExamples same(first_, run.record);
  const auto are_the_same = [&] {
    if (!same.why().empty()) {
      *why = run.path + ": " + same.why() + " than in " + first_path_;
      return false;
    }
    for (size_t i = 0; i < rows.size(); ++i)
      if (const char* other = same.differs(rows_[i], rows[i]); other != nullptr) {
        *why = run.path + ": example '" + ids[rows[i]] + "' has another " + other + " than in " +
               first_path_;
        return false;
      }
    return true;
  };
  if (ids == first_.predictions->id) return are_the_same() ? std::optional(rows) : std::nullopt;
  std::unordered_set<std::string_view> seen;
  for (size_t row = 0; row < ids.size(); ++row) {
    if (!seen.insert(ids[row]).second)
      throw Error(run.path + ": example '" + ids[row] + "' has two predictions");
    const auto found = example_of_.find(ids[row]);
    if (found == example_of_.end()) {
      *why = run.path + ": example '" + ids[row] + "' is not in " + first_path_;
      return std::nullopt;
    }
    if (found->second != kLeftOut) rows[found->second] = row;
  }
  if (ids.size() == example_of_.size()) return are_the_same() ? std::optional(rows) : std::nullopt;
  *why = run.path + ": has " + std::to_string(ids.size()) + " examples, " + first_path_ + " " +
         std::to_string(example_of_.size());
  return std::nullopt;
}

template <class T>
std::vector<T> reordered(std::vector<T> column, const std::vector<size_t>& rows) {
  std::vector<T> out;
  out.reserve(rows.size());
  for (const size_t row : rows) out.push_back(std::move(column[row]));
  return out;
}

Predictions reordered(Predictions predictions, const std::vector<size_t>& rows) {
  predictions.id = reordered(std::move(predictions.id), rows);
  for (auto& [name, column] : predictions.texts) column = reordered(std::move(column), rows);
  for (auto& [name, column] : predictions.numbers) column = reordered(std::move(column), rows);
  return predictions;
}

std::vector<ArmNames> names_of(const std::vector<RunGroup>& groups) {
  std::vector<ArmNames> names;
  for (const RunGroup& group : groups) names.push_back(group.names);
  return names;
}

// The paths of the runs that the pairs are of.
std::unordered_set<std::string> runs_of(const std::vector<RunGroup>& groups,
                                        const std::vector<ArmPair>& pairs) {
  std::unordered_set<std::string> paths;
  for (const ArmPair& pair : pairs)
    for (const size_t arm : {pair.arm, pair.baseline})
      for (const StoredRun* run : groups[arm].runs) paths.insert(run->path);
  return paths;
}

// Loads predictions of the named runs (none: all); warns of unreadable ones, or throws Error.
void load_predictions(std::vector<StoredRun>& runs, const std::unordered_set<std::string>& named,
                      bool skip_damaged, std::vector<std::string>& warnings) {
  const auto is_read = [&](const StoredRun& run) {
    return named.empty() || named.contains(run.path);
  };
  std::vector<std::string> paths;
  for (const StoredRun& run : runs)
    if (is_read(run)) paths.push_back(run.path);
  std::vector<LoadedRecord> loaded = load_records(paths, Load::predictions);
  auto next = loaded.begin();
  std::vector<StoredRun> readable;
  for (StoredRun& run : runs) {
    if (is_read(run)) {
      auto& [record, error] = *next++;
      if (error && !skip_damaged) throw *error;
      if (error) {
        warnings.push_back(std::string(error->what()) + "; left out");
        continue;
      }
      run.record.predictions = std::move(record.predictions);
      for (const std::string& note : prediction_notes(run.record))
        warnings.push_back(run.path + ": " + note);
    }
    readable.push_back(std::move(run));
  }
  runs = std::move(readable);
}

// Returns true if all runs of the group have predictions; warns if only some have.
bool all_predict(const RunGroup& group, std::vector<std::string>& warnings) {
  const auto with = std::ranges::count_if(
      group.runs, [](const StoredRun* run) { return run->record.predictions.has_value(); });
  if (with == std::ssize(group.runs)) return true;
  if (with > 0)
    warnings.push_back("arm '" + group.names.label +
                       "': not every run has predictions, no intervals for it");
  return false;
}

// Returns the examples that most of the groups have, so that an odd group does not take the intervals
// of all others; on a tie, the first group's. Returns nothing without groups.
std::optional<Examples> examples_of_most(const std::vector<const RunGroup*>& groups,
                                         const std::vector<std::string>& left_out) {
  std::vector<Examples> found;
  std::vector<size_t> have;  // how many groups have just these
  for (const RunGroup* group : groups) {
    const auto has_just = [&](const Examples& examples) {
      return std::ranges::all_of(group->runs, [&](const StoredRun* run) {
        std::string why;
        return examples.rows_of(*run, &why).has_value();
      });
    };
    auto just = std::ranges::find_if(found, has_just);
    if (just == found.end()) {
      have.push_back(0);
      just = found.insert(found.end(), Examples(*group->runs[0], left_out));
      if (!has_just(*just)) continue;  // its runs differ among themselves
    }
    ++have[static_cast<size_t>(just - found.begin())];
  }
  if (found.empty()) return std::nullopt;
  return std::move(found[static_cast<size_t>(std::ranges::max_element(have) - have.begin())]);
}

// Moves the predictions of groups with the examples that most have to the sides, by example.
void align(const std::vector<RunGroup>& groups, const std::vector<std::string>& left_out,
           Sides& sides) {
  std::vector<const RunGroup*> predicting;
  for (const RunGroup& group : groups)
    if (all_predict(group, sides.warnings)) predicting.push_back(&group);
  const std::optional<Examples> examples = examples_of_most(predicting, left_out);
  if (!examples) return;
  examples->expect_some();
  for (const RunGroup* group : predicting) {
    std::vector<AlignedRun>& aligned =
        sides.all[static_cast<size_t>(group - groups.data())].aligned;
    for (StoredRun* run : group->runs) {
      std::string why;
      if (const auto rows = examples->rows_of(*run, &why)) {
        aligned.push_back({run->path, reordered(std::move(*run->record.predictions), *rows)});
        continue;
      }
      sides.warnings.push_back(why + "; no intervals for arm '" + group->names.label + "'");
      aligned.clear();
      break;
    }
  }
  sides.examples = examples->size();
  sides.left_out = examples->left_out();
  const std::unordered_set<std::string> listed(left_out.begin(), left_out.end());
  if (listed.size() > sides.left_out)
    sides.warnings.push_back(std::to_string(listed.size() - sides.left_out) + " of " +
                             std::to_string(listed.size()) + " ids to leave out name no example");
}

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (!json.is_object() || found == json.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

Clusters numbered(const std::vector<std::string>& names) {
  Clusters clusters;
  std::unordered_map<std::string_view, uint32_t> numbers;
  for (const std::string& name : names)
    clusters.of.push_back(
        numbers.try_emplace(name, static_cast<uint32_t>(numbers.size())).first->second);
  clusters.count = numbers.size();
  return clusters.count == names.size() ? Clusters{} : clusters;
}

// Returns clusters from what is known of the data set's examples; nothing if no example is.
std::optional<Clusters> clusters_of(const std::vector<std::string>& ids,
                                    const std::unordered_map<std::string, std::string>& known) {
  std::vector<std::string> names;
  size_t found = 0;
  for (const std::string& id : ids) {
    const auto cluster = known.find(id);
    found += cluster != known.end();
    names.push_back(cluster == known.end() ? id : cluster->second);
  }
  return found == 0 ? std::nullopt : std::optional(numbered(names));
}

// Examples are equal for all sides: the first run with clusters gives them, else its data.
void add_clusters(const std::vector<RunGroup>& groups, const ClustersOfData& clusters_of_data,
                  Sides& sides) {
  const Side* first = nullptr;
  std::string data_id;
  std::optional<Clusters> clusters;
  for (size_t i = 0; i < sides.all.size(); ++i) {
    if (sides.all[i].aligned.empty()) continue;
    if (first == nullptr) {
      first = &sides.all[i];
      data_id = text_at(groups[i].runs[0]->record.data, "id");
    }
    for (const AlignedRun& run : sides.all[i].aligned)
      if (!clusters) clusters = clusters_in(run.predictions);
  }
  if (first == nullptr) return;
  if (!clusters && clusters_of_data) try {
      clusters = clusters_of(first->aligned[0].predictions.id, clusters_of_data(data_id));
    } catch (const Error& error) {
      sides.warnings.push_back("which examples belong together is not known: " +
                               std::string(error.what()));
    }
  sides.clusters_known = clusters.has_value();
  if (!clusters) return;
  if (clusters->count == 1)
    sides.warnings.push_back("all examples are in one cluster; intervals count each for itself");
  else
    sides.clusters = std::move(*clusters);
}

// /data without what arms of one experiment may differ in: what they start from, with overrides the
// tokenizer and what it makes of the same files, and why this data set was taken.
nlohmann::json data_of(const RunRecord& record) {
  nlohmann::json data = record.data;
  for (const char* own :
       {kStartWeights, kLearntFrom, "choice", "splits", "statistics", "tokenizer_sha256"})
    data.erase(own);
  return data;
}

// Runs with other settings are no seeds of one arm. Keys of one run alone are of a later version.
void name_settings(const std::vector<RunGroup>& groups, Sides& sides) {
  for (const RunGroup& group : groups)
    for (size_t i = 1; i < group.runs.size(); ++i) {
      const auto differences = setting_differences(group.runs[0]->record, group.runs[i]->record);
      if (differences.empty()) continue;
      const KeyDifference& one = differences.front();
      sides.unequal.push_back("the runs of arm '" + group.names.arm + "' differ in " + one.key +
                              " (" + one.first.dump() + ", " + one.second.dump() +
                              "): they are not seeds of one arm");
      break;
    }
}

void name_conditions(const std::vector<StoredRun>& runs, Sides& sides) {
  for (const StoredRun& run : runs) {
    add_once(sides.experiments, run.record.experiment);
    add_once(sides.profiles, run.record.profile);
    add_once(sides.data, text_at(run.record.data, "id"));
  }
  auto& unequal = sides.unequal;
  if (sides.profiles.size() > 1)
    unequal.push_back("the runs are of different profiles: " + joined(sides.profiles));
  if (sides.data.size() > 1)
    unequal.push_back("the runs used different data: " + joined(sides.data));
  else if (std::ranges::any_of(runs, [&](const StoredRun& run) {
             return data_of(run.record) != data_of(runs[0].record);
           }))
    unequal.push_back("the runs used different versions of the data " + joined(sides.data));
  for (const char* key : {"hardware", "device", "precision", "threads"}) {
    std::vector<std::string> values;
    for (const StoredRun& run : runs) add_once(values, text_at(run.record.environment, key));
    if (values.size() > 1)
      unequal.push_back("the runs differ in " + std::string(key) + " (" + joined(values) +
                        "): their speeds do not compare");
  }
}

// Says why no run can start from the record that this run started from; empty if one can, or if it started from none.
std::string lost_start(const RunRecord& record) {
  const nlohmann::json::json_pointer key("/arms/0/init_from");
  std::string start = record.config.value(key, "");
  if (const size_t seed = start.find("{seed}"); seed != std::string::npos)
    start.replace(seed, 6, std::to_string(record.seed));
  if (start.empty()) return "";
  try {
    if (load_record(shipped_path(start), Load::summary).dropped_weights.empty()) return "";
    return start + " keeps no weights";
  } catch (const Error&) {
    return start + " is not here";
  }
}

void name_lost(const std::vector<RunGroup>& groups, const IsPublic& is_public, Sides& sides) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> arms;  // by what and why
  for (const RunGroup& group : groups)
    for (const StoredRun* run : group.runs) {
      const std::string data = text_at(run->record.data, "id"), start = lost_start(run->record);
      if (!is_public(data))
        add_once(arms[{"others cannot train these again",
                       "their data " + data + " have no public address"}],
                 group.names.label);
      else if (!start.empty())
        add_once(arms[{"to train these again, train their start first", start}], group.names.label);
    }
  for (const auto& [reason, labels] : arms)
    sides.warnings.push_back(reason.first + ": " + joined(labels) + " (" + reason.second + ")");
}

// Returns the arms in "ARM-BASELINE". Throws a usage Error unless just one hyphen parts two labels.
ArmPair pair_of(const std::string& text, const std::vector<ArmNames>& arms) {
  std::vector<std::string> labels;
  for (const ArmNames& arm : arms) labels.push_back(arm.label);
  std::vector<ArmPair> found;
  const std::string_view whole = text;
  for (size_t at = whole.find('-'); at != std::string_view::npos; at = whole.find('-', at + 1)) {
    const auto arm = std::ranges::find(labels, trimmed(whole.substr(0, at)));
    const auto baseline = std::ranges::find(labels, trimmed(whole.substr(at + 1)));
    if (arm != labels.end() && baseline != labels.end() && arm != baseline)
      found.push_back({static_cast<size_t>(arm - labels.begin()),
                       static_cast<size_t>(baseline - labels.begin())});
  }
  if (found.size() != 1)
    throw usage_error("--pairs: found \"" + text +
                      "\", expected ARM-BASELINE of two of: " + joined(labels));
  return found[0];
}

}  // namespace

std::vector<ArmPair> pairs_of(const std::vector<ArmNames>& arms, const CompareOptions& options,
                              const std::string& baseline) {
  std::vector<ArmPair> pairs;
  if (arms.empty()) return pairs;
  for (const std::string& text : options.pairs) pairs.push_back(pair_of(text, arms));
  if (!pairs.empty()) return pairs;
  const bool every_two = have_differences(arms.size());
  for (size_t base = 0; base < arms.size(); ++base)
    if (every_two || arms[base].arm == baseline)
      for (size_t other = every_two ? base + 1 : 0; other < arms.size(); ++other)
        if (other != base) pairs.push_back({other, base});
  return pairs;
}

std::optional<Clusters> clusters_in(const Predictions& predictions) {
  const auto column = predictions.texts.find(layout::kClusterColumn);
  if (column == predictions.texts.end()) return std::nullopt;
  return numbered(column->second);
}

Sides load_sides(const std::vector<std::string>& paths, const CompareOptions& options,
                 const std::string& baseline) {
  Sides sides;
  sides.examples_chosen = !options.left_out.empty();
  std::vector<StoredRun> runs = load_finished(paths, options.runs_were_found, sides.warnings);
  std::vector<RunGroup> groups = grouped(runs, options.group_by);
  std::vector<ArmPair> pairs = pairs_of(names_of(groups), options, baseline);
  if (!pairs.empty() || sides.examples_chosen) {
    const bool all = sides.examples_chosen || have_differences(groups.size());
    load_predictions(runs, all ? std::unordered_set<std::string>() : runs_of(groups, pairs),
                     options.runs_were_found, sides.warnings);
    groups = grouped(runs, options.group_by);  // the remaining ones
    pairs = pairs_of(names_of(groups), options, baseline);
  }
  for (const RunGroup& group : groups) {
    Side& side = sides.all.emplace_back();
    side.names = group.names;
    for (const StoredRun* run : group.runs) {
      side.paths.push_back(run->path);
      side.summaries.push_back(run->record.summary);
    }
  }
  if (!pairs.empty() || sides.examples_chosen) align(groups, options.left_out, sides);
  add_clusters(groups, options.clusters_of_data, sides);
  name_conditions(runs, sides);
  if (options.group_by.empty()) name_settings(groups, sides);
  if (options.is_public) name_lost(groups, options.is_public, sides);
  return sides;
}

}  // namespace minibert
