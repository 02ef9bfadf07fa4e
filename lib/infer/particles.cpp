#include "infer/particles.h"

#include <algorithm>
#include <string>

#include "core/characters.h"
#include "text/korean.h"

namespace minibert::infer {
namespace {

constexpr std::string_view kPerson = "PS";
constexpr uint32_t kPersonSyllables = 3;  // of most Korean names, the family's with it

// Ends of nouns as often as particles: 제주도, 대만, 하나, 한국인.
bool is_noun_end(const WordParts& parts) {
  return parts.kind == ParticleKind::copula || parts.particle == U"도" || parts.particle == U"만" ||
         parts.particle == U"나" || parts.particle == U"이나" || parts.particle == U"란" ||
         parts.particle == U"이란";
}

// Whether a word of the text begins with `stem` and goes on otherwise than with `particle`.
bool stands_without(std::u32string_view text, std::u32string_view stem,
                    std::u32string_view particle) {
  for (size_t at = text.find(stem); at != text.npos; at = text.find(stem, at + 1)) {
    const bool begins = at == 0 || !is_letter_or_digit(text[at - 1]);
    if (begins && !text.substr(at + stem.size()).starts_with(particle)) return true;
  }
  return false;
}

// Leaves a part's text and its end in bytes to the place where it now ends.
template <class Part>
void end_at(std::string_view text, const Characters& characters, uint32_t last, Part* part) {
  part->last = last;
  part->end = characters.bytes[last];
  part->text = std::string(text.substr(part->begin, part->end - part->begin));
}

}  // namespace

uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last) {
  if (last < text.size() && is_letter_or_digit(text[last])) return last;
  uint32_t begin = last;
  while (begin > first && !is_python_space(text[begin - 1])) --begin;
  const WordParts parts = split_particle(text.substr(begin, last - begin));
  if (parts.particle.empty() || is_noun_end(parts)) return last;
  return last - static_cast<uint32_t>(parts.particle.size());
}

uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last,
                          std::string_view type) {
  const uint32_t end = without_particle(text, first, last);
  if (end == last || type != kPerson || last - first != kPersonSyllables || last - end != 1)
    return end;
  return stands_without(text, text.substr(first, end - first), text.substr(end, 1)) ? end : last;
}

void cut_particles(std::string_view text, size_t top, std::vector<Answer>* answers) {
  Characters characters;
  if (!to_characters(text, &characters)) return;
  std::vector<Answer> kept;
  for (Answer& answer : *answers) {
    end_at(text, characters, without_particle(characters.text, answer.first, answer.last), &answer);
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Answer& other) {
      return other.begin == answer.begin && other.end == answer.end;
    });
    if (same == kept.end())
      kept.push_back(std::move(answer));
    else
      same->probability += answer.probability;
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Answer& a, const Answer& b) { return a.probability > b.probability; });
  kept.resize(std::min(kept.size(), top));
  *answers = std::move(kept);
}

void cut_particles(std::string_view text, std::vector<NamedEntity>* entities) {
  Characters characters;
  if (!to_characters(text, &characters)) return;
  for (NamedEntity& entity : *entities)
    end_at(text, characters,
           without_particle(characters.text, entity.first, entity.last, entity.type), &entity);
}

Status answer_without_particles(Answerer& model, std::string_view question,
                                std::string_view context, size_t top, AnswerResult* result) {
  Status status;
  result->answers = answers_without_particles(context, top, [&](size_t count) {
    status = model.answer(question, context, count, result);
    return std::move(result->answers);
  });
  return status;
}

Status tag_without_particles(Tagger& model, std::string_view text, TagResult* result) {
  const Status status = model.tag(text, result);
  cut_particles(text, &result->entities);
  return status;
}

}  // namespace minibert::infer
