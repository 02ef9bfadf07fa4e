#include "infer/word_guesses.h"

#include <algorithm>
#include <map>

#include "core/characters.h"
#include "infer/engine/float_ops.h"
#include "text/korean.h"

namespace minibert::infer {
namespace {

constexpr size_t kBeam = 8;
constexpr size_t kKept = 50;  // words of a length that are looked at, however few are wanted

// A text's pieces, and the mask among them that a word is to replace.
struct WordGap {
  std::vector<int32_t> ids;
  size_t position = 0;
  bool begins = false;   // a word begins there
  bool goes_on = false;  // what follows belongs to the word
};

Status find(const FillMask& model, std::string_view text, size_t mask, WordGap* gap) {
  std::vector<Token> tokens;
  const Status status = model.read(text, &tokens);
  if (!status.ok()) return status;
  size_t seen = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    gap->ids.push_back(tokens[i].id);
    if (tokens[i].id == kMaskId && seen++ == mask) {
      gap->position = i;
      gap->begins = begins_word(tokens, i);
      const bool last = i + 2 == tokens.size();  // before [SEP]
      gap->goes_on = !last && tokens[i + 1].begin == tokens[i].end &&
                     !tokens[i + 1].piece.starts_with(kWordStart);
    }
  }
  if (seen == 0) return Status::error("the text has no [MASK]", Problem::no_mask);
  if (mask >= seen)
    return Status::error("found " + std::to_string(seen) + " masks, asked for number " +
                         std::to_string(mask + 1));
  return {};
}

// Returns the text's pieces with `count` pieces in the mask's place, beginning with the known ones.
std::vector<int32_t> with_known(const WordGap& gap, const std::vector<int32_t>& known,
                                size_t count) {
  const auto at = static_cast<std::ptrdiff_t>(gap.position);
  std::vector<int32_t> ids(gap.ids.begin(), gap.ids.begin() + at);
  ids.insert(ids.end(), known.begin(), known.end());
  ids.insert(ids.end(), count - known.size(), kMaskId);
  ids.insert(ids.end(), gap.ids.begin() + at + 1, gap.ids.end());
  return ids;
}

// Leaves the logits of the next piece of a word of `count` pieces that begins with `known`.
Status predict(FillMask& model, const WordGap& gap, const std::vector<int32_t>& known,
               size_t count) {
  const std::vector<int32_t> ids = with_known(gap, known, count);
  const auto next = static_cast<int32_t>(gap.position + known.size());
  const Status status = model.encode_ids(ids, {&next, 1});
  if (status.ok() && !all_finite(model.logits(next))) return not_finite();
  return status;
}

struct Partial {
  std::vector<int32_t> ids;
  float probability = 1;
};

// The best words of exactly `count` pieces, `most` of them.
Status search(FillMask& model, const WordGap& gap, size_t count, size_t most,
              std::vector<Partial>* words) {
  *words = {Partial{}};
  for (size_t piece = 0; piece < count; ++piece) {
    const bool last = piece + 1 == count;
    std::vector<Candidate> candidates(last ? most : kBeam);
    std::vector<Partial> longer;
    for (const Partial& word : *words) {
      const Status status = predict(model, gap, word.ids, count);
      if (!status.ok()) return status;
      const size_t found =
          model.engine().top_k(candidates, model.fitting(piece == 0 && gap.begins));
      for (size_t i = 0; i < found; ++i) {
        longer.push_back(word);
        longer.back().ids.push_back(candidates[i].id);
        longer.back().probability *= candidates[i].probability;
      }
    }
    std::stable_sort(longer.begin(), longer.end(), [](const Partial& a, const Partial& b) {
      return a.probability > b.probability;
    });
    longer.resize(std::min(longer.size(), last ? most : kBeam));
    *words = std::move(longer);
  }
  return {};
}

// Leaves the pieces of `word` as the tokenizer divides it at the place: with or without a ▁.
Status divide(const FillMask& model, const WordGap& gap, std::string_view word,
              std::vector<Token>* pieces) {
  const Status status = model.tokenizer().encode(
      std::string(kMaskText) + (gap.begins ? " " : "") + std::string(word), pieces);
  if (!status.ok()) return status;
  const auto mask = std::find_if(pieces->begin(), pieces->end(),
                                 [](const Token& token) { return token.id == kMaskId; });
  if (mask == pieces->end() || std::next(mask) == pieces->end())
    return Status::error("the word is empty", Problem::empty_text);
  pieces->erase(pieces->begin(), std::next(mask));
  return {};
}

// A piece that is a particle behind some noun, with or without a final consonant.
bool is_particle(const std::u32string& piece) {
  return split_particle(U"가" + piece).particle == piece ||
         split_particle(U"각" + piece).particle == piece;
}

// Returns true if a sequence of pieces is likely to be a word. `goes_on`: more text follows.
bool may_be_word(const std::vector<std::u32string>& pieces, bool goes_on) {
  std::u32string before;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::u32string& piece = pieces[i];
    if (i > 0 && (before.ends_with(piece) || before.ends_with(U'다') ||
                  (i > 1 && is_particle(pieces[i - 1]))))
      return false;
    before += piece;
  }
  return !goes_on || !is_particle(pieces.back());
}

