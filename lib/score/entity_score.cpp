#include "score/entity_score.h"

#include <algorithm>

#include "core/error.h"
#include "score/label_score.h"

namespace minibert {
namespace {

constexpr std::string_view kOutside = "O";

void check_lengths(size_t gold, size_t prediction, const char* what) {
  if (gold != prediction)
    throw Error(std::to_string(prediction) + " predicted " + what + ", expected " +
                std::to_string(gold));
}

}  // namespace

std::vector<std::string_view> split_tags(std::string_view text) {
  std::vector<std::string_view> tags;
  while (!text.empty()) {
    const size_t space = text.find(' ');
    tags.push_back(text.substr(0, space));
    if (space == std::string_view::npos) break;
    text.remove_prefix(space + 1);
  }
  return tags;
}

std::vector<Entity> entities_of(std::span<const std::string_view> tags) {
  for (const std::string_view tag : tags)
    if (!is_tag(tag))
      throw Error("tag '" + std::string(tag) + "', expected O, B-<type> or I-<type>");
  return strict_entities(tags);
}

CountsByType entity_counts(std::string_view gold, std::string_view prediction) {
  const std::vector<std::string_view> gold_tags = split_tags(gold);
  const std::vector<std::string_view> predicted_tags = split_tags(prediction);
  check_lengths(gold_tags.size(), predicted_tags.size(), "tags");
  const std::vector<Entity> expected = entities_of(gold_tags);
  CountsByType counts;
  for (const Entity& entity : expected) counts[entity.type].gold += 1;
  for (const Entity& entity : entities_of(predicted_tags)) {
    EntityCounts& of_type = counts[entity.type];
    of_type.predicted += 1;
    if (std::find(expected.begin(), expected.end(), entity) != expected.end()) of_type.correct += 1;
  }
  return counts;
}

void EntityCounts::add(const EntityCounts& other, double times) {
  correct += times * other.correct;
  gold += times * other.gold;
  predicted += times * other.predicted;
}

double entity_macro_f1(std::span<const EntityCounts> by_type) {
  double sum = 0;
  int occurring = 0;
  for (const EntityCounts& count : by_type) {
    if (count.gold + count.predicted == 0) continue;
    sum += 2 * count.correct / (count.gold + count.predicted);
    ++occurring;
  }
  return occurring == 0 ? 0 : sum / occurring;
}

double entity_macro_f1(const std::vector<std::string>& gold,
                       const std::vector<std::string>& prediction) {
  check_lengths(gold.size(), prediction.size(), "sentences");
  CountsByType sums;
  for (size_t i = 0; i < gold.size(); ++i)
    for (const auto& [type, counts] : entity_counts(gold[i], prediction[i])) sums[type].add(counts);
  std::vector<EntityCounts> by_type;
  for (const auto& [type, counts] : sums) by_type.push_back(counts);
  return entity_macro_f1(by_type);
}

double character_macro_f1(const std::vector<std::string>& gold,
                          const std::vector<std::string>& prediction) {
  check_lengths(gold.size(), prediction.size(), "sentences");
  std::vector<std::string> gold_tags, predicted_tags;
  for (size_t i = 0; i < gold.size(); ++i) {
    for (const std::string_view tag : split_tags(gold[i])) gold_tags.emplace_back(tag);
    for (const std::string_view tag : split_tags(prediction[i])) predicted_tags.emplace_back(tag);
    check_lengths(gold_tags.size(), predicted_tags.size(), "tags");
  }
  return macro_f1(confusion_of(gold_tags, predicted_tags), kOutside);
}

}  // namespace minibert
