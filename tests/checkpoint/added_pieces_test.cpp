// Files beside a WordPiece vocabulary in Hugging Face's form: added pieces, special pieces by name,
// and the treatment of text if two files state it.
#include <catch2/catch.hpp>
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
constexpr BertTreatment kLowerCased = {.lower_case = true, .strip_accents = false};
constexpr BertTreatment kUnaccented = {.lower_case = true, .strip_accents = true};
constexpr char kFewPieces[] =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nname\nx\n##x\n<\n>\n이름\n";  // the next id is 11

// The few pieces, and one behind them that was added, as a folder's tokenizer.json.
void write_with_added(const Scratch& folder, const std::string& piece, const json& flags,
                      const BertTreatment& treatment) {
  WordPieceFile file{read_wordpiece_lines(kFewPieces, "few"), treatment, {piece}};
  file.pieces.push_back(piece);
  json all = json::parse(to_wordpiece_json(file));
  all["added_tokens"].back().update(flags);
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

TEST_CASE("an added piece is found in a text where the tokenizers library finds it") {
  const auto cut = [](const std::string& piece, const json& flags, const BertTreatment& treatment,
                      const std::string& text) {
    const Scratch folder;
    write_with_added(folder, piece, flags, treatment);
    return cut_by(folder, text);
  };
  const json normalized = {{"normalized", true}}, typed = {{"normalized", false}};
  CHECK(cut("<NAME>", normalized, kCased, "x<NAME>x <name>") ==
        Cut{"x", "<NAME>", "x", "<", "name", ">"});
  CHECK(cut("<NAME>", typed, kLowerCased, "X<NAME>x<Name>") ==
        Cut{"x", "<NAME>", "x", "<", "name", ">"});
  CHECK(cut("<NAME>", typed, kUnaccented, "x<NAME>") == Cut{"x", "<NAME>"});
  // Space around it is in no piece.
  CHECK(cut("<NAME>", {{"lstrip", true}, {"rstrip", true}}, kCased, "x  <NAME> x") ==
        Cut{"x", "<NAME>", "x"});
}

TEST_CASE(
    "an added piece that the library finds where it is typed otherwise is refused by its flag") {
  const auto refusal = [](const std::string& piece, const json& flags,
                          const BertTreatment& treatment) {
    const Scratch folder;
    write_with_added(folder, piece, flags, treatment);
    const std::string message = refusal_of(folder);
    const std::string place = "tokenizer.json: added_tokens: \"" + piece + "\": ";
    return message.starts_with(place) ? message.substr(place.size()) : message;
  };
  const json normalized = {{"normalized", true}};
  const std::string found =
      "normalized: found true, expected false, as pieces are found here before the text is changed";
  CHECK(refusal("<NAME>", normalized, kLowerCased) == found);
  CHECK(refusal("<이름>", normalized, kUnaccented) == found);
  CHECK(refusal("< >", normalized, kCased) == found);
  CHECK(refusal("<NAME>", {{"single_word", true}}, kCased) ==
        "single_word: found true, expected false");
  CHECK(refusal("<NAME>", {{"normalized", "no"}}, kCased) ==
        "normalized: found \"no\", expected true or false");
}

TEST_CASE(
    "an added piece of which two files speak is refused where either finds it typed otherwise") {
  const Scratch folder;
  const auto listed = [&](const json& token) {
    write_settings(folder, {{"added_tokens_decoder", {{"11", token}}}});
  };
  const std::string place = "tokenizer_config.json: added_tokens_decoder.11: \"<NAME>\": ";
  write_with_added(folder, "<NAME>", {{"normalized", true}}, kLowerCased);
  listed({{"content", "<NAME>"}, {"normalized", false}});
  CHECK_THAT(refusal_of(folder),
             Catch::StartsWith("tokenizer.json: added_tokens: \"<NAME>\": normalized: found true"));
  write_with_added(folder, "<NAME>", {{"normalized", false}}, kLowerCased);
  CHECK(cut_by(folder, "x<NAME>") == Cut{"x", "<NAME>"});
  listed({{"content", "<NAME>"}, {"normalized", true}});
  CHECK_THAT(refusal_of(folder),
             Catch::StartsWith(place + "normalized: found true, expected false"));
  // One that is not special is found in treated text unless it says otherwise.
  listed({{"content", "<NAME>"}});
  CHECK_THAT(refusal_of(folder),
             Catch::StartsWith(place + "normalized: found nothing, expected false"));
  listed({{"content", "<NAME>"}, {"special", true}});
  CHECK(cut_by(folder, "x<NAME>") == Cut{"x", "<NAME>"});
}

TEST_CASE("pieces that stand beside a vocab.txt are found as transformers finds them, or refused") {
  const Scratch folder;
  write_bytes(folder / "vocab.txt", kFewPieces);
  write_bytes(folder / "added_tokens.json", R"({"<NAME>": 11})");
  const json lower = {{"do_lower_case", true}, {"strip_accents", false}};
  write_settings(folder, {{"do_lower_case", false}});
  CHECK(cut_by(folder, "x<NAME>x") == Cut{"x", "<NAME>", "x"});
  // That file has no flags; what is not special by name is found in treated text.
  write_settings(folder, lower);
  CHECK(refusal_of(folder) ==
        "added_tokens.json: \"<NAME>\": normalized: found nothing, expected false, as pieces are "
        "found here before the text is changed");
  json special = lower;
  special["additional_special_tokens"] = json::array({"<NAME>"});
  write_settings(folder, special);
  CHECK(cut_by(folder, "X<NAME><name>") == Cut{"x", "<NAME>", "<", "name", ">"});
  // As version 4 of transformers reads it, which wrote such files.
  write_settings(folder, lower);
  write_bytes(folder / "special_tokens_map.json", R"({"additional_special_tokens": ["<NAME>"]})");
  CHECK(cut_by(folder, "X<NAME>") == Cut{"x", "<NAME>"});
  // Where the settings list the pieces, they say all.
  const auto list = [&](const json& token) {
    write_settings(folder, {{"do_lower_case", true}, {"added_tokens_decoder", {{"11", token}}}});
  };
  list({{"content", "<NAME>"}, {"normalized", false}, {"single_word", true}});
  CHECK(refusal_of(folder) ==
        "tokenizer_config.json: added_tokens_decoder.11: \"<NAME>\": single_word: found true, "
        "expected false, as pieces are found inside words here");
  list({{"content", "<NAME>"}, {"normalized", true}});
  CHECK_THAT(refusal_of(folder), Contains("normalized: found true, expected false"));
}

TEST_CASE("pieces of the vocabulary that settings name as special stand for themselves in a text") {
  for (const bool as_json : {false, true}) {
    CAPTURE(as_json);
    const Scratch folder;
    if (as_json)
      write_with_added(folder, "<NAME>", json::object(), kCased);
    else
      write_bytes(folder / "vocab.txt", kFewPieces);
    write_settings(folder, {{"do_lower_case", false}});
    CHECK(cut_by(folder, "xname") == Cut{"[UNK]"});
    json settings = {{"do_lower_case", false},
                     {"additional_special_tokens", {{{"content", "name"}}}}};
    write_settings(folder, settings);
    CHECK(cut_by(folder, "xname") == Cut{"x", "name"});
    settings["additional_special_tokens"].push_back("<없음>");
    write_settings(folder, settings);
    CHECK(refusal_of(folder) ==
          std::string("tokenizer_config.json: additional_special_tokens: \"<없음>\": found no id, "
                      "expected ") +
              (as_json ? "12" : "11") + ", the next behind the vocabulary");
    write_settings(folder, {{"do_lower_case", false}, {"bos_token", "이름"}});
    CHECK(cut_by(folder, "이름x") == Cut{"이름", "x"});
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
  write_settings(folder, json::object());
  write_bytes(folder / "special_tokens_map.json", R"({"cls_token": "x"})");
  CHECK(refusal_of(folder) ==
        "special_tokens_map.json: cls_token: found \"x\", expected \"[CLS]\"");
  write_bytes(folder / "special_tokens_map.json", R"(["x"])");
  CHECK(refusal_of(folder) == "special_tokens_map.json: found array, expected an object");
}

TEST_CASE("how text is treated is what transformers takes of two files, and which is told") {
  const Scratch folder;
  const auto read = [&](const json& settings) {
    write_settings(folder, settings);
    return treatment_of(folder);
  };
  write_with_added(folder, "<NAME>", json::object(), kCased);
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
