#include "export/cloze_list.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/excerpt.h"
#include "infer/written_masks.h"

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

std::vector<ClozeResult> guess_sentences(infer::FillMask& model,
                                         const std::vector<MaskedSentence>& sentences) {
  std::vector<ClozeResult> results;
  for (const MaskedSentence& sentence : sentences) {
    ClozeResult& result = results.emplace_back(sentence);
    result.sentence.text = infer::with_one_particle(model, sentence.text);
    for (const WordGuess& guess : guess_words(model, result.sentence.text, kGuesses)) {
      result.guesses.push_back(guess.word);
      if (result.rank == 0 && std::ranges::count(sentence.accept, guess.word) > 0)
        result.rank = result.guesses.size();
    }
  }
  return results;
}

std::vector<std::string> kinds_of(const MaskedSentence& sentence) {
  if (sentence.kind.empty()) return {""};
  return {"", sentence.kind + "_"};
}

nlohmann::ordered_json cloze_json(const std::vector<ClozeResult>& results) {
  struct Count {
    double all = 0, first = 0, top5 = 0;
  };
  std::map<std::string, Count> of_kind;
  nlohmann::ordered_json counts = nlohmann::ordered_json::object();
  json told = json::array();
  for (const ClozeResult& result : results) {
    const MaskedSentence& sentence = result.sentence;
    for (const std::string& kind : kinds_of(sentence)) {
      Count& count = of_kind[kind];
      ++count.all;
      count.first += result.rank == 1;
      count.top5 += result.rank > 0;
    }
    if (!sentence.kind.empty()) counts[sentence.kind] = counts.value(sentence.kind, 0) + 1;
    told.push_back({{"kind", sentence.kind},
                    {"text", sentence.text},
                    {"accept", sentence.accept},
                    {"guesses", result.guesses},
                    {"rank", result.rank}});
  }
  nlohmann::ordered_json out;
  for (const auto& [kind, count] : of_kind) {
    out["cloze_" + kind + "first"] = count.first / count.all;
    out["cloze_" + kind + "top5"] = count.top5 / count.all;
  }
  out["counts"] = counts;
  out["sentences"] = told;
  return out;
}

}  // namespace minibert
