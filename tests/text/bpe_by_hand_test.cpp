// Byte-pair encoding by hand: a small text by head, real text against a program that rescans it.
#include "text/bpe_by_hand.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "support/real_data.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "text/line_reader.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

BpeByHand of_lines(const std::vector<std::string>& lines) {
  BpeByHand bpe;
  for (const std::string& line : lines) bpe.add_line(line);
  return bpe;
}

// The same words, pairs and merges as tests/text/bpe_reference.py finds.
void check_against_reference(const std::vector<std::string>& files, int merges) {
  std::string arguments;
  BpeByHand bpe;
  for (const std::string& file : files) {
    arguments += " " + single_quoted(file);
    LineReader reader(file);
    for (std::string line; reader.next(&line);) bpe.add_line(line);
  }
  const ShellResult reference =
      shell("/usr/bin/python3 tests/text/bpe_reference.py " + std::to_string(merges) + arguments);
  INFO(reference.output.substr(0, 500));
  REQUIRE(reference.status == 0);
  std::istringstream lines(reference.output);
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(nlohmann::json::parse(line).at("words") == bpe.words());
  CHECK(nlohmann::json::parse(line).at("pairs") == bpe.pairs());
  int done = 0;
  for (; std::getline(lines, line); ++done) {
    const auto expected = nlohmann::json::parse(line);
    const auto found = bpe.merge();
    REQUIRE(found);
    INFO("merge " << done + 1 << ": " << line);
    REQUIRE(found->left == expected.at("left").get<std::string>());
    REQUIRE(found->right == expected.at("right").get<std::string>());
    REQUIRE(found->count == expected.at("count"));
    for (size_t i = 0; i < 5; ++i)
      REQUIRE(bpe.symbols(i) == expected.at("words").at(i).get<std::string>());
  }
  CHECK(done == merges);
}

}  // namespace

TEST_CASE("words and pairs are counted in the order of the text") {
  const BpeByHand bpe = of_lines({" low lower\tlow ", "", "new low\u00a0newer"});
  REQUIRE(bpe.words() == 4);
  CHECK(bpe.symbols(0) == "l o w </w>");
  CHECK(bpe.symbols(1) == "l o w e r </w>");
  CHECK(bpe.count(0) == 3);
  CHECK(bpe.count(1) == 1);
  CHECK(bpe.pairs() == 8);
  const auto first = bpe.first_pairs(4);
  REQUIRE(first.size() == 4);
  CHECK(first[0].left + first[0].right == "lo");
  CHECK(first[0].count == 4);
  CHECK(first[2].right == "</w>");
  CHECK(first[2].count == 4);  // low three times, new once
  CHECK(first[3].left + first[3].right == "we");
  CHECK(first[3].count == 2);
  CHECK(bpe.first_pairs(100).size() == 8);
}

TEST_CASE("of pairs that are as frequent the first in the text is merged") {
  BpeByHand bpe = of_lines({"low lower low new low newer"});
  const char* expected[] = {"l o 4", "lo w 4", "low </w> 3", "e r 2", "er </w> 2", "n e 2"};
  for (const char* one : expected) {
    const auto found = bpe.merge();
    REQUIRE(found);
    CHECK(found->left + " " + found->right + " " + std::to_string(found->count) == one);
  }
  CHECK(bpe.symbols(0) == "low</w>");
  CHECK(bpe.symbols(3) == "ne w er</w>");
}

TEST_CASE("merges join from left to right, and end when every word is one symbol") {
  BpeByHand bpe = of_lines({"aaa"});
  CHECK(bpe.pairs() == 2);  // a a twice, a </w>
  CHECK(bpe.merge()->count == 2);
  CHECK(bpe.symbols(0) == "aa a </w>");
  CHECK(bpe.merge()->left == "aa");
  CHECK(bpe.merge()->right == "</w>");
  CHECK(bpe.symbols(0) == "aaa</w>");
  CHECK(bpe.pairs() == 0);
  CHECK_FALSE(bpe.merge());
  CHECK_FALSE(BpeByHand().merge());
  CHECK_THROWS_WITH(BpeByHand().add_line("a\xff"), Contains("UTF-8"));
}

TEST_CASE("a word is cut by the merges in their order") {
  const Merges merges = {{"e", "</w>", 5}, {"t", "h", 4}, {"th", "e</w>", 3}, {"e", "r", 2}};
  const auto rows = apply_merges("there", merges);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == std::vector<std::string>{"t", "h", "e", "r", "e", "</w>"});
  CHECK(rows[1] == std::vector<std::string>{"t", "h", "e", "r", "e</w>"});
  CHECK(rows[4] == std::vector<std::string>{"th", "er", "e</w>"});
  CHECK(merged_pieces("the", merges) == std::vector<std::string>{"the</w>"});
  CHECK(merged_pieces("tö", merges) == std::vector<std::string>{"t", "ö"});
}

TEST_CASE("the vocabulary holds the special pieces and the merges; all else is [UNK]") {
  const Merges merges = {{"b", "c", 5}, {"a", "b", 4}, {"a", "bc", 3}, {"ab", "c", 2}};
  const MergedVocabulary vocabulary(merges);
  REQUIRE(vocabulary.pieces().size() == 8);
  CHECK(vocabulary.id("[MASK]") == 4);
  CHECK(vocabulary.id("bc") == 5);
  CHECK(vocabulary.id("abc") == 8);  // the later of two merges
  CHECK(vocabulary.id("x") == 1);
  CHECK(vocabulary.id("a") == 1);
}

TEST_CASE("WikiText-2's merges are those of the course") {
  if (!has_real_data({"wikitext-2-raw/wiki.train.raw"}, "WikiText-2, raw")) return;
  BpeByHand bpe;
  std::istringstream lines(read_file(data_folder() + "/wikitext-2-raw/wiki.train.raw"));
  for (std::string line; std::getline(lines, line);) bpe.add_line(line);
  CHECK(bpe.words() == 76616);
  CHECK(bpe.pairs() == 5504);
  // The notebook prints seven steps with their counts, then the vocabulary of all ten merges.
  const std::string end(kWordEnd);
  const Merges course = {{"e", end, 315788}, {"s", end, 228389}, {"t", "h", 199390},
                         {"d", end, 187275}, {"n", end, 171069}, {"e", "r", 137656},
                         {"t", end, 128094}};
  Merges found;
  while (found.size() < 10) found.push_back(bpe.merge().value());
  for (size_t i = 0; i < course.size(); ++i) {
    CHECK(found[i].left + " " + found[i].right == course[i].left + " " + course[i].right);
    CHECK(found[i].count == course[i].count);
  }
  const char* pieces[] = {"e</w>", "s</w>", "th",      "d</w>", "n</w>",
                          "er",    "t</w>", "the</w>", "in",    "an"};
  const MergedVocabulary vocabulary(found);
  for (int32_t i = 0; i < 10; ++i) CHECK(vocabulary.id(pieces[i]) == 5 + i);
}

TEST_CASE("the merges of real text are those of a program that counts anew at every step") {
  check_against_reference({"experiments/sample/corpus.txt"}, 400);
  if (has_real_data({"wikitext-2/valid.txt"}, "WikiText-2"))
    check_against_reference(
        {"experiments/sample/corpus.txt", data_folder() + "/wikitext-2/valid.txt"}, 40);
}
