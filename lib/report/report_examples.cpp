#include "report/report_examples.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

#include "record/layout.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kDecimals = 3;
// Room for examples on a page of at most 3 MB, beside its scripts and 50 runs' curves, compressed;
// and the compressed size of a byte of text.
constexpr double kMostBytes = 1.3e6, kTextByte = 0.3;
constexpr size_t kMostLabels = 20;  // more different predictions are answers, not labels

double bytes_of(const std::vector<std::string>& column) {
  double bytes = 0;
  for (const std::string& text : column) bytes += static_cast<double>(text.size()) * kTextByte;
  return bytes;
}

// A column of few different values, whatever they are.
double bytes_of_choices(size_t rows, size_t choices) {
  constexpr double kBits = 8;
  return static_cast<double>(rows) * std::log2(static_cast<double>(choices) + 1) / kBits;
}

struct Entry {
  const LabelledRun* run;
  size_t index = 0;  // among all runs
  size_t set = 0;
  bool first = true, labels = false;  // of its label; its predictions are labels

  const Predictions& predictions() const { return *run->record->predictions; }
};

bool has_labels(const Predictions& predictions) {
  const auto gold = predictions.texts.find(layout::kGoldColumn);
  const auto predicted = predictions.texts.find(layout::kPredictionColumn);
  if (gold == predictions.texts.end() || predicted == predictions.texts.end()) return false;
  std::set<std::string_view> labels;
  for (const auto* column : {&gold->second, &predicted->second})
    for (const std::string& label : *column)
      if (labels.insert(label).second && labels.size() > kMostLabels) return false;
  return true;
}

bool has_score(const Predictions& predictions, std::span<const Measure> measures) {
  return std::ranges::any_of(measures, [&](const Measure& measure) {
    return measure.better != Better::neither &&
           predictions.numbers.contains(std::string(measure.name));
  });
}

// Runs with predictions for the page.
std::vector<Entry> shown(const std::vector<LabelledRun>& runs, std::span<const Measure> measures,
                         std::vector<std::string>* warnings) {
  std::map<std::string, const LabelledRun*> first;  // by label
  std::set<std::string> mixed;
  for (const LabelledRun& run : runs) {
    if (!run.record->predictions) continue;
    const auto& [label, known] = *first.try_emplace(run.label, &run).first;
    if (known->record->predictions->id != run.record->predictions->id && mixed.insert(label).second)
      warnings->push_back(label + ": its runs predicted different examples, none is shown");
  }
  std::vector<Entry> out;
  for (const LabelledRun& run : runs) {
    if (!run.record->predictions || mixed.contains(run.label)) continue;
    Entry entry{.run = &run, .index = static_cast<size_t>(&run - runs.data())};
    entry.first = first.at(run.label) == &run;
    entry.labels = has_labels(entry.predictions());
    if (entry.labels || has_score(entry.predictions(), measures)) out.push_back(entry);
  }
  return out;
}

// The page's columns: the first measure for comparing all runs of a set (else the run's own first),
// and the columns for calibration.
std::set<std::string> columns_of(const Entry& entry, const std::vector<Entry>& all,
                                 std::span<const Measure> measures) {
  const auto has = [](const Entry& one, std::string_view name) {
    return one.predictions().numbers.contains(std::string(name));
  };
  std::set<std::string> out;
  const auto add_first = [&](auto&& names, auto&& fits) {
    const auto found = std::ranges::find_if(names, fits);
    if (found != names.end()) out.insert(std::string(*found));
    return found != names.end();
  };
  std::vector<std::string_view> scores;
  for (const Measure& measure : measures)
    if (measure.better != Better::neither) scores.push_back(measure.name);
  const auto own = [&](std::string_view name) { return has(entry, name); };
  const auto shared = [&](std::string_view name) {
    return std::ranges::all_of(
        all, [&](const Entry& one) { return one.set != entry.set || has(one, name); });
  };
  if (!add_first(scores, shared)) add_first(scores, own);
  const auto right = std::ranges::find_if(
      measures, [&](const Measure& measure) { return measure.right && own(measure.name); });
  if (right == measures.end()) return out;
  out.insert(std::string(right->name));
  if (own(right->probability)) out.insert(std::string(right->probability));
  return out;
}

