// A tokenizer.json of WordPiece: how text is treated, what is refused.
#include "text/wordpiece_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/message.h"
#include "text/tokenizer.h"

using namespace minibert;
using minibert::testing::message_of;
using nlohmann::json;

namespace {

WordPieceFile small_file() {
  WordPieceFile file;
  file.pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "한글", "cafe",
                 "café",  "Café",  "cafè",  "##s",   "漢",     "漢字"};
  return file;
}

std::vector<std::string> cut(const WordPieceFile& file, const std::string& text) {
  const Tokenizer tokenizer = Tokenizer::from_bytes(to_wordpiece_json(file));
  std::vector<std::string> out;
  for (const int32_t id : tokenizer.encode(text)) out.push_back(tokenizer.piece(id));
  return out;
}

using Cut = std::vector<std::string>;

}  // namespace

TEST_CASE("case, accents and ideographs are treated as the file says") {
  WordPieceFile file = small_file();
  file.treatment = {.lower_case = false, .strip_accents = false, .split_ideographs = true};
  CHECK(cut(file, "Cafés 한글 漢字") == Cut{"Café", "##s", "한글", "漢", "[UNK]"});
  file.treatment = {.lower_case = true, .strip_accents = false, .split_ideographs = false};
  CHECK(cut(file, "CAFÉs 한글 漢字") == Cut{"café", "##s", "한글", "漢字"});
  file.treatment = {.lower_case = true, .strip_accents = true, .split_ideographs = true};
  CHECK(cut(file, "CAFÉs 한글") == Cut{"cafe", "##s", "[UNK]"});  // Hangul falls to jamo
}

TEST_CASE("what is written is read back, and is told from byte-level BPE") {
  WordPieceFile file = small_file();
  file.treatment = {.lower_case = true, .strip_accents = false, .split_ideographs = false};
  const std::string bytes = to_wordpiece_json(file);
  const WordPieceFile back = read_wordpiece_json(bytes, "t.json");
  CHECK(back.pieces == file.pieces);
  CHECK(back.treatment == file.treatment);
  CHECK(to_wordpiece_json(back) == bytes);
  const Tokenizer tokenizer = Tokenizer::from_bytes(bytes);
  CHECK(tokenizer.is_wordpiece());
  CHECK_FALSE(tokenizer.is_byte_bpe());
  CHECK(is_wordpiece_json(R"({"model" : {"type" :"WordPiece"}})"));
  CHECK_FALSE(is_wordpiece_json(R"({"model": {"type": "BPE", "vocab": {"WordPiece": 1}}})"));
  CHECK_FALSE(is_wordpiece_json("[PAD]\n"));
}

TEST_CASE("accents follow lower-casing where the file does not say") {
  json file = json::parse(to_wordpiece_json(small_file()));
  file["normalizer"]["strip_accents"] = nullptr;
  CHECK(read_wordpiece_json(file.dump(), "t.json").treatment.strip_accents);
  file["normalizer"]["lowercase"] = false;
  CHECK_FALSE(read_wordpiece_json(file.dump(), "t.json").treatment.strip_accents);
}

TEST_CASE("a tokenizer.json of WordPiece that is another or damaged is refused with the key") {
  const auto refusal = [](const char* patch) {
    json file = json::parse(to_wordpiece_json(small_file()));
    file.merge_patch(json::parse(patch));
    return message_of([&] { Tokenizer::from_bytes(file.dump(), "t.json"); });
  };
  CHECK(refusal(R"({"normalizer": {"type": "Lowercase"}})") ==
        "t.json: normalizer.type: found \"Lowercase\", expected \"BertNormalizer\"");
  CHECK(refusal(R"({"normalizer": null})") ==
        "t.json: normalizer.type: found nothing, expected \"BertNormalizer\"");
  CHECK(refusal(R"({"normalizer": {"lowercase": 1}})") ==
        "t.json: normalizer.lowercase: found 1, expected true or false");
  CHECK(refusal(R"({"model": {"unk_token": "<unk>"}})") ==
        "t.json: model.unk_token: found \"<unk>\", expected \"[UNK]\"");
  CHECK(refusal(R"({"model": {"vocab": {"x": 99}}})") ==
        "t.json: model.vocab: no piece has the id 13");
  CHECK(refusal(R"({"model": {"vocab": {"x": 3}}})").ends_with("\" both have the id 3"));
  CHECK(refusal(R"({"model": {"vocab": {"x": 70000}}})") ==
        "t.json: model.vocab: \"x\": found 70000, expected an id below 65535");
  CHECK(refusal(R"({"added_tokens": [{"id": 13, "content": "[SEP]"}]})") ==
        "t.json: added_tokens: \"[SEP]\" has the ids 3 and 13");
  CHECK(refusal(R"({"added_tokens": [{"id": 13, "content": "<이름>"}]})") ==
        "t.json: added_tokens: found the piece \"<이름>\", expected only special pieces of the "
        "vocabulary");
  CHECK(refusal(R"({"model": {"vocab": {"[SEP]": null, "x": 3}}})").starts_with("t.json: "));
}
