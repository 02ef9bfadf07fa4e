#include "text/wordpiece_file.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kUnknownName = "[UNK]";
constexpr size_t kMostWordPieces = 65535;
constexpr int kMostCharacters = 100;

bool has_capital_letters(const std::vector<std::string>& pieces) {
  return std::ranges::any_of(pieces, [](const std::string& piece) {
    const std::u32string text = to_code_points(piece);
    return !is_bert_special(piece) && lower(text) != text;
  });
}

bool has_hangul_syllables(const std::vector<std::string>& pieces) {
  return std::ranges::any_of(pieces, [](const std::string& piece) {
    return std::ranges::any_of(to_code_points(piece),
                               [](char32_t c) { return c >= 0xac00 && c <= 0xd7a3; });
  });
}

class WordPieceReader {
 public:
  WordPieceReader(std::string_view text, const std::string& name) : name_(name) {
    try {
      json_ = parse_json(text);
    } catch (const Error& error) {
      fail(error.what());
    }
  }

  WordPieceFile read() {
    expect("model", "type", "WordPiece");
    expect("model", "continuing_subword_prefix", "##");
    expect("model", "unk_token", kUnknownName);
    expect("model", "max_input_chars_per_word", kMostCharacters);
    expect("pre_tokenizer", "type", "BertPreTokenizer");
    expect("normalizer", "type", "BertNormalizer");
    expect("normalizer", "clean_text", true);
    out_.treatment.lower_case = flag("lowercase", true);
    out_.treatment.split_ideographs = flag("handle_chinese_chars", true);
    out_.treatment.strip_accents = flag("strip_accents", out_.treatment.lower_case);
    read_pieces();
    read_added();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(name_ + ": " + what); }
  [[noreturn]] void fail(const std::string& key, const json& found,
                         const std::string& expected) const {
    const std::string seen = found.is_null()         ? "nothing"
                             : found.is_structured() ? found.type_name()
                                                     : found.dump();
    fail(key + ": found " + seen + ", expected " + expected);
  }
  // Null where it is missing.
  json at(const char* part, const char* key) const {
    if (!json_.is_object() || !json_.contains(part) || !json_.at(part).is_object()) return {};
    return json_.at(part).value(key, json());
  }
  void expect(const char* part, const char* key, const json& value) const {
    const json found = at(part, key);
    if (found != value) fail(std::string(part) + "." + key, found, value.dump());
  }
  bool flag(const char* key, bool otherwise) const {
    const json found = at("normalizer", key);
    if (found.is_null()) return otherwise;
    if (!found.is_boolean()) fail(std::string("normalizer.") + key, found, "true or false");
    return found;
  }

  void set(int64_t id, const std::string& piece, const std::string& where) {
    const auto place = static_cast<size_t>(id);
    if (id < 0 || place >= kMostWordPieces)
      fail(where + ": \"" + piece + "\"", id, "an id below " + std::to_string(kMostWordPieces));
    if (place >= out_.pieces.size()) out_.pieces.resize(place + 1);
    if (!out_.pieces[place].empty() && out_.pieces[place] != piece)
      fail(where + ": \"" + out_.pieces[place] + "\" and \"" + piece + "\" both have the id " +
           std::to_string(id));
    out_.pieces[place] = piece;
  }

  void read_pieces() {
    const json vocabulary = at("model", "vocab");
    if (!vocabulary.is_object())
      fail("model.vocab", vocabulary, "an object of pieces with their ids");
    for (const auto& [piece, id] : vocabulary.items()) {
      if (!id.is_number_integer() || piece.empty())
        fail("model.vocab: \"" + piece + "\"", id, "an id");
      set(id.get<int64_t>(), piece, "model.vocab");
    }
  }

  void read_added() {
    const json tokens = json_.value("added_tokens", json::array());
    if (!tokens.is_array()) fail("added_tokens", tokens, "a list");
    for (const json& token : tokens) {
      const json content = token.is_object() ? token.value("content", json()) : json();
      const json id = token.is_object() ? token.value("id", json()) : json();
      if (!content.is_string() || content.get<std::string>().empty() || !id.is_number_integer())
        fail("added_tokens", token, "objects with \"content\" and \"id\"");
      if (!is_bert_special(content.get<std::string>()))
        fail("added_tokens: found the piece " + content.dump() +
             ", expected only special pieces of the vocabulary");
      set(id.get<int64_t>(), content.get<std::string>(), "added_tokens");
    }
    std::unordered_map<std::string, size_t> seen;
    for (size_t i = 0; i < out_.pieces.size(); ++i) {
      if (out_.pieces[i].empty()) fail("model.vocab: no piece has the id " + std::to_string(i));
      if (const auto [found, is_new] = seen.emplace(out_.pieces[i], i); !is_new)
        fail("added_tokens: \"" + out_.pieces[i] + "\" has the ids " +
             std::to_string(found->second) + " and " + std::to_string(i));
    }
  }

