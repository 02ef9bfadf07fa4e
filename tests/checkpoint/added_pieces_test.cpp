// What stands beside a WordPiece vocabulary in Hugging Face's form: pieces that were added, which are refused, special
// ones by name, and how text is treated where two files say it.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "checkpoint/huggingface_tokenizer.h"
#include "support/message.h"
#include "support/scratch.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::message_of;
using testing::Scratch;
using testing::write_bytes;
using Cut = std::vector<std::string>;

constexpr BertTreatment kCased = {.lower_case = false, .strip_accents = false};
constexpr char kFewPieces[] =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nname\nx\n##x\n<\n>\n이름\n";  // the next id is 11

// The few pieces as a folder's tokenizer.json, which lists its special pieces and `more` as added.
void write_tokenizer(const Scratch& folder, const std::vector<std::string>& more = {}) {
  json all = json::parse(to_wordpiece_json({read_wordpiece_lines(kFewPieces, "few"), kCased}));
  for (const std::string& piece : more)
    all["added_tokens"].push_back({{"id", 11}, {"content", piece}});
  write_bytes(folder / "tokenizer.json", all.dump());
}

void write_settings(const Scratch& folder, const json& settings) {
  write_bytes(folder / "tokenizer_config.json", settings.dump());
}

Cut cut_by(const Scratch& folder, const std::string& text) {
  const Tokenizer tokenizer =
      Tokenizer::from_bytes(read_huggingface_tokenizer(folder.path()).bytes);
  Cut out;
  for (const int32_t id : tokenizer.encode(text)) out.push_back(tokenizer.piece(id));
  return out;
}

// Returns the refusal of the folder's tokenizer, without the folder's name.
std::string refusal_of(const Scratch& folder) {
  const std::string message = message_of([&] { read_huggingface_tokenizer(folder.path()); });
  CHECK(message.find('\n') == std::string::npos);
  return message.starts_with(folder / "") ? message.substr((folder / "").size()) : message;
}

std::string treatment_of(const Scratch& folder) {
  return read_huggingface_tokenizer(folder.path()).treatment;
}

}  // namespace

TEST_CASE("a piece that was added to the vocabulary is refused, whichever file lists it") {
  const Scratch folder;
  const std::string refused =
      ": found the piece \"<NAME>\", expected only special pieces of the vocabulary";
  write_tokenizer(folder, {"<NAME>"});
  CHECK(refusal_of(folder) == "tokenizer.json: added_tokens" + refused);
  write_tokenizer(folder);
  CHECK(refusal_of(folder) == "(no error)");
  for (const bool as_json : {true, false}) {
    if (!as_json) {
      std::filesystem::remove(folder / "tokenizer.json");
      write_bytes(folder / "vocab.txt", kFewPieces);
    }
    write_settings(folder, {{"added_tokens_decoder", {{"11", {{"content", "<NAME>"}}}}}});
    CHECK(refusal_of(folder) == "tokenizer_config.json: added_tokens_decoder.11" + refused);
    write_settings(folder, {{"additional_special_tokens", {"[MASK]", "<NAME>"}}});
    CHECK(refusal_of(folder) == "tokenizer_config.json: additional_special_tokens" + refused);
    // So is one of the vocabulary that a text would have as a piece.
    write_settings(folder, {{"additional_special_tokens", {"name"}}});
    CHECK_THAT(refusal_of(folder), Contains("found the piece \"name\""));
    write_settings(folder, {{"added_tokens_decoder", {{"4", {{"content", "[MASK]"}}}}}});
    CHECK(refusal_of(folder) == "(no error)");
    write_bytes(folder / "added_tokens.json", R"({"<NAME>": 11})");
    CHECK(refusal_of(folder) == "added_tokens.json" + refused);
    write_bytes(folder / "added_tokens.json", R"(["x"])");
    CHECK(refusal_of(folder) == "added_tokens.json: found array, expected an object");
    std::filesystem::remove(folder / "added_tokens.json");
  }
}

