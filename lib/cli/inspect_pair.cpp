#include "cli/inspect_pair.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include "compare/pair.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/shown_json.h"
#include "core/utf8.h"
#include "report/example_texts.h"
#include "task/all/registry.h"

namespace minibert {
namespace {

constexpr size_t kLongestText = 60;  // bytes of a cell

std::string cell(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.size() <= kLongestText ? text : clipped(text, kLongestText) + "…";
}

std::string cell(const nlohmann::json& value) {
  if (value.is_null()) return "";
  return cell(value.is_string() ? value.get<std::string>() : value.dump());
}

// Inputs, by an example's id.
using AskedTexts = std::map<std::string, std::string>;

// Returns nothing if the data is no longer there; reports that for a user's files.
AskedTexts texts_of(const RunRecord& record) {
  ExampleTexts found = example_texts(record.data, {});
  if (!found.missing.empty() && record.data.contains("own"))
    std::cerr << "note: examples are shown without their texts: " << found.missing << "\n";
  return found.by_id;
}

nlohmann::ordered_json to_json(const std::vector<ExampleDifference>& examples,
                               const AskedTexts& texts) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const ExampleDifference& one : examples) {
    out.push_back({{"id", one.id},
                   {"first", one.first},
                   {"second", one.second},
                   {"gold", one.gold},
                   {"first_prediction", one.said},
                   {"second_prediction", one.other_said}});
    if (const auto text = texts.find(one.id); text != texts.end())
      out.back()["text"] = text->second;
  }
  return out;
}

void print(const std::string& heading, const std::vector<ExampleDifference>& examples, size_t show,
           const AskedTexts& texts) {
  if (examples.empty() || show == 0) return;
  Table table{{{"id", false}, {"gold", false}, {"first", false}, {"second", false}}, {}};
  if (!texts.empty()) table.columns.insert(table.columns.begin() + 1, {"text", false});
  for (size_t i = 0; i < std::min(show, examples.size()); ++i) {
    const ExampleDifference& one = examples[i];
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(one.id);
    const auto text = texts.find(one.id);
    if (!texts.empty()) row.push_back(text == texts.end() ? "" : cell(text->second));
    for (const std::string* one_cell : {&one.gold, &one.said, &one.other_said})
      row.push_back(cell(*one_cell));
  }
  std::cout << "\n"
            << heading << " (" << table.rows.size() << " of " << examples.size() << "):\n"
            << plain_table(table);
}

}  // namespace

void inspect_pair(const PairArguments& arguments) {
  const RunRecord first = load_record(arguments.first, Load::predictions),
                  second = load_record(arguments.second, Load::predictions);
  const std::vector<KeyDifference> keys = key_differences(first, second);
  std::optional<ExamplePairs> pairs;
  try {
    if (!arguments.settings) pairs = pair_examples(first, second, "", all_measures());
  } catch (const Error& error) {
    // Settings can be compared whatever the runs predict.
    std::cerr << "warning: examples are not compared: " << error.what() << "\n";
  }
  AskedTexts texts;
  if (pairs && (arguments.json || arguments.show > 0) &&
      pairs->first_better.size() + pairs->second_better.size() > 0)
    texts = texts_of(first);
  if (arguments.json) {
    nlohmann::ordered_json out = {{"first", arguments.first},
                                  {"second", arguments.second},
                                  {"keys", nlohmann::ordered_json::array()}};
    for (const KeyDifference& one : keys)
      out["keys"].push_back({{"key", one.key}, {"first", one.first}, {"second", one.second}});
    if (pairs)
      out["examples"] = {{"figure", pairs->figure},
                         {"count", pairs->examples},
                         {"both_right", pairs->both_right},
                         {"first_better", to_json(pairs->first_better, texts)},
                         {"second_better", to_json(pairs->second_better, texts)}};
    std::cout << shown_json(out) << "\n";
    return;
  }
  if (keys.empty()) std::cout << "both were made with the same configuration, machine and data\n";
  Table table{{{"key", false}, {"first", false}, {"second", false}}, {}};
  for (const KeyDifference& one : keys)
    table.rows.push_back({one.key, cell(one.first), cell(one.second)});
  if (!table.rows.empty()) std::cout << plain_table(table);
  if (!pairs) return;
  const size_t apart = pairs->first_better.size() + pairs->second_better.size();
  std::cout << "\n"
            << with_thousands(static_cast<double>(pairs->examples)) << " examples by "
            << pairs->figure << ": " << pairs->first_better.size() << " better in the first, "
            << pairs->second_better.size() << " in the second, " << pairs->examples - apart
            << " equal (" << pairs->both_right << " of them right in both)\n";
  if (pairs->first_alone + pairs->second_alone > 0)
    std::cout << with_thousands(static_cast<double>(pairs->first_alone))
              << " more are of the first run alone, "
              << with_thousands(static_cast<double>(pairs->second_alone)) << " of the second\n";
  print("Better in the first", pairs->first_better, arguments.show, texts);
  print("Better in the second", pairs->second_better, arguments.show, texts);
}

}  // namespace minibert
