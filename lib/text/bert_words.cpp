// Categories and decompositions are utf8proc's, lower case is Python's (text/python_text.h).
#include "text/bert_words.h"

#include <utf8proc.h>

#include <array>

#include "core/utf8.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kLongestDecomposition = 8;  // Unicode's is 4

bool is_one_of(char32_t c, std::initializer_list<utf8proc_category_t> categories) {
  const utf8proc_category_t found = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  for (const utf8proc_category_t category : categories)
    if (found == category) return true;
  return false;
}

// _is_whitespace of BERT's tokenizer.
bool is_bert_space(char32_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
         (c >= 0x80 &&
          is_one_of(c, {UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP}));
}

bool is_dropped(char32_t c) {
  return c == 0 || c == 0xfffd ||
         is_one_of(c, {UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF, UTF8PROC_CATEGORY_CN,
                       UTF8PROC_CATEGORY_CO, UTF8PROC_CATEGORY_CS});
}

// All visible ASCII that is no letter or digit counts, "$" and "^" too.
bool is_punctuation(char32_t c) {
  if (c < 0x80)
    return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
           (c >= 123 && c <= 126);
  return is_one_of(
      c, {UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PD, UTF8PROC_CATEGORY_PS, UTF8PROC_CATEGORY_PE,
          UTF8PROC_CATEGORY_PI, UTF8PROC_CATEGORY_PF, UTF8PROC_CATEGORY_PO});
}

// The blocks that tokenization.py names: ideographs, not Hangul or kana.
bool is_ideograph(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) ||
         (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f) ||
         (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b820 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

// NFD but for the order of combining marks, which all go.
std::u32string without_accents(char32_t c) {
  std::array<utf8proc_int32_t, kLongestDecomposition> parts;
  int boundary = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                             parts.size(), UTF8PROC_DECOMPOSE, &boundary);
  std::u32string letters;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<char32_t>(parts[static_cast<size_t>(i)]);
    if (!is_one_of(part, {UTF8PROC_CATEGORY_MN})) letters += part;
  }
  return letters;
}

std::u32string treated(char32_t c, const BertTreatment& treatment) {
  if (c < 0x80) return {treatment.lower_case && c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c};
  const std::u32string letters =
      treatment.strip_accents ? without_accents(c) : std::u32string(1, c);
  return treatment.lower_case ? lower(letters) : letters;
}

// Gathers characters into words.
class Words {
 public:
  void add(char32_t c, uint32_t begin, uint32_t end, bool alone) {
    if (!open_ || alone) words_.emplace_back();
    open_ = !alone;
    BertWord& word = words_.back();
    word.characters.push_back({static_cast<uint32_t>(word.text.size()), begin, end});
    word.text += to_utf8({&c, 1});
  }
  void close() { open_ = false; }
  // A mark that is dropped at [begin, end).
  void extend(uint32_t begin, uint32_t end) {
    if (!words_.empty() && words_.back().characters.back().end == begin)
      words_.back().characters.back().end = end;
  }
  std::vector<BertWord> take() { return std::move(words_); }

 private:
  std::vector<BertWord> words_;
  bool open_ = false;
};

}  // namespace

std::vector<BertWord> bert_words(std::string_view text, const BertTreatment& treatment) {
  const std::u32string points = to_code_points(text);
  const std::vector<uint32_t> offsets = code_point_offsets(text);
  Words words;
  for (size_t i = 0; i < points.size(); ++i) {
    const char32_t c = points[i];
    if (is_bert_space(c)) {
      words.close();
      continue;
    }
    if (is_dropped(c)) continue;
    const std::u32string letters = treated(c, treatment);
    const bool alone = treatment.split_ideographs && is_ideograph(c);
    if (letters.empty()) words.extend(offsets[i], offsets[i + 1]);
    for (const char32_t letter : letters)
      words.add(letter, offsets[i], offsets[i + 1], alone || is_punctuation(letter));
  }
  return words.take();
}

}  // namespace minibert
