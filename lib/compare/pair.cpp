#include "compare/pair.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "core/text.h"
#include "record/layout.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr char kRight[] = "right";

void flatten(const json& node, const std::string& key, std::map<std::string, json>* out) {
  if (!node.is_object()) {
    (*out)[key] = node;
    return;
  }
  for (const auto& [name, value] : node.items())
    flatten(value, key.empty() ? name : key + "." + name, out);
}

// Configuration by key, with the arm's own keys beside the experiment's.
std::map<std::string, json> configuration(const RunRecord& record) {
  std::map<std::string, json> out;
  json config = record.config;
  if (config.is_object()) {
    const json arms = config.value("arms", json::array());
    config.erase("arms");
    if (arms.is_array() && !arms.empty()) flatten(arms.front(), "", &out);
  }
  flatten(config, "", &out);  // the model as it was built stands here, and counts
  return out;
}

void add_differences(const std::map<std::string, json>& first,
                     const std::map<std::string, json>& second, const std::string& prefix,
                     std::vector<KeyDifference>* out) {
  std::set<std::string> keys;
  for (const auto& [key, value] : first) keys.insert(key);
  for (const auto& [key, value] : second) keys.insert(key);
  for (const std::string& key : keys) {
    const auto a = first.find(key), b = second.find(key);
    const json left = a == first.end() ? json() : a->second;
    const json right = b == second.end() ? json() : b->second;
    if (left != right) out->push_back({prefix + key, left, right});
  }
}

// How good each example's answer is: a column, or whether the prediction is the gold text.
std::optional<std::vector<double>> goodness(const Predictions& predictions,
                                            const std::string& figure) {
  if (figure != kRight) {
    const auto found = predictions.numbers.find(figure);
    return found == predictions.numbers.end() ? std::nullopt : std::optional(found->second);
  }
  const auto gold = predictions.texts.find(layout::kGoldColumn),
             said = predictions.texts.find(layout::kPredictionColumn);
  if (gold == predictions.texts.end() || said == predictions.texts.end()) return std::nullopt;
  std::vector<double> out;
  for (size_t i = 0; i < gold->second.size(); ++i)
    out.push_back(gold->second[i] == said->second[i] ? 1 : 0);
  return out;
}

std::string text_at(const Predictions& predictions, const char* column, size_t row) {
  if (const auto found = predictions.texts.find(column); found != predictions.texts.end())
    return found->second[row];
  const auto number = predictions.numbers.find(column);
  return number == predictions.numbers.end() ? "" : json(number->second[row]).dump();
}

// Returns the files on which a run was evaluated, name by SHA-256: those of test, else of dev, else
// all from which its splits are cut.
std::map<std::string, std::string> test_files(const json& data) {
  std::map<std::string, std::string> files, of_test, of_dev;
  const auto list = data.is_object() ? data.find("files") : data.end();
  if (!data.is_object() || list == data.end() || !list->is_array()) return files;
  for (const json& file : *list) {
    if (!file.is_object()) continue;
    const std::string sha256 = file.value("sha256", ""), split = file.value("split", "");
    if (sha256.empty()) continue;
    files[sha256] = file.value("name", "");
    if (split == "test") of_test[sha256] = file.value("name", "");
    if (split == "dev") of_dev[sha256] = file.value("name", "");
  }
  return !of_test.empty() ? of_test : !of_dev.empty() ? of_dev : files;
}

std::string chosen_figure(const Predictions& first, const Predictions& second,
                          const std::string& wanted, std::span<const Measure> measures) {
  std::vector<std::string> both;
  for (const auto& [name, column] : first.numbers)
    if (second.numbers.contains(name) &&
        std::ranges::any_of(measures, [&](const Measure& one) { return one.name == name; }))
      both.push_back(name);
  if (!wanted.empty()) {
    if (std::ranges::count(both, wanted) > 0) return wanted;
    throw usage_error("--by: found " + wanted + ", expected a figure of examples of both runs" +
                      (both.empty() ? ", of which there is none" : ": " + joined(both)));
  }
  for (const Measure& measure : measures)
    if (measure.right && std::ranges::count(both, measure.name) > 0)
      return std::string(measure.name);
  if (goodness(first, kRight) && goodness(second, kRight) && both.empty()) return kRight;
  throw usage_error("--by: none is given, expected " +
                    (both.empty() ? "runs that keep what they predicted as text" : joined(both)));
}

}  // namespace

