// SentencePiece models that would lead SentencePiece out of its memory are refused before it sees them. All kinds:
// tests/infer/corrupt_tokenizer_test.cpp.
#include "text/sentencepiece_check.h"

#include <catch2/catch.hpp>

#include "support/message.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

using testing::message_of;

const std::string& sound_model() {
  static const std::string model = [] {
    TokenizerSettings settings;
    settings.vocab_size = 1500;
    return train_tokenizer({"experiments/sample/corpus.txt"}, settings);
  }();
  return model;
}

}  // namespace

TEST_CASE("a SentencePiece model that is cut or has a broken piece is refused with the reason") {
  const auto refusal = [](const std::string& bytes) {
    return message_of([&] { Tokenizer::from_bytes(bytes, "x.model"); });
  };
  const std::string begin = "x.model: not a SentencePiece model (";
  const std::string& good = sound_model();
  CHECK(refusal(good) == "(no error)");
  CHECK_THAT(refusal(good.substr(0, good.size() / 2)),
             Catch::StartsWith(begin + "it is cut short, or no protobuf message) nor a "));
  const std::string not_utf8("\x0a\x03\x0a\x01\xff", 5), no_text("\x0a\x02\x18\x01", 4);
  CHECK_THAT(refusal(good + not_utf8),
             Catch::StartsWith(begin + "a piece that is empty, not UTF-8, or has a NUL) nor a "));
  CHECK_THAT(refusal(good + no_text), Catch::StartsWith(begin + "a broken piece) nor a "));
}

}  // namespace minibert
