// The lists of sentences that fill-mask is measured on are what they say they are: cloze.json, written
// sentences; cloze_choose.json and cloze_report.json, sentences as people type them, one half to
// choose models by, the other to report.
#include <bitset>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

#include "core/files.h"
#include "core/utf8.h"
#include "data/made/table_text.h"
#include "support/real_data.h"
#include "support/scratch.h"
#include "text/korean.h"
#include "text/line_reader.h"

namespace minibert {
namespace {

constexpr std::string_view kMask = "[MASK]";

const std::vector<std::string> kLists = {"cloze", "cloze_choose", "cloze_report"};

const nlohmann::json& sentences(const std::string& list) {
  static std::map<std::string, nlohmann::json> lists;
  nlohmann::json& read = lists[list];
  if (read.is_null()) read = read_json("tests/quality/" + list + ".json");
  return read.at("sentences");
}

// The sentences with every acceptable word in the mask's place, without the mark at the end.
std::vector<std::string> filled(const std::string& list) {
  std::vector<std::string> out;
  for (const auto& sentence : sentences(list)) {
    const std::string text = sentence.at("text");
    for (const std::string word : sentence.at("accept")) {
      out.push_back(text);
      out.back().replace(text.find(kMask), kMask.size(), word);
      out.back().pop_back();
    }
  }
  return out;
}

// Every twelve characters in a row of the filled sentences of the later lists, marks included.
std::vector<std::string> twelve_in_a_row() {
  constexpr size_t kRow = 12;
  std::set<std::string> out;
  for (const std::string& list : {kLists[1], kLists[2]})
    for (const auto& sentence : sentences(list))
      for (const std::string word : sentence.at("accept")) {
        std::string text = sentence.at("text");
        text.replace(text.find(kMask), kMask.size(), word);
        const std::u32string characters = to_code_points(text);
        for (size_t i = 0; i + kRow <= characters.size(); ++i)
          out.insert(to_utf8(std::u32string_view(characters).substr(i, kRow)));
      }
  return {out.begin(), out.end()};
}

// Finds texts of eight bytes or more in lines: by their first bytes, most places ruled out by a
// table.
class Finder {
 public:
  explicit Finder(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      REQUIRE(text.size() >= 8);
      of_start_[start(text.data())].push_back(text);
      may_start_.set(start(text.data()) % may_start_.size());
    }
  }
  // The first text found; empty when there is none.
  std::string in(const std::string& line) const {
    for (size_t i = 0; i + 8 <= line.size(); ++i) {
      const uint64_t here = start(line.data() + i);
      if (!may_start_[here % may_start_.size()]) continue;
      const auto found = of_start_.find(here);
      if (found == of_start_.end()) continue;
      for (const std::string& text : found->second)
        if (line.compare(i, text.size(), text) == 0) return text;
    }
    return "";
  }

