#include "export/cloze_list.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/excerpt.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr size_t kMostPieces = 3, kBeam = 5, kGuesses = 5;

}  // namespace

std::vector<WordGuess> guess_words(infer::FillMask& model, const std::string& text, size_t count) {
  const size_t at = text.find(infer::kMaskText);
  const std::string before = text.substr(0, at), behind = text.substr(at + infer::kMaskText.size());
  std::map<std::string, double> best;  // a word may come of several numbers of pieces
  for (size_t pieces = 1; pieces <= kMostPieces; ++pieces) {
    std::vector<WordGuess> beam = {{"", 0}};
    for (size_t filled = 0; filled < pieces; ++filled) {
      std::vector<WordGuess> longer;
      for (const WordGuess& start : beam) {
        std::string with_masks = before + start.word;
        for (size_t i = filled; i < pieces; ++i) with_masks += infer::kMaskText;
        infer::FillResult result;
        const infer::Status status = model.fill(with_masks + behind, kBeam, &result);
        if (!status.ok()) throw Error("\"" + excerpt(text) + "\": " + status.message());
        for (const infer::Guess& guess : result.masks.front().guesses)
          longer.push_back({start.word + guess.text,
                            start.log_probability + std::log(double{guess.probability})});
      }
      std::ranges::stable_sort(longer, std::greater(), &WordGuess::log_probability);
      longer.resize(std::min(longer.size(), kBeam));
      beam = std::move(longer);
    }
    for (const WordGuess& guess : beam) {
      const auto [found, added] = best.emplace(guess.word, guess.log_probability);
      if (!added) found->second = std::max(found->second, guess.log_probability);
    }
  }
  std::vector<WordGuess> out;
  for (const auto& [word, log_probability] : best) out.push_back({word, log_probability});
  std::ranges::stable_sort(out, std::greater(), &WordGuess::log_probability);
  out.resize(std::min(out.size(), count));
  return out;
}

nlohmann::ordered_json evaluate_cloze_list(infer::FillMask& model,
                                           const std::vector<MaskedSentence>& sentences) {
  struct Count {
    double all = 0, first = 0, top5 = 0;
  };
  std::map<std::string, Count> of_kind;
  json told = json::array();
  for (const MaskedSentence& sentence : sentences) {
    json guesses = json::array();
    size_t rank = 0;
    for (const WordGuess& guess : guess_words(model, sentence.text, kGuesses)) {
      guesses.push_back(guess.word);
      if (rank == 0 && std::ranges::count(sentence.accept, guess.word) > 0) rank = guesses.size();
    }
    const auto add = [&](const std::string& kind) {
      Count& count = of_kind[kind];
      ++count.all;
      count.first += rank == 1;
      count.top5 += rank > 0;
    };
    add("");
    if (!sentence.kind.empty()) add(sentence.kind + "_");
    told.push_back(
        {{"kind", sentence.kind}, {"text", sentence.text}, {"guesses", guesses}, {"rank", rank}});
  }
  nlohmann::ordered_json out;
  for (const auto& [kind, count] : of_kind) {
    out["cloze_" + kind + "first"] = count.first / count.all;
    out["cloze_" + kind + "top5"] = count.top5 / count.all;
  }
  out["sentences"] = told;
  return out;
}

}  // namespace minibert
