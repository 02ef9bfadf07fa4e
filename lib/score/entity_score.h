// Finds named entities in tags of characters, and scores predicted tags as KLUE-NER does (Park et
// al., KLUE: Korean Language Understanding Evaluation, 2021; klue_baseline/metrics).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/tag_decode.h"

namespace minibert {

// Splits "B-PS I-PS O" into {"B-PS", "I-PS", "O"}: one tag a character, one space between tags.
// Views into `text`.
std::vector<std::string_view> split_tags(std::string_view text);

// Returns the entities of tags O, B-<type> and I-<type>, as seqeval finds them with mode="strict"
// and scheme=IOB2, which KLUE's own evaluation uses: an entity begins with B and goes on with I of
// the same type. An I that continues nothing belongs to no entity (seqeval's default, like
// conlleval, would begin one). Throws Error for any other tag.
std::vector<Entity> entities_of(std::span<const std::string_view> tags);

struct EntityCounts {
  double correct = 0, gold = 0, predicted = 0;
  void add(const EntityCounts& other, double times = 1);
};

// Counts entities by type: true ones, predicted ones, and those in both (equal type, begin, end).
// Counts of sentences add up. Throws Error if the numbers of tags differ.
using CountsByType = std::map<std::string, EntityCounts>;
CountsByType entity_counts(std::string_view gold, std::string_view prediction);

// Returns the mean of the types' F1 = 2 correct / (gold + predicted), 0 to 1, over types with a
// true or a predicted entity; 0 if there is none. Columns are as in /predictions: a row a sentence,
// its tags separated by spaces. KLUE scores only characters that are not spaces.
double entity_macro_f1(std::span<const EntityCounts> by_type);
double entity_macro_f1(const std::vector<std::string>& gold,
                       const std::vector<std::string>& prediction);

// Returns the mean of the tags' F1 over characters, 0 to 1, over the tags that occur except O, as
// KLUE describes it; its code counts O, too, and counts absent tags as 1.
double character_macro_f1(const std::vector<std::string>& gold,
                          const std::vector<std::string>& prediction);

}  // namespace minibert