TEST_CASE(
    "settings that name other special pieces are refused; how they name them does not matter") {
  const Scratch folder;
  write_bytes(folder / "vocab.txt", kFewPieces);
  write_bytes(folder / "tokenizer_config.json",
              R"({"do_lower_case": false, "model_max_length": 1000000000000000019884624838656,
                  "unk_token": {"__type": "AddedToken", "content": "[UNK]", "lstrip": false},
                  "cls_token": {"content": "[CLS]"}, "sep_token": "[SEP]", "mask_token": null})");
  CHECK(cut_by(folder, "name y") == Cut{"name", "[UNK]"});
  for (const char* key : {"unk_token", "cls_token", "sep_token", "mask_token"}) {
    const std::string upper = key == std::string("unk_token")   ? "[UNK]"
                              : key == std::string("cls_token") ? "[CLS]"
                              : key == std::string("sep_token") ? "[SEP]"
                                                                : "[MASK]";
    for (const json& name : {json("x"), json({{"content", "x"}})}) {
      write_settings(folder, {{key, name}});
      CHECK(refusal_of(folder) == std::string("tokenizer_config.json: ") + key +
                                      ": found \"x\", expected \"" + upper + "\"");
    }
  }
}

TEST_CASE("how text is treated is what transformers takes of two files, and which is told") {
  const Scratch folder;
  const auto read = [&](const json& settings) {
    write_settings(folder, settings);
    return treatment_of(folder);
  };
  write_tokenizer(folder);
  CHECK(read(json::object()) == "case kept, accents kept (tokenizer.json)");
  CHECK(read({{"do_lower_case", false}}) == "case kept, accents kept (tokenizer_config.json)");
  // BERT's classes make the words anew, by their settings.
  json lower = {{"do_lower_case", true}};
  for (const char* name : {"BertTokenizer", "BertTokenizerFast", "ElectraTokenizerFast"}) {
    lower["tokenizer_class"] = name;
    CHECK(read(lower) == "lower case, accents stripped (tokenizer_config.json)");
  }
  CHECK(cut_by(folder, "NAME") == Cut{"name"});
  CHECK(read({{"do_lower_case", true}, {"strip_accents", false}}) ==
        "lower case, accents kept (tokenizer_config.json)");
  CHECK(read({{"tokenize_chinese_chars", false}}) ==
        "case kept, accents kept, ideographs not split (tokenizer_config.json)");
  // Another class takes tokenizer.json as it is.
  for (const char* name : {"PreTrainedTokenizerFast", "TokenizersBackend", "MineTokenizer"}) {
    lower["tokenizer_class"] = name;
    CHECK(read(lower) == "case kept, accents kept (tokenizer.json)");
  }
  CHECK(cut_by(folder, "NAME") == Cut{"[UNK]"});
  // config.json names the class where the settings do not.
  write_bytes(folder / "config.json", R"({"tokenizer_class": "PreTrainedTokenizerFast"})");
  CHECK(read({{"do_lower_case", true}}) == "case kept, accents kept (tokenizer.json)");
}

TEST_CASE(
    "a vocab.txt of a tokenizer that config.json alone names is read if it finds BERT's words") {
  const Scratch folder;
  write_bytes(folder / "vocab.txt", kFewPieces);
  write_bytes(folder / "config.json", R"({"tokenizer_class": "BertTokenizerFast"})");
  CHECK(cut_by(folder, "namex") == Cut{"name", "##x"});
  write_bytes(folder / "config.json", R"({"tokenizer_class": "BertJapaneseTokenizer"})");
  CHECK(refusal_of(folder) ==
        "config.json: tokenizer_class: found \"BertJapaneseTokenizer\", expected one that finds "
        "words as BertTokenizer does, or a tokenizer.json");
  // The settings stand before it.
  write_settings(folder, {{"tokenizer_class", "BertTokenizer"}});
  CHECK(refusal_of(folder) == "(no error)");
}

}  // namespace minibert