 private:
  static uint64_t start(const char* bytes) {
    uint64_t out = 0;
    std::memcpy(&out, bytes, sizeof out);
    return out;
  }
  std::unordered_map<uint64_t, std::vector<std::string>> of_start_;
  std::bitset<65521> may_start_;  // a prime: all bytes count
};

TEST_CASE("the cloze list has 100 everyday and 100 encyclopaedic sentences, each once") {
  std::map<std::string, int> kinds;
  std::set<std::string> texts;
  for (const auto& sentence : sentences("cloze")) {
    ++kinds[sentence.at("kind")];
    CHECK(texts.insert(sentence.at("text")).second);
  }
  CHECK(kinds == std::map<std::string, int>{{"encyclopaedic", 100}, {"everyday", 100}});
}

TEST_CASE("the lists to choose and to report by have 200 sentences each, none of them twice") {
  std::set<std::string> texts;
  for (const std::string& list : kLists) {
    std::map<std::string, int> kinds;
    for (const auto& sentence : sentences(list)) {
      ++kinds[sentence.at("kind")];
      INFO(sentence.at("text"));
      CHECK(texts.insert(sentence.at("text")).second);
    }
    if (list == "cloze") continue;
    CHECK(sentences(list).size() >= 200);
    CHECK(kinds.size() == 5);
    for (const char* kind : {"everyday", "dialog", "school", "encyclopaedic", "inside"})
      CHECK(kinds[kind] >= 20);
  }
}

TEST_CASE("every sentence has one mask at the beginning of a word, and whole words for it") {
  const std::string list = GENERATE(from_range(kLists));
  for (const auto& sentence : sentences(list)) {
    const std::string text = sentence.at("text");
    INFO(text);
    CHECK(sentence.size() == 3);
    const size_t at = text.find(kMask);
    REQUIRE(at != std::string::npos);
    CHECK(text.find(kMask, at + 1) == std::string::npos);
    // Or, of kind inside, behind a part of its word.
    CHECK((at == 0 || text[at - 1] == ' ') == (sentence.at("kind") != "inside"));
    CHECK((text.ends_with('.') || text.ends_with('?') || text.ends_with('!')));
    std::set<std::string> accepted;
    for (const std::string word : sentence.at("accept")) {
      INFO(word);
      CHECK_FALSE(word.empty());
      CHECK(word.find_first_of(" .,?[]") == std::string::npos);
      CHECK(accepted.insert(word).second);
    }
    CHECK_FALSE(accepted.empty());
  }
}

TEST_CASE("the particle behind a mask agrees with every acceptable word") {
  const std::string list = GENERATE(from_range(kLists));
  for (const auto& sentence : sentences(list)) {
    const std::string text = sentence.at("text");
    const std::u32string behind = to_code_points(text.substr(text.find(kMask) + kMask.size()));
    const std::u32string particle =
        behind.substr(0, std::min(behind.find_first_of(U" .,?!"), behind.size()));
    for (const std::string word : sentence.at("accept")) {
      INFO(text << " " << word);
      // 이다 follows every noun.
      if (!particle.empty() && particle != U"이다")
        CHECK(to_utf8(agreeing_particle(to_code_points(word), particle)) == to_utf8(particle));
    }
  }
}

// Fails for every line of the text that holds a sentence of cloze.json, or of the others twelve
// characters in a row.
void check_without_sentences(const std::string& path) {
  const Finder finder(filled("cloze")), rows(twelve_in_a_row());
  REQUIRE(finder.in("그는 말했다. 물은 섭씨 0도에서 얼음이 된다.") ==
          "물은 섭씨 0도에서 얼음이 된다");
  LineReader reader(path);
  for (std::string line; reader.next(&line);)
    for (const std::string& found : {finder.in(line), rows.in(line)})
      if (!found.empty()) FAIL_CHECK(reader.where() << ": " << found);
}

TEST_CASE("no sentence of the lists stands in the training text of Wikipedia") {
  if (!testing::has_real_data({"kowiki/kowiki-train.txt.zst"})) return;
  check_without_sentences(testing::data_folder() + "/kowiki/kowiki-train.txt.zst");
}

TEST_CASE("no sentence of the lists stands in the training text of everyday Korean") {
  if (!testing::has_real_data({"nsmc/ratings_train.txt", "3i4k/fci_train_val.txt",
                               "everyday/chatbot-data.csv", "everyday/parakqc-v1.txt",
                               "stylekqc/act-train.tsv", "sae4k/sae4k_v1.txt",
                               "kornlu/sts-train.tsv"}))
    return;
  std::vector<ResolvedData> sets;
  for (const char* id : {"nsmc", "3i4k", "kobest-sentineg", "kobest-hellaswag", "kobest-boolq",
                         "chatbot-data", "parakqc", "stylekqc", "sae4k", "korsts", "kobest-copa"})
    sets.push_back(choose(Registry::load(), {id}, testing::data_folder()));
  const testing::Scratch folder;
  write_table_text(sets, folder / "everyday-train.txt");
  check_without_sentences(folder / "everyday-train.txt");
}

}  // namespace
}  // namespace minibert
