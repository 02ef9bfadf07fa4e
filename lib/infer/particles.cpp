#include "infer/particles.h"

#include <algorithm>
#include <string>

#include "core/characters.h"
#include "core/syllables.h"
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

// Returns true if a word of the text begins with `stem` and does not go on with `particle`.
bool stands_without(std::u32string_view text, std::u32string_view stem,
                    std::u32string_view particle) {
  for (size_t at = text.find(stem); at != text.npos; at = text.find(stem, at + 1)) {
    const bool begins = at == 0 || !is_letter_or_digit(text[at - 1]);
    if (begins && !text.substr(at + stem.size()).starts_with(particle)) return true;
  }
  return false;
}

bool is_ascii_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

// Returns true if the comma or point at `at` separates thousands or decimals of one number: 1,418
// and 3.5, but not the years 2018,2019 and the date 2019.3.1.
bool parts_a_number(std::u32string_view text, size_t at) {
  if (text[at] != U',' && text[at] != U'.') return false;
  size_t before = at;
  while (before > 0 && is_ascii_digit(text[before - 1])) --before;
  size_t behind = at + 1;
  while (behind < text.size() && is_ascii_digit(text[behind])) ++behind;
  if (at - before < 1 || at - before > 3 || behind == at + 1) return false;
  if (text[at] == U',') return behind - at - 1 == 3;
  return !(before > 1 && text[before - 1] == U'.' && is_ascii_digit(text[before - 2])) &&
         !(behind + 1 < text.size() && text[behind] == U'.' && is_ascii_digit(text[behind + 1]));
}

// Returns true if one number extends across `at`.
bool inside_a_number(std::u32string_view text, size_t at) {
  if (at == 0 || at >= text.size()) return false;
  if (is_ascii_digit(text[at - 1])) return is_ascii_digit(text[at]) || parts_a_number(text, at);
  return is_ascii_digit(text[at]) && parts_a_number(text, at - 1);
}

// Puts a part of the text at the characters [first, last).
template <class Part>
void place(std::string_view text, const Characters& characters, uint32_t first, uint32_t last,
           Part* part) {
  part->first = first;
  part->last = last;
  part->begin = characters.bytes[first];
  part->end = characters.bytes[last];
  part->text = std::string(text.substr(part->begin, part->end - part->begin));
}

// Pieces end where they do: an answer of pieces may end with a space, or in the middle of a number.
void to_whole_numbers(std::u32string_view text, uint32_t* first, uint32_t* last) {
  while (*first < *last && is_python_space(text[*first])) ++*first;
  while (*first < *last && is_python_space(text[*last - 1])) --*last;
  if (*first == *last) return;
  while (inside_a_number(text, *first)) --*first;
  while (inside_a_number(text, *last)) ++*last;
}

}  // namespace

uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last) {
  if (last < text.size() && is_letter_or_digit(text[last])) return last;
  uint32_t begin = last;
  while (begin > first && !is_python_space(text[begin - 1])) --begin;
  std::vector<uint32_t> points;
  const std::u32string word = to_syllables(text.substr(begin, last - begin), &points);
  const WordParts parts = split_particle(word);
  if (parts.particle.empty() || is_noun_end(parts)) return last;
  return begin + points[parts.stem.size()];
}

uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last,
                          std::string_view type) {
  const uint32_t end = without_particle(text, first, last);
  if (type != kPerson) return end;
  const std::u32string name = to_syllables(text.substr(first, last - first));
  const std::u32string particle = to_syllables(text.substr(end, last - end));
  if (name.size() != kPersonSyllables || particle.size() != 1) return end;
  return stands_without(to_syllables(text), name.substr(0, kPersonSyllables - 1), particle) ? end
                                                                                            : last;
}

void cut_particles(std::string_view text, size_t top, std::vector<Answer>* answers) {
  Characters characters;
  if (!to_characters(text, &characters)) return;
  std::vector<Answer> kept;
  for (Answer& answer : *answers) {
    uint32_t first = answer.first;
    uint32_t last = answer.last;
    to_whole_numbers(characters.text, &first, &last);
    if (first == last) continue;
    place(text, characters, first, without_particle(characters.text, first, last), &answer);
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
    place(text, characters, entity.first,
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
  const Status status = model.tag(text, result, NamesOf::whole_words);
  cut_particles(text, &result->entities);
  return status;
}

}  // namespace minibert::infer
