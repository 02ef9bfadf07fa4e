// SentencePiece models that would lead SentencePiece out of its memory: refused before it sees them.
#include "text/sentencepiece_check.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>

#include "support/message.h"
#include "text/sentencepiece_file.h"
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

// The model with every unit of its normalization table changed: a double array behind its size.
std::string with_changed_units(const std::function<uint32_t(uint32_t)>& change) {
  std::string model = sound_model();
  const std::string table = read_sentencepiece_file(model, "model").charsmap;
  uint32_t size = 0;
  REQUIRE(table.size() > sizeof size);
  std::memcpy(&size, table.data(), sizeof size);
  REQUIRE(table.size() > sizeof size + size);
  char* const units = model.data() + model.find(table) + sizeof size;
  for (uint32_t at = 0; at < size; at += 4) {
    uint32_t unit = 0;
    std::memcpy(&unit, units + at, sizeof unit);
    unit = change(unit);
    std::memcpy(units + at, &unit, sizeof unit);
  }
  return model;
}

}  // namespace

TEST_CASE("a SentencePiece model whose normalization table is spoiled is refused with the reason") {
  CHECK(sentencepiece_problem(sound_model()).empty());
  CHECK(message_of([] { Tokenizer::from_bytes(sound_model()); }) == "(no error)");
  CHECK(with_changed_units([](uint32_t unit) { return unit; }) == sound_model());
  const auto refusal = [](const std::string& bytes) {
    return message_of([&] { Tokenizer::from_bytes(bytes, "x.model"); });
  };
  const std::string outside =
      "x.model: not a SentencePiece model (its normalization table points outside itself) nor a "
      "WordPiece vocabulary, whose first line is [PAD], nor a tokenizer.json";
  // Each step of a walk leads far away.
  CHECK(refusal(with_changed_units([](uint32_t unit) {
          return (unit & 0x1ffu) | (0x3fffffu << 10) | (1u << 9);
        })) == outside);
  // What a walk finds lies far behind the replacements.
  CHECK(refusal(with_changed_units([](uint32_t unit) {
          return (unit & 0x80000000u) != 0 ? 0xffffff00u : unit;
        })) == outside);
}

TEST_CASE("a SentencePiece model that is cut or has a broken piece is refused with the reason") {
  const auto refusal = [](const std::string& bytes) {
    return message_of([&] { Tokenizer::from_bytes(bytes, "x.model"); });
  };
  const std::string begin = "x.model: not a SentencePiece model (";
  const std::string& good = sound_model();
  CHECK_THAT(refusal(good.substr(0, good.size() / 2)),
             Catch::StartsWith(begin + "it is cut short, or no protobuf message) nor a "));
  const std::string not_utf8("\x0a\x03\x0a\x01\xff", 5), no_text("\x0a\x02\x18\x01", 4);
  CHECK_THAT(refusal(good + not_utf8),
             Catch::StartsWith(begin + "a piece that is empty, not UTF-8, or has a NUL) nor a "));
  CHECK_THAT(refusal(good + no_text), Catch::StartsWith(begin + "a broken piece) nor a "));
}

}  // namespace minibert
