// Named entities from tags of characters, and the figures of predicted tags as KLUE-NER defines
// them (Park et al., KLUE: Korean Language Understanding Evaluation, 2021; klue_baseline/metrics).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/tag_decode.h"

namespace minibert {

// "B-PS I-PS O" as {"B-PS", "I-PS", "O"}: one tag a character, one space between them. Views into
// `text`.
std::vector<std::string_view> split_tags(std::string_view text);

// The entities of tags O, B-<type> and I-<type>, as seqeval finds them with mode="strict" and
// scheme=IOB2, which KLUE's own evaluation asks for: an entity begins with B and goes on with I of
// the same type. An I that continues nothing is part of no entity (seqeval's default, like
// conlleval, would begin one there). Throws Error for any other tag.
std::vector<Entity> entities_of(std::span<const std::string_view> tags);

struct EntityCounts {
  double correct = 0, gold = 0, predicted = 0;
  void add(const EntityCounts& other, double times = 1);
};

// By type: entities of the true tags, of the predicted tags, and of both alike (type, begin, end).
// Counts of sentences add up. Throws Error unless there are as many tags of both.
using CountsByType = std::map<std::string, EntityCounts>;
CountsByType entity_counts(std::string_view gold, std::string_view prediction);

// The mean of the types' F1 = 2 correct / (gold + predicted), 0 to 1, over types with a true or a
// predicted entity; 0 when there is none. Columns are as those of /predictions: a row a sentence,
// its tags separated by spaces. KLUE scores the characters that are not spaces.
double entity_macro_f1(std::span<const EntityCounts> by_type);
double entity_macro_f1(const std::vector<std::string>& gold,
                       const std::vector<std::string>& prediction);

// The mean of the tags' F1 over characters, 0 to 1, over tags that occur, O aside, as KLUE
// describes it; its code counts O, and tags that occur nowhere as 1.
double character_macro_f1(const std::vector<std::string>& gold,
                          const std::vector<std::string>& prediction);

}  // namespace minibert