json numbers_of(const Predictions& predictions, const std::set<std::string>& names, double* bytes) {
  json out = json::object();
  const double scale = std::pow(10, kDecimals);
  for (const std::string& name : names) {
    json& column = out[name] = json::array();
    std::set<double> choices;
    for (const double value : predictions.numbers.at(name)) {
      const double near = std::round(value * scale) / scale;
      column.push_back(std::isfinite(near) ? json(near) : json());
      if (std::isfinite(near)) choices.insert(near);
    }
    *bytes += bytes_of_choices(column.size(), choices.size());
  }
  return out;
}

json set_of(const RunRecord& record, const ExampleTexts& texts, double* bytes) {
  const Predictions& predictions = *record.predictions;
  json out = {{"id", predictions.id}};
  if (const auto gold = predictions.texts.find(layout::kGoldColumn);
      gold != predictions.texts.end()) {
    out["gold"] = gold->second;
    *bytes += bytes_of(gold->second);
  }
  if (texts.by_id.empty()) return out;
  json& column = out["text"] = json::array();
  for (const std::string& id : predictions.id) {
    const auto found = texts.by_id.find(id);
    column.push_back(found == texts.by_id.end() ? "" : found->second);
    *bytes += static_cast<double>(column.back().get_ref<const std::string&>().size()) * kTextByte;
  }
  return out;
}

}  // namespace

json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
  double out = value;
  if (error == std::errc()) std::from_chars(text, end, out);
  return out;
}

json report_examples(const std::vector<LabelledRun>& runs, std::span<const Measure> measures,
                     const DataPlaces& places, std::vector<std::string>* warnings) {
  std::vector<Entry> entries = shown(runs, measures, warnings);
  json out = {{"sets", json::array()}, {"runs", json::array()}};
  double bytes = 0;
  std::map<json, ExampleTexts> texts;                                // by the record's data
  std::map<std::pair<std::vector<std::string>, json>, size_t> sets;  // by ids and data's id
  for (Entry& entry : entries) {
    const RunRecord& record = *entry.run->record;
    json files = {{"id", record.data.value("id", "")},
                  {"files", record.data.value("files", json::array())}};
    if (record.data.contains("own")) files["own"] = record.data.at("own");
    const auto [known, is_new] =
        sets.try_emplace({record.predictions->id, files}, out["sets"].size());
    entry.set = known->second;
    if (!is_new) continue;
    const auto [found, looked_up] = texts.try_emplace(files);
    if (looked_up) {
      found->second = example_texts(files, places);
      if (!found->second.missing.empty())
        warnings->push_back("examples are shown without their texts: " + found->second.missing);
    }
    out["sets"].push_back(set_of(record, found->second, &bytes));
  }
  for (const Entry& entry : entries)
    out["runs"].push_back({{"run", entry.index},
                           {"set", entry.set},
                           {"numbers", numbers_of(entry.predictions(),
                                                  columns_of(entry, entries, measures), &bytes)}});
  // Labels cost little. Other predictions as far as they fit, every arm's first run before the others.
  size_t left_out = 0;
  for (const auto wanted : {+[](const Entry& entry) { return entry.labels; },
                            +[](const Entry& entry) { return !entry.labels && entry.first; },
                            +[](const Entry& entry) { return !entry.labels && !entry.first; }})
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto& columns = entries[i].predictions().texts;
      const auto column = columns.find(layout::kPredictionColumn);
      if (!wanted(entries[i]) || column == columns.end()) continue;
      const double more = entries[i].labels ? bytes_of_choices(column->second.size(), kMostLabels)
                                            : bytes_of(column->second);
      if (!entries[i].labels && bytes + more > kMostBytes) {
        ++left_out;
        continue;
      }
      bytes += more;
      out["runs"][i]["prediction"] = column->second;
    }
  if (left_out > 0)
    warnings->push_back("the page would become too large with all predicted texts: those of " +
                        std::to_string(left_out) + " of " + std::to_string(entries.size()) +
                        " runs are left out");
  return out;
}

}  // namespace minibert