std::vector<KeyDifference> key_differences(const RunRecord& first, const RunRecord& second) {
  std::vector<KeyDifference> out;
  add_differences(configuration(first), configuration(second), "", &out);
  const auto flat = [](const json& node) {
    std::map<std::string, json> keys;
    flatten(node, "", &keys);
    return keys;
  };
  add_differences(flat(first.environment), flat(second.environment), "environment.", &out);
  add_differences(flat(first.data), flat(second.data), "data.", &out);
  return out;
}

std::vector<KeyDifference> setting_differences(const RunRecord& first, const RunRecord& second) {
  std::vector<KeyDifference> out;
  add_differences(configuration(first), configuration(second), "", &out);
  std::erase_if(out, [](const KeyDifference& one) {
    return one.first.is_null() || one.second.is_null() || one.key == "seed" || one.key == "seeds" ||
           one.key == "precision" || one.key.ends_with("init_from") || one.key.ends_with("run");
  });
  return out;
}

SameExamples::SameExamples(const RunRecord& first, const RunRecord& second) {
  const Predictions &a = *first.predictions, &b = *second.predictions;
  const auto add = [](const auto& columns, const auto& others, const char* name, auto* to) {
    const auto one = columns.find(name), other = others.find(name);
    if (one != columns.end() && other != others.end()) to->push_back({one->second, other->second});
  };
  add(a.texts, b.texts, layout::kGoldColumn, &gold_texts_);
  add(a.numbers, b.numbers, layout::kGoldColumn, &gold_numbers_);
  add(a.texts, b.texts, layout::kTextColumn, &texts_);
  const std::map<std::string, std::string> one = test_files(first.data),
                                           other = test_files(second.data);
  if (!texts_.empty() || one.empty() || other.empty()) return;
  for (const auto& [sha256, name] : other)
    if (!one.contains(sha256)) {
      why_ =
          "is measured on another test file (" + name + ", SHA-256 " + sha256.substr(0, 12) + "…)";
      return;
    }
}

const char* SameExamples::differs(size_t row, size_t other) const {
  const auto differ = [&](const auto& columns) {
    for (const auto& column : columns)
      if (column.differs(row, other)) return true;
    return false;
  };
  if (differ(gold_texts_) || differ(gold_numbers_)) return "right answer";
  return differ(texts_) ? "text" : nullptr;
}

ExamplePairs pair_examples(const RunRecord& first, const RunRecord& second,
                           const std::string& figure, std::span<const Measure> measures) {
  if (!first.predictions || !second.predictions)
    throw usage_error("a run without predictions has no examples to compare");
  const Predictions &a = *first.predictions, &b = *second.predictions;
  ExamplePairs out;
  out.figure = chosen_figure(a, b, figure, measures);
  const bool lower = std::ranges::any_of(measures, [&](const Measure& one) {
    return one.name == out.figure && one.better == Better::lower;
  });
  const SameExamples same(first, second);
  if (!same.why().empty())
    throw usage_error("the two runs predicted different examples: the second " + same.why());
  const std::vector<double> left = *goodness(a, out.figure), right = *goodness(b, out.figure);
  std::unordered_map<std::string, size_t> rows;
  for (size_t i = 0; i < b.id.size(); ++i) rows[b.id[i]] = i;
  for (size_t i = 0; i < a.id.size(); ++i) {
    const auto found = rows.find(a.id[i]);
    if (found == rows.end()) continue;
    const size_t k = found->second;
    if (const char* other = same.differs(i, k); other != nullptr)
      throw usage_error("the two runs predicted different examples: '" + a.id[i] +
                        "' has another " + other + " in each");
    ++out.examples;
    out.both_right += left[i] == 1 && right[k] == 1;
    if (left[i] == right[k]) continue;
    ((left[i] > right[k]) != lower ? out.first_better : out.second_better)
        .push_back({a.id[i], left[i], right[k], text_at(a, layout::kGoldColumn, i),
                    text_at(a, layout::kPredictionColumn, i),
                    text_at(b, layout::kPredictionColumn, k)});
  }
  if (out.examples == 0) throw usage_error("the two runs predicted different examples");
  out.first_alone = a.id.size() - out.examples;
  out.second_alone = b.id.size() - out.examples;
  const auto larger = [](const ExampleDifference& x, const ExampleDifference& y) {
    return std::abs(x.first - x.second) > std::abs(y.first - y.second);
  };
  std::ranges::stable_sort(out.first_better, larger);
  std::ranges::stable_sort(out.second_better, larger);
  return out;
}

}  // namespace minibert
