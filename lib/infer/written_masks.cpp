#include "infer/written_masks.h"

#include <utility>
#include <vector>

#include "core/characters.h"
#include "core/syllables.h"
#include "infer/engine/piece_tokenizer.h"
#include "rules/blanks.h"

namespace minibert::infer {
namespace {

void append_utf8(char32_t c, std::string* out) {
  const auto add = [&](char32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (c < 0x80) return add(c);
  if (c < 0x800) {
    add(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    add(0xE0 | c >> 12), add(0x80 | (c >> 6 & 0x3F));
  } else {
    add(0xF0 | c >> 18), add(0x80 | (c >> 12 & 0x3F)), add(0x80 | (c >> 6 & 0x3F));
  }
  add(0x80 | (c & 0x3F));
}

// Reads the characters of a text and composes decomposed syllables; false if it is not UTF-8.
bool to_composed(std::string_view text, Characters* out) {
  Characters given;
  if (!to_characters(text, &given)) return false;
  std::vector<uint32_t> points;
  out->text = to_syllables(given.text, &points);
  out->bytes.clear();
  for (const uint32_t point : points) out->bytes.push_back(given.bytes[point]);
  return true;
}

std::string utf8_of(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(c, &out);
  return out;
}

auto guesses_of(FillMask& model) {
  return [&model](std::u32string_view text, size_t mask) {
    FillResult result;
    const Status status = model.fill(utf8_of(text), kParticleGuesses, &result);
    return status.ok() ? guess_ends(result, mask) : std::vector<GuessEnd>();
  };
}

}  // namespace

std::vector<GuessEnd> guess_ends(const FillResult& result, size_t mask) {
  std::vector<GuessEnd> ends;
  if (mask >= result.masks.size()) return ends;
  for (const Guess& guess : result.masks[mask].guesses) {
    Characters characters;
    if (to_characters(guess.text, &characters) && !characters.text.empty())
      ends.emplace_back(characters.text.back(), guess.probability);
  }
  return ends;
}

std::string with_one_particle(FillMask& model, std::string_view text) {
  Characters given;
  if (!to_composed(text, &given)) return std::string(text);
  return utf8_of(minibert::with_one_particle(std::move(given.text), guesses_of(model)));
}

Status fill_written(FillMask& model, std::string_view text, size_t top_k, FillResult* result) {
  Characters given;
  const bool has_mask = text.find(kMaskText) != std::string_view::npos;
  if (!to_composed(text, &given) || (has_mask && !find_particle_pair(given.text)))
    return model.fill(text, top_k, result);
  std::vector<Blank> places;
  std::u32string masked = given.text;
  if (has_mask)
    for (size_t i = 0; i < masked.size(); ++i) places.push_back({i, i + 1});
  else
    masked = with_masks(given.text, &places);
  masked = minibert::with_one_particle(std::move(masked), guesses_of(model), &places);
  std::string read;
  std::vector<size_t> character;  // of every byte that is read
  for (size_t i = 0; i < masked.size(); ++i) {
    append_utf8(masked[i], &read);
    character.resize(read.size(), i);
  }
  const Status status = model.fill(read, top_k, result);
  if (!status.ok()) return status;
  const auto put_back = [&](auto& part) {
    // [CLS] and [SEP], and all pieces but the last of a character that became several, as ㎏ does.
    const bool empty = part.begin == part.end;
    const uint32_t end = empty ? 0 : given.bytes[places[character[part.end - 1]].end];
    part.begin = part.begin < read.size() ? given.bytes[places[character[part.begin]].begin]
                                          : static_cast<uint32_t>(text.size());
    part.end = empty ? part.begin : end;
  };
  for (Token& token : result->tokens) put_back(token);
  for (MaskGuesses& mask : result->masks) put_back(mask);
  return status;
}

}  // namespace minibert::infer
