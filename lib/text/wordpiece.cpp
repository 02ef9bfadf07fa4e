#include "text/wordpiece.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/byte_source.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kLargestVocabulary = size_t{16} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kFirstLine = "[PAD]";
constexpr std::string_view kOpening = "{\"do_lower_case\":";  // persisted

bool begins_with_padding(std::string_view bytes) {
  if (!bytes.starts_with(kFirstLine)) return false;
  bytes.remove_prefix(kFirstLine.size());
  return bytes.starts_with('\n') || bytes.starts_with("\r\n");
}

// The line of JSON at the start; empty where there is none.
std::string_view casing_line(std::string_view bytes) {
  if (!bytes.starts_with(kOpening)) return {};
  return bytes.substr(0, bytes.find('\n'));
}

template <class Use>
void for_each_piece(std::string_view vocabulary, const Use& use) {
  while (!vocabulary.empty()) {
    const size_t end = std::min(vocabulary.find('\n'), vocabulary.size());
    std::string_view piece = vocabulary.substr(0, end);
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    vocabulary.remove_prefix(std::min(end + 1, vocabulary.size()));
    if (first_invalid_utf8(piece) == kValid) use(piece);
  }
}

bool has_capital(std::string_view piece) {
  const std::u32string text = to_code_points(piece);
  return lower(text) != text;
}

bool is_hangul_syllable(char32_t c) { return c >= 0xac00 && c <= 0xd7a3; }

}  // namespace

WordPieceCasing likely_casing(std::string_view vocabulary) {
  bool cased = false, hangul = false;
  for_each_piece(vocabulary, [&](std::string_view piece) {
    const bool bracketed = piece.starts_with('[') && piece.ends_with(']');
    cased = cased || (!bracketed && has_capital(piece));
    hangul = hangul || std::ranges::any_of(to_code_points(piece), is_hangul_syllable);
  });
  return {.lower_case = !cased, .strip_accents = !cased && !hangul};
}

std::string with_casing(std::string vocabulary, WordPieceCasing casing) {
  if (casing_of(vocabulary) == casing) return vocabulary;
  const nlohmann::json line = {{"do_lower_case", casing.lower_case},
                               {"strip_accents", casing.strip_accents}};
  return line.dump() + "\n" + vocabulary;
}

WordPieceCasing casing_beside(const std::string& vocabulary_path) {
  WordPieceCasing casing =
      likely_casing(vocabulary_of(read_unpacked(vocabulary_path, kLargestVocabulary)));
  const std::string path =
      (std::filesystem::path(vocabulary_path).parent_path() / "tokenizer_config.json").string();
  if (!std::filesystem::exists(path)) return casing;
  const nlohmann::json json = read_json(path);
  if (!json.is_object()) throw Error(path + ": expected an object");
  const auto said = [&](const char* key) -> std::optional<bool> {
    if (!json.contains(key) || json[key].is_null()) return std::nullopt;
    if (!json[key].is_boolean())
      throw Error(path + ": " + key + ": found " + excerpt(json[key].dump()) +
                  ", expected true or false");
    return json[key].get<bool>();
  };
  if (!said("tokenize_chinese_chars").value_or(true))
    throw Error(path + ": tokenize_chinese_chars: found false, expected true");
  if (const std::optional<bool> lower_case = said("do_lower_case")) {
    casing.lower_case = *lower_case;
    // transformers strips accents with the case, if nothing else is said.
    casing.strip_accents = *lower_case;
  }
  if (const std::optional<bool> strip = said("strip_accents")) casing.strip_accents = *strip;
  return casing;
}

WordPieceCasing casing_of(std::string_view bytes) {
  if (const std::string_view line = casing_line(bytes); !line.empty()) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    const auto is_true = [&](const char* key) {
      return json.is_object() && json.contains(key) && json[key] == true;
    };
    return {is_true("do_lower_case"), is_true("strip_accents")};
  }
  static const std::set<std::string_view> specials = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  bool cased = false;
  for_each_piece(vocabulary_of(bytes), [&](std::string_view piece) {
    cased = cased || (!specials.contains(piece) && has_capital(piece));
  });
  return {.lower_case = !cased, .strip_accents = !cased};
}

std::string_view vocabulary_of(std::string_view bytes) {
  const std::string_view line = casing_line(bytes);
  if (!line.empty()) bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return bytes;
}

bool is_wordpiece_vocabulary(std::string_view bytes) {
  return begins_with_padding(vocabulary_of(bytes));
}

}  // namespace minibert
