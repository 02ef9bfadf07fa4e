#include "text/pair_encoder.h"

#include <catch2/catch.hpp>

#include "corpus/sample.h"
#include "support/real_data.h"
#include "text/line_reader.h"

namespace minibert::testing {
namespace {

std::vector<int32_t> encode(const PairEncoder& encoder, const std::string& text) {
  std::vector<int32_t> ids;
  encoder.encode(text, &ids);
  return ids;
}

void check_same_ids(const std::string& path, const Tokenizer& tokenizer) {
  const PairEncoder encoder(tokenizer);
  LineReader reader(path);
  std::vector<int32_t> ids;
  for (std::string line; reader.next(&line);) {
    ids.clear();
    encoder.encode(line, &ids);
    if (ids == tokenizer.encode(line)) continue;
    FAIL(reader.where() << ": " << line);
  }
}

}  // namespace

TEST_CASE("joining pairs gives SentencePiece's ids on the sample") {
  REQUIRE(PairEncoder(sample_tokenizer()).joins_pairs());
  check_same_ids(kSampleText, sample_tokenizer());
  check_same_ids("experiments/sample/corpus-dev.txt", sample_tokenizer());
  check_same_ids("experiments/sample/train.json", sample_tokenizer());
}

TEST_CASE("joining pairs gives SentencePiece's ids on real text of every kind") {
  if (!has_real_data({"kowiki/kowiki-dev.txt.zst", "nsmc/ratings_test.txt",
                      "klue-ner/klue-ner-v1.1_dev.tsv", "wikitext-2/valid.txt"}))
    return;
  const std::string data = data_folder();
  const Tokenizer tokenizer = Tokenizer::from_bytes(
      train_tokenizer({data + "/kowiki/kowiki-dev.txt.zst"}, {.vocab_size = 4000}));
  for (const char* file : {"kowiki/kowiki-dev.txt.zst", "nsmc/ratings_test.txt",
                           "klue-ner/klue-ner-v1.1_dev.tsv", "wikitext-2/valid.txt"})
    check_same_ids(data + "/" + file, tokenizer);
}

TEST_CASE("joining pairs gives SentencePiece's ids on odd text") {
  const PairEncoder encoder(sample_tokenizer());
  const std::vector<std::string> texts = {
      "",
      " ",
      "   앞뒤  빈칸   여럿   ",
      "\t탭\t과\u00a0넓은\u3000빈칸\u200b",
      "[MASK] 수도는[MASK]이다. [SEP][CLS] [ ] [PAD] [UNK]",
      "한자 漢字와 섞인漢字말",
      "쀍쀍 뷁뷁한 없는음절",
      "자모 ㄱㄴㄷ ㅋㅋㅋ 각 \u1100\u1161\u11a8",  // the last one is three characters
      "전각ＡＢＣ 반각 ﾊﾝ ① ㎏ ½ …",
      "그림 😀 👨\u200d👩\u200d👧 \u00e9 e\u0301",
      "▁ ▁▁ 밑▁줄 ▁앞",
      "3.14% (1950년~1953년) \"따옴표\" 'a' <b> {c} `d` \\e",
      std::string("널\0바이트 \0", 15),
      "\x01\x02제어\x7f문자",
      std::string(3000, 'a'),
      "가나다라마바사아자차카타파하가나다라마바사아자차카타파하가나다라마바사아자차카타파하가나다라"
      "마",
      "\xff\xfe 깨진 \xea\xb0 글자 \xed\xa0\x80 \xea",
  };
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(encode(encoder, text) == sample_tokenizer().encode(text));
  }
}

TEST_CASE("models that are not plain BPE are left to SentencePiece") {
  struct Case {
    std::string name;
    TokenizerSettings settings;
  };
  const std::vector<Case> cases = {
      {"unigram", {.type = "unigram", .vocab_size = 1000}},
      {"byte fallback", {.vocab_size = 1500, .byte_fallback = true}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const auto tokenizer = Tokenizer::from_bytes(train_tokenizer({kSampleText}, c.settings, true));
    CHECK_FALSE(PairEncoder(tokenizer).joins_pairs());
    check_same_ids("experiments/sample/corpus-dev.txt", tokenizer);
  }
}

}  // namespace minibert::testing
