#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "core/parallel.h"
#include "core/utf8.h"
#include "data/splits/labelled_data.h"
#include "data/splits/tagged_data.h"
#include "data/statistics/counts.h"
#include "data/statistics/statistics.h"
#include "score/entity_score.h"
#include "score/label_set.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kBins = 100;

// Measures whole texts: nothing is cut, special pieces are not counted.
json lengths(const std::vector<std::string_view>& texts, const Tokenizer* tokenizer, int threads) {
  std::vector<double> values(texts.size());
  parallel_over(texts.size(), threads, [&] {
    return [&](size_t i) {
      values[i] = static_cast<double>(tokenizer ? tokenizer->encode(texts[i]).size()
                                                : to_code_points(texts[i]).size());
    };
  });
  return distribution(std::move(values), kBins);
}

std::optional<double> finite_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// Is the label a number to be found, as a score is? Not where labels or choices are listed, nor where
// whole numbers alone stand for classes.
bool is_a_target(const LabelledSplits& splits, const TableLayout& layout) {
  if (!layout.labels.empty() || !layout.choices.empty()) return false;
  bool fraction = false;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& example : *split) {
      if (!finite_number(example.label)) return false;
      fraction |= example.label.find('.') != std::string::npos;
    }
  return fraction;
}

void add_labels(const std::vector<LabelledExample>& examples, const TableLayout& layout,
                bool several, bool target, json* out) {
  if (target) {
    std::vector<double> values;
    for (const LabelledExample& example : examples) values.push_back(*finite_number(example.label));
    (*out)["target"] = distribution(std::move(values), kBins);
    (*out)["target"]["unit"] = layout.label;
    return;
  }
  std::map<std::string, size_t> counts;
  for (const TableLabel& label : layout.labels) counts[label.name] = 0;
  for (const LabelledExample& example : examples)
    if (several)
      for (const std::string& label : labels_of(example.label)) ++counts[label];
    else
      ++counts[example.label];
  (*out)["labels"] = counts;
}

json of_examples(const std::vector<LabelledExample>& examples, const TableLayout& layout,
                 bool several, bool target, const Tokenizer* tokenizer, int threads) {
  std::vector<std::string_view> texts, pairs, choices;
  for (const LabelledExample& example : examples) {
    texts.push_back(example.text);
    if (!layout.pair.empty()) pairs.push_back(example.pair);
    for (const std::string& choice : example.choices) choices.push_back(choice);
  }
  json out = {{"examples", examples.size()},
              {"unit", tokenizer ? "pieces" : "characters"},
              {"text_length", lengths(texts, tokenizer, threads)}};
  if (!pairs.empty()) out["pair_length"] = lengths(pairs, tokenizer, threads);
  if (!choices.empty()) out["choice_length"] = lengths(choices, tokenizer, threads);
  add_labels(examples, layout, several, target, &out);
  return out;
}

json of_sentences(const std::vector<TaggedSentence>& sentences, const Tokenizer* tokenizer,
                  int threads) {
  std::vector<std::string_view> texts;
  std::map<std::string, size_t> tags, entities;
  size_t all = 0;
  for (const TaggedSentence& sentence : sentences) {
    texts.push_back(sentence.text);
    for (const std::string& tag : sentence.tags) ++tags[tag];
    const std::vector<std::string_view> views(sentence.tags.begin(), sentence.tags.end());
    for (const Entity& entity : entities_of(views)) ++entities[entity.type], ++all;
  }
  return {{"sentences", sentences.size()},
          {"entities", all},
          {"unit", tokenizer ? "pieces" : "characters"},
          {"sentence_length", lengths(texts, tokenizer, threads)},
          {"entity_types", entities},
          {"tags", tags}};
}

// Returns {split: table(split)} for the non-empty splits.
template <class Splits, class Table>
json by_split(const Splits& splits, const Table& table) {
  json out = json::object();
  if (!splits.train.empty()) out["train"] = table(splits.train);
  if (!splits.dev.empty()) out["dev"] = table(splits.dev);
  if (!splits.test.empty()) out["test"] = table(splits.test);
  return out;
}

}  // namespace

json labelled_statistics(const ResolvedData& data, const Tokenizer* tokenizer, int threads) {
  const LabelledSplits splits = load_labelled(data);
  const bool several = data.source && data.source->table.several();
  const bool target = !several && is_a_target(splits, *data.set.table);
  return by_split(splits, [&](const std::vector<LabelledExample>& examples) {
    return of_examples(examples, *data.set.table, several, target, tokenizer, threads);
  });
}

json tagged_statistics(const ResolvedData& data, const Tokenizer* tokenizer, int threads) {
  return by_split(load_tagged(data), [&](const std::vector<TaggedSentence>& sentences) {
    return of_sentences(sentences, tokenizer, threads);
  });
}

}  // namespace minibert
