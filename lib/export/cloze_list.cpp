#include "export/cloze_list.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr size_t kMostPieces = 3, kBeam = 5, kGuesses = 5;

// What a key of a sentence holds; `where` names it in messages.
const json& value_at(const json& object, const char* key, const std::string& where) {
  if (!object.is_object() || !object.contains(key))
    throw usage_error(where + "." + key + ": missing");
  return object[key];
}

std::string text_of(const json& value, const std::string& where) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    throw usage_error(where + ": found " + value.dump() + ", expected a text");
  return value;
}

MaskedSentence read_sentence(const json& entry, const std::string& where) {
  MaskedSentence sentence{text_of(value_at(entry, "kind", where), where + ".kind"),
                          text_of(value_at(entry, "text", where), where + ".text"),
                          {}};
  const size_t at = sentence.text.find(infer::kMaskText);
  if (at == std::string::npos || sentence.text.find(infer::kMaskText, at + 1) != std::string::npos)
    throw usage_error(where + ".text: found \"" + sentence.text + "\", expected one [MASK]");
  const json& accept = value_at(entry, "accept", where);
  if (!accept.is_array() || accept.empty())
    throw usage_error(where + ".accept: found " + accept.dump() + ", expected a list of words");
  for (const json& word : accept) sentence.accept.push_back(text_of(word, where + ".accept"));
  return sentence;
}

}  // namespace

std::vector<MaskedSentence> read_cloze_list(const std::string& path) {
  const json list = read_json(path);
  const json& entries = value_at(list, "sentences", path + ": top level");
  if (!entries.is_array() || entries.empty())
    throw usage_error(path + ": sentences: expected a list that is not empty");
  std::vector<MaskedSentence> out;
  for (size_t i = 0; i < entries.size(); ++i)
    out.push_back(read_sentence(entries[i], path + ": sentences[" + std::to_string(i) + "]"));
  return out;
}

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
        if (!status.ok()) throw Error("\"" + text + "\": " + status.message());
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
    for (const std::string& kind : {sentence.kind + "_", std::string()}) {
      Count& count = of_kind[kind];
      ++count.all;
      count.first += rank == 1;
      count.top5 += rank > 0;
    }
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