// Finds the mask and the pieces that `word` has in its place, with the errors of score_word().
Status place_word(const FillMask& model, std::string_view text, size_t mask, std::string_view word,
                  WordGap* gap, std::vector<Token>* tokens) {
  Status status = find(model, text, mask, gap);
  if (!status.ok()) return status;
  status = divide(model, *gap, word, tokens);
  if (!status.ok()) return status;
  if (std::any_of(tokens->begin(), tokens->end(),
                  [](const Token& token) { return token.id == kMaskId; }))
    return Status::error("the word has a [MASK] in it");
  if (tokens->size() > kMostScoredPieces)
    return Status::error("found a word of " + std::to_string(tokens->size()) +
                         " pieces, expected at most " + std::to_string(kMostScoredPieces));
  return {};
}

}  // namespace

Status guess_words(FillMask& model, std::string_view text, size_t mask, size_t top,
                   std::vector<WordGuess>* words) {
  words->clear();
  WordGap gap;
  Status status = find(model, text, mask, &gap);
  if (!status.ok()) return status;
  std::map<std::string, float> single;
  for (size_t count = 1; count <= kMostWordPieces; ++count) {
    if (gap.ids.size() + count - 1 > size_t(model.model().config().max_positions)) break;
    std::vector<Partial> found;
    status = search(model, gap, count, std::max(top, kKept), &found);
    if (!status.ok()) return status;
    for (const Partial& word : found) {
      WordGuess guess{{}, word.ids, word.probability};
      std::vector<std::u32string> pieces;
      for (const int32_t id : word.ids) {
        const std::string piece = piece_text(model.tokenizer().piece(id));
        guess.text += piece;
        Characters characters;
        to_characters(piece, &characters);
        pieces.push_back(std::move(characters.text));
      }
      if (count == 1) {
        single[guess.text] = word.probability;
      } else {
        const auto shorter = single.find(piece_text(model.tokenizer().piece(word.ids[0])));
        const bool adds_little = shorter != single.end() && count == 2 && pieces[1].size() == 1 &&
                                 shorter->second > word.probability;
        std::vector<Token> own;
        if (adds_little || !may_be_word(pieces, gap.goes_on) ||
            !divide(model, gap, guess.text, &own).ok() ||
            !std::equal(own.begin(), own.end(), word.ids.begin(), word.ids.end(),
                        [](const Token& token, int32_t id) { return token.id == id; }))
          continue;
      }
      words->push_back(std::move(guess));
    }
  }
  std::stable_sort(words->begin(), words->end(), [](const WordGuess& a, const WordGuess& b) {
    return a.probability > b.probability;
  });
  words->resize(std::min(words->size(), top));
  return {};
}

Status score_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                  WordScore* score) {
  *score = {};
  WordGap gap;
  std::vector<Token> tokens;
  Status status = place_word(model, text, mask, word, &gap, &tokens);
  if (!status.ok()) return status;
  std::vector<int32_t> known;
  score->probability = 1;
  for (const Token& token : tokens) {
    status = predict(model, gap, known, tokens.size());
    if (!status.ok()) return status;
    const bool begins = known.empty() && gap.begins;
    const Standing found = model.engine().place(token.id, model.fitting(begins));
    score->pieces.push_back({token.id, token.piece, found.rank, found.probability});
    score->probability *= found.probability;
    known.push_back(token.id);
  }
  return {};
}

std::span<const float> state_after(const Trace& trace, size_t half, size_t position, size_t length,
                                   size_t width) {
  const std::vector<float>& states = half % 2 ? trace.mids_LSD : trace.states_LSD;
  return std::span(states).subspan((half / 2 * length + position) * width, width);
}

Status follow_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                   std::vector<WordScore>* stages, bool halves) {
  stages->clear();
  WordGap gap;
  std::vector<Token> tokens;
  Status status = place_word(model, text, mask, word, &gap, &tokens);
  if (!status.ok()) return status;
  if (tokens.size() > 1 && model.engine().is_patched())
    return Status::error("found a word of " + std::to_string(tokens.size()) +
                         " pieces, expected one of a single piece where a state is swapped in");
  const ModelConfig& config = model.model().config();
  const auto width = static_cast<size_t>(config.d_model);
  const size_t step = halves ? 1 : 2;
  stages->resize(2 / step * static_cast<size_t>(config.n_layers) + 1);
  for (WordScore& score : *stages) score.probability = 1;
  std::vector<int32_t> known;
  for (const Token& token : tokens) {
    const std::vector<int32_t> ids = with_known(gap, known, tokens.size());
    Trace trace;
    status = model.trace_ids(ids, &trace);
    if (!status.ok()) return status;
    const size_t position = gap.position + known.size();
    const bool begins = known.empty() && gap.begins;
    for (size_t i = 0; i < stages->size(); ++i) {
      WordScore& score = (*stages)[i];
      if (!all_finite(model.logits_of(state_after(trace, step * i, position, ids.size(), width))))
        return not_finite();
      const Standing found = model.engine().place(token.id, model.fitting(begins));
      score.pieces.push_back({token.id, token.piece, found.rank, found.probability});
      score.probability *= found.probability;
    }
    known.push_back(token.id);
  }
  return {};
}

}  // namespace minibert::infer
