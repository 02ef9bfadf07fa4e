// Model files with broken tokenizers: each an error and never a crash.
#include <catch2/catch.hpp>
#include <functional>

#include "load_error.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;

namespace {

std::string with_tokenizer(const std::string& tokenizer) {
  const auto model = small_model();
  auto source = sample_source(model);
  source.tokenizer_model = tokenizer;
  return make_mbq(source, random_weights(model), MbqWeights::int8);
}

// A protobuf field of bytes.
std::string field(int number, const std::string& bytes) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  for (size_t size = bytes.size();; size >>= 7) {
    out += static_cast<char>(size < 128 ? size : (size & 127) | 128);
    if (size < 128) break;
  }
  return out + bytes;
}

std::string words(const std::vector<uint32_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * 4};
}

// A SentencePiece model that is right but for its normalization table.
std::string with_table(const std::string& table) {
  return sample_tokenizer() + field(3, field(2, table));
}

// A double array of 256 units, all unused, and the values behind it.
std::string double_array(const std::function<void(std::vector<uint32_t>&)>& change,
                         const std::string& values = std::string(8, '\0')) {
  std::vector<uint32_t> units(256, 0x80000000u);
  change(units);
  return words({static_cast<uint32_t>(units.size() * 4)}) + words(units) + values;
}

}  // namespace

TEST_CASE("broken tokenizers are errors") {
  const std::string& good = sample_tokenizer();
  const auto root = [](uint32_t base) { return base << 10; };
  std::string piece = field(1, "x");
  std::string nan_score = field(1, "x") + std::string("\x15\x00\x00\xc0\x7f", 5);
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"empty", ""},
      {"text", "this is no protobuf message at all"},
      {"cut", good.substr(0, good.size() / 2)},
      {"one byte", good.substr(0, 1)},
      {"endless varint", std::string(64, '\xff')},
      {"no pieces", field(3, "")},
      {"group", std::string("\x0b\x0c", 2)},
      {"one piece", field(1, piece)},
      {"other special pieces", field(1, field(1, "a")) + good},
      {"empty piece", good + field(1, field(1, ""))},
      {"piece with NUL", good + field(1, field(1, std::string("a\0b", 3)))},
      {"piece not UTF-8", good + field(1, field(1, "\xff"))},
      {"piece without text", good + field(1, std::string("\x18\x01", 2))},
      {"score NaN", good + field(1, nan_score)},
      {"piece twice", good + field(1, field(1, "[PAD]"))},
      {"table of one byte", with_table("x")},
      {"table larger than it is", with_table(words({1 << 20}) + std::string(64, '\0'))},
      {"table of no whole units", with_table(words({6}) + std::string(64, '\0'))},
      {"table not ended", with_table(double_array([](auto&) {}, "abc"))},
      {"table not UTF-8", with_table(double_array([](auto&) {}, std::string("\xff\0", 2)))},
      {"table that leaves itself", with_table(double_array([&](auto& u) { u[0] = root(256); }))},
      {"child that leaves the table", with_table(double_array([&](auto& u) {
         u[0] = root(1);
         u[1 ^ 'a'] = root(0x1000) | 'a';
       }))},
      {"table that goes in a circle", with_table(double_array([&](auto& u) {
         u[0] = root(1);
         u[1 ^ 'a'] = root(1 ^ 1 ^ 'a') | 'a';
         u[1 ^ 'a' ^ (1 ^ 'a') ^ 1 ^ 'a'] = root(0) | 'a';
         for (uint32_t i = 1; i < 256; ++i) u[i] = root(i ^ (i ^ 1)) | (i ^ 1);
       }))},
      {"value beyond the replacements", with_table(double_array([&](auto& u) {
         u[0] = root(1);
         u[1 ^ 'a'] = root(1 ^ 'a' ^ 4) | 1u << 8 | 'a';
         u[4] = 0x80000000u | 1000;
       }))},
  };
  for (const auto& [name, tokenizer] : broken) {
    const std::string message = load_error(with_tokenizer(tokenizer));
    INFO(name << ": " << message);
    CHECK(message.find("tokenizer") != std::string::npos);
  }
}
