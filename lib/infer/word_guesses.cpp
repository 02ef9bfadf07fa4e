#include "infer/word_guesses.h"

#include <algorithm>
#include <map>

namespace minibert::infer {
namespace {

constexpr size_t kBeam = 8;

// A text's pieces, and the mask among them that a word is to replace.
struct Place {
  std::vector<int32_t> ids;
  size_t position = 0;
  bool begins = false;
};

Status find(const FillMask& model, std::string_view text, size_t mask, Place* place) {
  std::vector<Token> tokens;
  const Status status = model.read(text, &tokens);
  if (!status.ok()) return status;
  size_t seen = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    place->ids.push_back(tokens[i].id);
    if (tokens[i].id == kMaskId && seen++ == mask) {
      place->position = i;
      place->begins = begins_word(tokens, i);
    }
  }
  if (seen == 0) return Status::error("the text has no [MASK]", Problem::no_mask);
  if (mask >= seen)
    return Status::error("found " + std::to_string(seen) + " masks, asked for number " +
                         std::to_string(mask + 1));
  return {};
}

// Leaves the logits of the next piece of a word of `count` pieces that begins with `known`.
Status predict(FillMask& model, const Place& place, const std::vector<int32_t>& known,
               size_t count) {
  const auto at = static_cast<std::ptrdiff_t>(place.position);
  std::vector<int32_t> ids(place.ids.begin(), place.ids.begin() + at);
  ids.insert(ids.end(), known.begin(), known.end());
  ids.insert(ids.end(), count - known.size(), kMaskId);
  ids.insert(ids.end(), place.ids.begin() + at + 1, place.ids.end());
  const auto next = static_cast<int32_t>(place.position + known.size());
  const Status status = model.encode_ids(ids, {&next, 1});
  if (status.ok()) model.logits(next);
  return status;
}

struct Partial {
  std::vector<int32_t> ids;
  float probability = 1;
};

// The best words of exactly `count` pieces.
Status search(FillMask& model, const Place& place, size_t count, size_t top,
              std::vector<Partial>* words) {
  *words = {Partial{}};
  for (size_t piece = 0; piece < count; ++piece) {
    const bool last = piece + 1 == count;
    std::vector<Candidate> candidates(last ? std::max(top, kBeam) : kBeam);
    std::vector<Partial> longer;
    for (const Partial& word : *words) {
      const Status status = predict(model, place, word.ids, count);
      if (!status.ok()) return status;
      const size_t found =
          model.engine().top_k(candidates, model.fitting(piece == 0 && place.begins));
      for (size_t i = 0; i < found; ++i) {
        longer.push_back(word);
        longer.back().ids.push_back(candidates[i].id);
        longer.back().probability *= candidates[i].probability;
      }
    }
    std::stable_sort(longer.begin(), longer.end(), [](const Partial& a, const Partial& b) {
      return a.probability > b.probability;
    });
    longer.resize(std::min(longer.size(), last ? top : kBeam));
    *words = std::move(longer);
  }
  return {};
}

}  // namespace

Status guess_words(FillMask& model, std::string_view text, size_t mask, size_t top,
                   std::vector<WordGuess>* words) {
  words->clear();
  Place place;
  Status status = find(model, text, mask, &place);
  if (!status.ok()) return status;
  std::map<std::string, WordGuess> by_text;
  std::map<std::string, float> best_division;
  for (size_t count = 1; count <= kMostWordPieces; ++count) {
    if (place.ids.size() + count - 1 > size_t(model.model().config().max_positions)) break;
    std::vector<Partial> found;
    status = search(model, place, count, top, &found);
    if (!status.ok()) return status;
    for (const Partial& word : found) {
      std::string surface;
      for (const int32_t id : word.ids) surface += piece_text(model.tokenizer().piece(id));
      WordGuess& guess = by_text[surface];
      if (word.probability > best_division[surface]) {
        best_division[surface] = word.probability;
        guess.ids = word.ids;
      }
      guess.text = surface;
      guess.probability += word.probability / static_cast<float>(kMostWordPieces);
    }
  }
  for (auto& [surface, guess] : by_text) words->push_back(std::move(guess));
  std::stable_sort(words->begin(), words->end(), [](const WordGuess& a, const WordGuess& b) {
    return a.probability > b.probability;
  });
  words->resize(std::min(words->size(), top));
  return {};
}

Status score_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                  WordScore* score) {
  *score = {};
  Place place;
  Status status = find(model, text, mask, &place);
  if (!status.ok()) return status;
  // Behind a mask the tokenizer divides the word as it would in the text: with or without a ▁.
  std::vector<Token> tokens;
  status = model.tokenizer().encode(
      std::string(kMaskText) + (place.begins ? " " : "") + std::string(word), &tokens);
  if (!status.ok()) return status;
  const auto is_mask = [](const Token& token) { return token.id == kMaskId; };
  const auto first = std::find_if(tokens.begin(), tokens.end(), is_mask);
  if (first == tokens.end() || std::next(first) == tokens.end())
    return Status::error("the word is empty", Problem::empty_text);
  if (std::any_of(std::next(first), tokens.end(), is_mask))
    return Status::error("the word has a [MASK] in it");
  tokens.erase(tokens.begin(), std::next(first));
  if (tokens.size() > kMostScoredPieces)
    return Status::error("found a word of " + std::to_string(tokens.size()) +
                         " pieces, expected at most " + std::to_string(kMostScoredPieces));
  std::vector<int32_t> known;
  score->probability = 1;
  for (const Token& token : tokens) {
    status = predict(model, place, known, tokens.size());
    if (!status.ok()) return status;
    const bool begins = known.empty() && place.begins;
    const Standing found = model.engine().place(token.id, model.fitting(begins));
    score->pieces.push_back({token.id, token.piece, found.rank, found.probability});
    score->probability *= found.probability;
    known.push_back(token.id);
  }
  return {};
}

}  // namespace minibert::infer
