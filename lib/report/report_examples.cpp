#include "report/report_examples.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "record/layout.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kDigits = 3;

// A label's predictions: texts of the first run, numbers summed over all.
struct Sums {
  const RunRecord* first;
  std::map<std::string, std::vector<double>> numbers;
  int runs = 1;
  bool same_ids = true;

  explicit Sums(const RunRecord& record) : first(&record), numbers(record.predictions->numbers) {}

  void add(const Predictions& predictions) {
    same_ids = same_ids && predictions.id == first->predictions->id;
    if (!same_ids) return;
    std::erase_if(numbers,
                  [&](const auto& column) { return !predictions.numbers.contains(column.first); });
    for (auto& [name, sums] : numbers)
      std::ranges::transform(sums, predictions.numbers.at(name), sums.begin(), std::plus<>());
    ++runs;
  }

  json means() const {
    json out = json::object();
    for (const auto& [name, sums] : numbers) {
      json& column = out[name] = json::array();
      for (const double sum : sums) column.push_back(rounded(sum / runs, kDigits));
    }
    return out;
  }
};

json set_of(const RunRecord& record, const ExampleTexts& texts) {
  const Predictions& predictions = *record.predictions;
  json out = {{"id", predictions.id}};
  if (const auto gold = predictions.texts.find(layout::kGoldColumn);
      gold != predictions.texts.end())
    out["gold"] = gold->second;
  if (texts.by_id.empty()) return out;
  json& column = out["text"] = json::array();
  for (const std::string& id : predictions.id) {
    const auto found = texts.by_id.find(id);
    column.push_back(found == texts.by_id.end() ? "" : found->second);
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

json report_examples(const std::vector<LabelledRun>& runs, const DataPlaces& places,
                     std::vector<std::string>* warnings) {
  std::vector<std::pair<std::string, Sums>> arms;
  for (const auto& [label, record] : runs) {
    if (!record->predictions) continue;
    const auto known = std::ranges::find(
        arms, label, [](const auto& arm) -> const auto& { return arm.first; });
    if (known == arms.end())
      arms.emplace_back(label, Sums(*record));
    else
      known->second.add(*record->predictions);
  }
  json out = {{"sets", json::array()}, {"arms", json::array()}};
  std::map<json, ExampleTexts> texts;                                // by the record's data
  std::map<std::pair<std::vector<std::string>, json>, size_t> sets;  // by ids and data's id
  for (const auto& [label, sums] : arms) {
    if (!sums.same_ids) {
      warnings->push_back(label + ": its runs predicted different examples, none is shown");
      continue;
    }
    const RunRecord& record = *sums.first;
    const json files = {{"id", record.data.value("id", "")},
                        {"files", record.data.value("files", json::array())}};
    const auto [known, is_new] =
        sets.try_emplace({record.predictions->id, files}, out["sets"].size());
    if (is_new) {
      const auto [found, looked_up] = texts.try_emplace(files);
      if (looked_up) {
        found->second = example_texts(files, places);
        if (!found->second.missing.empty())
          warnings->push_back("examples are shown without their texts: " + found->second.missing);
      }
      out["sets"].push_back(set_of(record, found->second));
    }
    json columns = record.predictions->texts;
    columns.erase(layout::kGoldColumn);
    out["arms"].push_back(
        {{"label", label}, {"set", known->second}, {"texts", columns}, {"numbers", sums.means()}});
  }
  return out;
}

}  // namespace minibert
