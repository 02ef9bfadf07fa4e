// Entities and their figures against values worked out by hand from KLUE's and seqeval's rules.
#include "score/entity_score.h"

#include <catch2/catch.hpp>

#include "support/message.h"

namespace minibert {
namespace {

using testing::message_of;
using Entities = std::vector<Entity>;

TEST_CASE("tags become entities under strict IOB2") {
  struct Case {
    const char* name;
    const char* tags;
    Entities entities;
  };
  const Case cases[] = {
      {"nothing", "", {}},
      {"no entity", "O O O", {}},
      {"one", "O B-PS I-PS I-PS O", {{"PS", 1, 4}}},
      {"at both ends", "B-PS O B-LC I-LC", {{"PS", 0, 1}, {"LC", 2, 4}}},
      {"a B ends the one before", "B-PS I-PS B-PS I-PS", {{"PS", 0, 2}, {"PS", 2, 4}}},
      {"of two types, side by side", "B-PS B-OG", {{"PS", 0, 1}, {"OG", 1, 2}}},
      {"I without B", "O I-PS I-PS O", {}},
      {"I of another type ends it and begins nothing", "B-PS I-LC I-LC", {{"PS", 0, 1}}},
      {"I after that does not go on", "B-PS I-LC I-PS", {{"PS", 0, 1}}},
      {"I after O does not go on", "B-PS O I-PS", {{"PS", 0, 1}}},
      {"a type with a hyphen", "B-A-B I-A-B", {{"A-B", 0, 2}}},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK(entities_of(split_tags(one.tags)) == one.entities);
  }
}

TEST_CASE("what is no tag is named") {
  for (const char* tag : {"PS", "B-", "I-", "E-PS", "o", "B_PS"}) {
    const auto tags = split_tags(tag);
    CHECK(message_of([&] { entities_of(tags); }) ==
          "tag '" + std::string(tag) + "', expected O, B-<type> or I-<type>");
  }
  CHECK(message_of([] { entity_macro_f1({"O  O"}, {"O O O"}); }) ==
        "tag '', expected O, B-<type> or I-<type>");
  CHECK(message_of([] { entity_macro_f1({"O O"}, {"O"}); }) == "1 predicted tags, expected 2");
  CHECK(message_of([] { character_macro_f1({"O O"}, {"O"}); }) == "1 predicted tags, expected 2");
  CHECK(message_of([] { entity_macro_f1({"O"}, {}); }) == "0 predicted sentences, expected 1");
}

TEST_CASE("an entity is right when its type and both its ends are") {
  const char* gold = "B-PS I-PS O B-QT I-QT O O B-PS O O B-OG I-OG";
  const char* predicted = "B-PS I-PS O B-QT O O I-PS I-PS O B-OG I-OG I-OG";
  const CountsByType counts = entity_counts(gold, predicted);
  const auto check = [&](const char* type, double correct, double expected, double found) {
    INFO(type);
    CHECK(counts.at(type).correct == correct);
    CHECK(counts.at(type).gold == expected);
    CHECK(counts.at(type).predicted == found);
  };
  check("PS", 1, 2, 1);
  check("QT", 0, 1, 1);
  check("OG", 0, 1, 1);
  CHECK(entity_macro_f1({gold}, {predicted}) == Approx(2.0 / 9));  // (2/3 + 0 + 0) / 3
  // scikit-learn 1.2: f1_score over the tags but O, average="macro".
  CHECK(character_macro_f1({gold}, {predicted}) == Approx(0.47222222222222215).epsilon(1e-12));
}

TEST_CASE("counts of sentences add up before the mean over types is taken") {
  // seqeval's manual, classification_report: MISC 0, PER 1.
  CHECK(entity_macro_f1({"O O O B-MISC I-MISC I-MISC O", "B-PER I-PER O"},
                        {"O O B-MISC I-MISC I-MISC I-MISC O", "B-PER I-PER O"}) == 0.5);
  // PS: 2 correct of 3 true and 2 predicted; LC: predicted once, never true.
  CHECK(entity_macro_f1({"B-PS O", "B-PS B-PS", ""}, {"B-PS O", "B-PS B-LC", ""}) ==
        Approx((4.0 / 5 + 0) / 2));
}

TEST_CASE("a text without entities scores 0") {
  CHECK(entity_macro_f1({"O O"}, {"O O"}) == 0);
  CHECK(character_macro_f1({"O O"}, {"O O"}) == 0);
  CHECK(entity_macro_f1(std::vector<std::string>{}, std::vector<std::string>{}) == 0);
}

}  // namespace
}  // namespace minibert
