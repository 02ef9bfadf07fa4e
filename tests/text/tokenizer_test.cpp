// The tokenizer: training with the course's settings, encoding with byte alignment, merges.
#include "text/tokenizer.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/error.h"
#include "support/scratch.h"
#include "text/merges.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

const std::vector<std::string> kText = {"experiments/sample/corpus.txt"};

const std::string& model_of_1500() {
  static const std::string model = [] {
    TokenizerSettings settings;
    settings.vocab_size = 1500;
    return train_tokenizer(kText, settings);
  }();
  return model;
}

}  // namespace

TEST_CASE("a trained tokenizer has the course's special pieces and the size asked for") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(model_of_1500());
  CHECK(tokenizer.size() == 1500);
  const char* special[] = {"[PAD]", "[UNK]", "[BOS]", "[EOS]", "[SEP]", "[CLS]", "[MASK]"};
  for (int32_t id = 0; id < 7; ++id) CHECK(tokenizer.piece(id) == special[id]);
  CHECK(tokenizer.encode("서울은 [MASK]이다.").size() > 3);
  const auto ids = tokenizer.encode("서울은 [MASK]이다.");
  CHECK(std::count(ids.begin(), ids.end(), kMask) == 1);
}

TEST_CASE("training is deterministic") {
  TokenizerSettings settings;
  settings.vocab_size = 1500;
  CHECK(train_tokenizer(kText, settings) == model_of_1500());
}

TEST_CASE("a text too small for the vocabulary is an error, or gets what it allows") {
  TokenizerSettings settings;
  settings.vocab_size = 60000;
  CHECK_THROWS_WITH(train_tokenizer(kText, settings), Contains("60000 pieces"));
  const Tokenizer fitted = Tokenizer::from_bytes(train_tokenizer(kText, settings, true));
  CHECK(fitted.size() > 1500);
  CHECK(fitted.size() < 60000);
}

TEST_CASE("every piece is aligned with the bytes it came from") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(model_of_1500());
  for (const std::string text :
       {"세종대왕은 1443년에 훈민정음을 창제하였다.", "  앞뒤로   빈칸  ", "ＡＢＣ ㎏ 가나다",
        "漢字 emoji 😀 한글", "\u1112\u1161\u11ab\u1100\u116e\u11a8"}) {
    INFO(text);
    uint32_t at = 0;
    for (const AlignedPiece& piece : tokenizer.encode_aligned(text)) {
      CHECK(piece.begin >= at);
      CHECK(piece.end >= piece.begin);
      CHECK(piece.end <= text.size());
      at = piece.begin;
    }
  }
  const auto pieces = tokenizer.encode_aligned("서울은");
  CHECK(pieces.front().begin == 0);
  CHECK(pieces.back().end == std::string("서울은").size());
  REQUIRE(tokenizer.lone_space() > kMask);
  CHECK(tokenizer.piece(tokenizer.lone_space()) == "▁");
  CHECK(tokenizer.is_text(tokenizer.lone_space()));
  CHECK_FALSE(tokenizer.is_text(kMask));
}

TEST_CASE("decoding gives plain text back") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(model_of_1500());
  const std::string text = "한국의 역사는 길다.";
  CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
  CHECK_THROWS_AS(tokenizer.decode({1500}), Error);
}

TEST_CASE("merges join two pieces that were there before") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(model_of_1500());
  const auto merges = first_merges(tokenizer, 200);
  REQUIRE(merges.size() == 200);
  for (size_t i = 0; i < merges.size(); ++i) {
    CHECK(merges[i].rank == i + 1);
    CHECK(tokenizer.piece(kFirstOrdinaryPiece + static_cast<int32_t>(i)) ==
          merges[i].left + merges[i].right);
    CHECK(tokenizer.id(merges[i].left) != kUnk);
    CHECK(tokenizer.id(merges[i].right) != kUnk);
  }
}

TEST_CASE("unigram and byte fallback are options") {
  TokenizerSettings settings;
  settings.vocab_size = 1800;
  settings.type = "unigram";
  const Tokenizer unigram = Tokenizer::from_bytes(train_tokenizer(kText, settings));
  CHECK_FALSE(unigram.is_bpe());
  CHECK_THROWS_AS(first_merges(unigram, 10), Error);
  settings.type = "bpe";
  settings.byte_fallback = true;
  const Tokenizer bytes = Tokenizer::from_bytes(train_tokenizer(kText, settings));
  for (const int32_t id : bytes.encode("ꙮ")) CHECK(id != kUnk);
}

TEST_CASE("a bad tokenizer or text is refused with the reason") {
  CHECK_THROWS_WITH(Tokenizer::from_bytes("no model", "x.model"), Contains("x.model"));
  CHECK_THROWS_WITH(Tokenizer::from_file("nowhere.model"), Contains("nowhere.model"));
  const Scratch scratch;
  write_bytes(scratch / "empty.txt", "\n \n");
  write_bytes(scratch / "bad.txt", "좋은 줄\n\xff\xfe\n");
  CHECK_THROWS_WITH(train_tokenizer({scratch / "empty.txt"}, {}), Contains("every line"));
  CHECK_THROWS_WITH(train_tokenizer({scratch / "bad.txt"}, {}), Contains("bad.txt:2"));
  CHECK_THROWS_WITH(train_tokenizer({scratch / "nowhere.txt"}, {}), Contains("nowhere.txt"));
  // SentencePiece says no more than the condition.
  TokenizerSettings settings;
  settings.vocab_size = 1500;
  settings.character_coverage = 0.9;
  CHECK_THROWS_WITH(train_tokenizer(kText, settings),
                    Contains("1500 pieces on this text: ") && Contains("character_coverage"));
}