  std::string name_;
  json json_;
  WordPieceFile out_;
};

// Calls use(piece, fail) for each line; fail(what) throws Error naming the line.
template <class Use>
void each_line(std::string_view vocabulary, const std::string& name, const Use& use) {
  for (size_t number = 1; !vocabulary.empty(); ++number) {
    const size_t end = std::min(vocabulary.find('\n'), vocabulary.size());
    std::string piece(vocabulary.substr(0, end));
    vocabulary.remove_prefix(std::min(end + 1, vocabulary.size()));
    if (piece.ends_with('\r')) piece.pop_back();
    const auto fail = [&](const std::string& what) {
      throw Error(name + ":" + std::to_string(number) + ": " + what);
    };
    if (first_invalid_utf8(piece) != kValid) fail("not valid UTF-8");
    use(std::move(piece), fail);
  }
}

}  // namespace

std::vector<std::string> read_wordpiece_lines(std::string_view vocabulary,
                                              const std::string& name) {
  std::vector<std::string> pieces;
  std::unordered_map<std::string, size_t> lines;
  each_line(vocabulary, name, [&](std::string piece, const auto& fail) {
    if (piece.empty()) fail("is empty, expected a piece");
    if (const auto [found, is_new] = lines.emplace(piece, pieces.size() + 1); !is_new)
      fail("the piece " + piece + " is also in line " + std::to_string(found->second));
    pieces.push_back(std::move(piece));
  });
  return pieces;
}

WordPieceRows read_wordpiece_rows(std::string_view vocabulary, const std::string& name) {
  std::vector<std::string> lines;
  std::unordered_map<std::string, size_t> last;
  each_line(vocabulary, name, [&](std::string piece, const auto&) {
    last[piece] = lines.size();
    lines.push_back(std::move(piece));
  });
  WordPieceRows out;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || last.at(lines[i]) != i) continue;
    out.ids.push_back(static_cast<int64_t>(i));
    out.pieces.push_back(std::move(lines[i]));
  }
  return out;
}

BertTreatment stored_treatment(const std::vector<std::string>& pieces) {
  const bool uncased = !has_capital_letters(pieces);
  return {.lower_case = uncased, .strip_accents = uncased};
}

BertTreatment likely_treatment(const std::vector<std::string>& pieces) {
  BertTreatment treatment = stored_treatment(pieces);
  treatment.strip_accents = treatment.strip_accents && !has_hangul_syllables(pieces);
  return treatment;
}

WordPieceFile read_wordpiece_json(std::string_view json, const std::string& name) {
  return WordPieceReader(json, name).read();
}

std::string to_wordpiece_json(const WordPieceFile& file) {
  ordered_json::object_t vocabulary;
  ordered_json added = ordered_json::array();
  for (size_t id = 0; id < file.pieces.size(); ++id) {
    const std::string& piece = file.pieces[id];
    vocabulary.emplace_back(piece, id);
    if (!is_bert_special(piece)) continue;
    added.push_back({{"id", id},
                     {"content", piece},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
  }
  const ordered_json out = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", std::move(added)},
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", file.treatment.split_ideographs},
        {"strip_accents", file.treatment.strip_accents},
        {"lowercase", file.treatment.lower_case}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor", nullptr},
      {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", kUnknownName},
        {"continuing_subword_prefix", "##"},
        {"max_input_chars_per_word", kMostCharacters},
        {"vocab", std::move(vocabulary)}}}};
  return out.dump(1) + "\n";
}

bool is_wordpiece_json(std::string_view bytes) {
  if (!bytes.starts_with('{')) return false;
  constexpr std::string_view kKey = "\"type\"", kValue = "\"WordPiece\"";
  for (size_t at = 0; (at = bytes.find(kKey, at)) != std::string_view::npos;) {
    at += kKey.size();
    const size_t value = bytes.find_first_not_of(": \t\r\n", at);
    if (value != std::string_view::npos && bytes.substr(value).starts_with(kValue)) return true;
  }
  return false;
}

}  // namespace minibert
