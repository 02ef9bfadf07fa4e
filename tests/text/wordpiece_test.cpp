// WordPiece: the course's ids (S2), those of the tokenizers library, and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "text/byte_source.h"
#include "text/merges.h"
#include "text/tokenizer.h"

using namespace minibert;
using Catch::Matchers::Contains;

namespace {

const std::string& vocabulary() {
  static const std::string bytes =
      read_unpacked("experiments/data/bert-base-uncased/vocab.txt.zst", 1 << 20);
  return bytes;
}

const Tokenizer& uncased() {
  static const Tokenizer tokenizer = Tokenizer::from_bytes(vocabulary(), "vocab.txt");
  return tokenizer;
}

std::vector<std::string> pieces(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<std::string> out;
  for (const int32_t id : tokenizer.encode(text)) out.push_back(tokenizer.piece(id));
  return out;
}

using Pieces = std::vector<std::string>;

// A small vocabulary: the special pieces in BERT's order, then `more`, one a line.
std::string small_vocabulary(const std::string& more) {
  return "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n" + more;
}

}  // namespace

TEST_CASE("BERT's vocabulary gives the course's ids") {
  CHECK(uncased().size() == 30522);
  CHECK(uncased().is_wordpiece());
  CHECK_FALSE(uncased().is_bpe());
  CHECK(uncased().lone_space() == -1);
  CHECK(uncased().encode("BERT model test") == std::vector<int32_t>{14324, 2944, 3231});
  CHECK(pieces(uncased(), "BERT model test") == Pieces{"bert", "model", "test"});
  CHECK(uncased().encode("Hello BERT, how are you?") ==
        std::vector<int32_t>{7592, 14324, 1010, 2129, 2024, 2017, 1029});
  CHECK(uncased().encode("We are building BERT from scratch!") ==
        std::vector<int32_t>{2057, 2024, 2311, 14324, 2013, 11969, 999});
  // The beginning of WikiText-2's training text.
  CHECK(uncased().encode(" Senjō no Valkyria 3 : Unrecorded Chronicles ( Japanese : "
                         "戦場のヴァルキュリア3 , lit . Valkyria of the Battlefield 3 ) , "
                         "commonly referred to as Val") ==
        std::vector<int32_t>{12411, 5558,  2053,  11748, 4801,  4360,  1017,  1024,  4895,
                             2890,  27108, 5732,  11906, 1006,  2887,  1024,  1856,  1806,
                             1671,  30222, 30218, 30259, 30227, 30255, 30258, 30219, 2509,
                             1010,  5507,  1012,  11748, 4801,  4360,  1997,  1996,  11686,
                             1017,  1007,  1010,  4141,  3615,  2000,  2004,  11748});
}

TEST_CASE("special pieces have the ids of the vocabulary, and stand for themselves in a text") {
  const SpecialPieces& special = uncased().special();
  CHECK(special.pad == 0);
  CHECK(special.unk == 100);
  CHECK(special.cls == 101);
  CHECK(special.sep == 102);
  CHECK(special.mask == 103);
  CHECK(uncased().encode("the [MASK] is[SEP]") == std::vector<int32_t>{1996, 103, 2003, 102});
  CHECK(uncased().encode("[mask]") == uncased().encode("[ mask ]"));
  for (int32_t id = 0; id < uncased().size(); ++id) {
    const bool expected = id == 0 || (id >= 100 && id <= 103);
    REQUIRE(uncased().is_special(id) == expected);
    REQUIRE(uncased().starts_word(id) == (!expected && !uncased().piece(id).starts_with("##")));
  }
}

TEST_CASE("odd texts and real ones have the ids that the tokenizers library gives them") {
  const nlohmann::json texts = read_json("tests/peers/files/wordpiece.json");
  CHECK(texts.size() > 100);
  for (const nlohmann::json& one : texts) {
    INFO(one.at("text"));
    CHECK(uncased().encode(one.at("text").get<std::string>()) ==
          one.at("ids").get<std::vector<int32_t>>());
  }
}

TEST_CASE("a word's pieces are the longest from left to right, or it is unknown as a whole") {
  const Tokenizer tokenizer =
      Tokenizer::from_bytes(small_vocabulary("un\nuna\n##aff\n##able\n##b\nb\n"));
  CHECK(pieces(tokenizer, "unaffable") == Pieces{"[UNK]"});  // "una" first, then nothing fits
  CHECK(pieces(tokenizer, "unable") == Pieces{"[UNK]"});
  CHECK(pieces(tokenizer, "unb b") == Pieces{"un", "##b", "b"});
  CHECK(tokenizer.decode(tokenizer.encode("unb b")) == "unb b");
  const auto named = tokenizer.encode_named("unb Xyz");
  REQUIRE(named.size() == 3);
  CHECK(named[2].text == "xyz");
  CHECK(named[2].id == 1);
  CHECK(tokenizer.id("##b") == 9);
  CHECK(tokenizer.id("none") == 1);
  CHECK_THROWS_AS(tokenizer.decode({11}), Error);
  CHECK_THROWS_WITH(first_merges(tokenizer, 1), Contains("not BPE"));
  const std::string longest(100, 'b');
  CHECK(tokenizer.encode(longest).size() == 100);
  CHECK(pieces(tokenizer, longest + "b") == Pieces{"[UNK]"});
}

TEST_CASE("a vocabulary with capital letters keeps case and accents") {
  const Tokenizer cased = Tokenizer::from_bytes(small_vocabulary("Caf\n##é\ncafe\n"));
  CHECK(pieces(cased, "Café cafe CAFE") == Pieces{"Caf", "##é", "cafe", "[UNK]"});
  const Tokenizer plain = Tokenizer::from_bytes(small_vocabulary("caf\n##é\ncafe\n"));
  CHECK(pieces(plain, "Café cafe CAFE") == Pieces{"cafe", "cafe", "cafe"});
}

TEST_CASE("WordPieces are aligned with the bytes they came from") {
  const std::string text = "Sen\u0301jō,  戦場 각x [MASK]!";
  std::string seen;
  uint32_t at = 0;
  for (const AlignedPiece& piece : uncased().encode_aligned(text)) {
    REQUIRE(piece.begin < piece.end);
    REQUIRE(piece.end <= text.size());
    if (piece.begin >= at) seen += "|" + text.substr(piece.begin, piece.end - piece.begin);
    at = std::max(at, piece.end);
  }
  // A syllable's letters all stand for the syllable.
  CHECK(seen == "|Sen\u0301|jō|,|戦|場|각|x|[MASK]|!");
}

TEST_CASE("a bad vocabulary or text is refused with file and line") {
  const auto message = [](const std::string& bytes) {
    try {
      Tokenizer::from_bytes(bytes, "v.txt");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message(small_vocabulary("a\n\nb\n")) == "v.txt:7: is empty, expected a piece");
  CHECK(message(small_vocabulary("a\nb\na\n")) == "v.txt:8: the piece a is also in line 6");
  CHECK(message(small_vocabulary("a\n\xff\n")) == "v.txt:7: not valid UTF-8");
  CHECK(message("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n") ==
        "v.txt: has no piece [MASK], expected a WordPiece vocabulary");
  CHECK_THAT(message("[UNK]\n[PAD]\n"),
             Contains("nor a WordPiece vocabulary") && Contains("first line is [PAD]"));
  CHECK(message("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\na\r\n").empty());
  CHECK(message(small_vocabulary("a")).empty());
  CHECK_THROWS_WITH(uncased().encode("a\xff"), Contains("UTF-8"));
}
