#include "data/made/sentence_text.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "core/files.h"
#include "core/rng.h"
#include "core/utf8.h"
#include "data/corpus.h"
#include "text/korean.h"

namespace minibert {
namespace {

constexpr std::u32string_view kEnds = U".?!";
constexpr std::u32string_view kMarkup = U"=<>{}[]|_#*@~^\\";
constexpr std::u32string_view kOpening = U"([《〈「『“‘", kClosing = U")]》〉」』”’";
// Last syllables of unmarked utterances: statements, and questions.
constexpr std::u32string_view kTold = U"다요죠지네자라줘해어야";
constexpr std::u32string_view kQuestionEnds = U"까니냐";

bool closes_brackets(std::u32string_view text) {
  std::u32string open;
  for (const char32_t c : text) {
    if (const size_t at = kOpening.find(c); at != std::u32string_view::npos) {
      open += kClosing[at];
    } else if (kClosing.find(c) != std::u32string_view::npos) {
      if (open.empty() || open.back() != c) return false;
      open.pop_back();
    }
  }
  return open.empty() && std::ranges::count(text, U'"') % 2 == 0;
}

bool is_plain(std::u32string_view text, const SentenceTextSettings& settings) {
  if (text.size() < settings.shortest || text.size() > settings.longest) return false;
  if (text.find_first_of(kMarkup) != std::u32string_view::npos) return false;
  const auto spaces = static_cast<size_t>(std::ranges::count(text, U' '));
  const auto hangul = static_cast<size_t>(std::ranges::count_if(text, is_hangul_syllable));
  return spaces > 0 && 5 * hangul >= 3 * (text.size() - spaces) && closes_brackets(text);
}

void keep(std::u32string_view text, const SentenceTextSettings& settings,
          std::vector<std::string>* out) {
  while (!text.empty() && text.front() == U' ') text.remove_prefix(1);
  if (is_plain(text, settings)) out->push_back(to_utf8(text));
}

}  // namespace

std::vector<std::string> single_sentences(std::string_view paragraph, bool utterances,
                                          const SentenceTextSettings& settings) {
  std::vector<std::string> out;
  const std::u32string text = to_code_points(paragraph);
  size_t begin = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    if (kEnds.find(text[i]) == std::u32string_view::npos || !is_hangul_syllable(text[i - 1]))
      continue;
    if (i + 1 < text.size() && text[i + 1] != U' ') continue;
    keep(std::u32string_view(text).substr(begin, i + 1 - begin), settings, &out);
    begin = i + 1;
  }
  std::u32string rest = text.substr(begin);
  while (!rest.empty() && rest.back() == U' ') rest.pop_back();
  if (!utterances || rest.empty()) return out;
  if (kTold.find(rest.back()) != std::u32string_view::npos) keep(rest + U'.', settings, &out);
  if (kQuestionEnds.find(rest.back()) != std::u32string_view::npos)
    keep(rest + U'?', settings, &out);
  return out;
}

std::vector<SentenceTextCounts> write_sentence_text(const std::vector<SentenceSource>& sources,
                                                    const std::string& out,
                                                    const SentenceTextSettings& settings) {
  std::vector<SentenceTextCounts> counts;
  std::vector<std::string> all;
  std::unordered_set<size_t> seen;  // hashes: a sentence in a billion may be lost by chance
  for (const SentenceSource& source : sources) {
    SentenceTextCounts of{.path = source.path};
    std::vector<std::string> found;
    CorpusReader reader({source.path});
    for (Document document; reader.next(&document);) {
      of.paragraphs += document.paragraphs.size();
      for (const std::string& paragraph : document.paragraphs)
        for (std::string& sentence : single_sentences(paragraph, source.utterances, settings))
          if (seen.insert(std::hash<std::string>()(sentence)).second)
            found.push_back(std::move(sentence));
    }
    of.found = found.size();
    Rng(settings.seed, "sentence text", 0, counts.size()).shuffle(found);
    if (settings.most > 0 && found.size() > settings.most) found.resize(settings.most);
    of.sentences = found.size();
    for (std::string& sentence : found) {
      of.bytes += sentence.size();
      all.push_back(std::move(sentence));
    }
    counts.push_back(std::move(of));
  }
  Rng(settings.seed, "sentence text order").shuffle(all);
  std::string text;
  for (const std::string& sentence : all) text += sentence + "\n\n";
  write_file_atomically(out, text);
  return counts;
}

}  // namespace minibert
