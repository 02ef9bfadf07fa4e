#include "data/made/cloze_sentence.h"

#include <algorithm>

#include "text/python_text.h"

namespace minibert {
namespace {

using View = std::u32string_view;

// Stripped from both ends of a word.
constexpr View kPunctuation = U",.;:!?\"'“”‘’·…-–~/()[]{}*";

}  // namespace

ClozeSentence parse_sentence(View sentence, uint32_t offset) {
  ClozeSentence out;
  int depth = 0;
  for (uint32_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] == U'(') ++depth;
    if (depth == 0) {
      out.text.push_back(sentence[i]);
      out.origin.push_back(offset + i);
    }
    if (sentence[i] == U')' && depth > 0) --depth;
  }
  const View text = out.text;
  for (uint32_t begin = 0; begin < text.size();) {
    if (is_python_space(text[begin])) {
      ++begin;
      continue;
    }
    uint32_t end = begin;
    int brackets = 0;
    for (; end < text.size() && (brackets > 0 || !is_python_space(text[end])); ++end) {
      if (is_one_of(text[end], kOpeningBrackets)) ++brackets;
      if (is_one_of(text[end], kClosingBrackets)) --brackets;
    }
    ClozeWord word{begin, end};
    while (word.begin < word.end && is_one_of(text[word.begin], kPunctuation)) ++word.begin;
    while (word.begin < word.end && is_one_of(text[word.end - 1], kPunctuation)) {
      word.comma = word.comma || text[word.end - 1] == U',';
      --word.end;
    }
    if (word.begin < word.end) out.words.push_back(word);
    begin = end;
  }
  return out;
}

bool is_noun_particle(const WordParts& parts) {
  switch (parts.kind) {
    case ParticleKind::topic:
    case ParticleKind::subject:
    case ParticleKind::object:
    case ParticleKind::of:
      return true;
    default:
      return parts.particle == U"에서" || parts.particle == U"와" || parts.particle == U"과" ||
             parts.particle == U"로" || parts.particle == U"으로" || parts.particle == U"에" ||
             parts.particle == U"에게";
  }
}

void NounEvidence::add(const ClozeSentence& sentence) {
  for (size_t i = 0; i < sentence.words.size(); ++i) {
    const WordParts parts = split_particle(sentence.word(i));
    if (!is_noun_particle(parts) || parts.stem.size() < 2) continue;
    Seen& seen = seen_[std::u32string(parts.stem)];
    ++seen.count;
    if (std::ranges::find(seen.particles, parts.particle) == seen.particles.end())
      seen.particles.emplace_back(parts.particle);
  }
}

bool NounEvidence::recurs(View stem) const {
  const auto found = seen_.find(std::u32string(stem));
  return found != seen_.end() && found->second.count >= 2 && found->second.particles.size() >= 2;
}

void CommonNouns::add(const NounEvidence& document) {
  ++documents_;
  for (const auto& [stem, seen] : document.seen_) ++count_[stem];
}

void CommonNouns::finish(double share) {
  const double most = std::max(3.0, share * documents_);
  for (const auto& [stem, documents] : count_)
    if (documents > most) common_.insert(stem);
  count_.clear();
}

}  // namespace minibert
