#include "data/instances/masking.h"

#include <algorithm>

#include "core/error.h"

namespace minibert {
namespace {

std::vector<uint8_t> roles_of(const Tokenizer& tokenizer) {
  std::vector<uint8_t> roles(static_cast<size_t>(tokenizer.size()));
  for (int32_t id = 0; id < tokenizer.size(); ++id)
    roles[static_cast<size_t>(id)] = tokenizer.is_special(id)    ? kNoText
                                     : tokenizer.starts_word(id) ? kStartsWord
                                                                 : kContinuesWord;
  const SpecialPieces& special = tokenizer.special();
  roles[static_cast<size_t>(special.mask)] = kIsMask;
  roles[static_cast<size_t>(special.cls)] = kIsCls;
  roles[static_cast<size_t>(special.sep)] = kIsSep;
  return roles;
}

uint16_t only(const std::vector<uint8_t>& roles, PieceRole role, const char* name) {
  const auto count = std::ranges::count(roles, role);
  if (count != 1)
    throw Error("the vocabulary has " + std::to_string(count) + " pieces with the role of " + name +
                ", expected one");
  return static_cast<uint16_t>(std::ranges::find(roles, role) - roles.begin());
}

}  // namespace

PieceRoles::PieceRoles(const Tokenizer& tokenizer) : PieceRoles(roles_of(tokenizer)) {}

PieceRoles::PieceRoles(std::vector<uint8_t> roles) : roles_(std::move(roles)) {
  mask_ = only(roles_, kIsMask, "[MASK]");
  cls_ = only(roles_, kIsCls, "[CLS]");
  sep_ = only(roles_, kIsSep, "[SEP]");
  for (size_t id = 0; id < roles_.size(); ++id) {
    if (roles_[id] > kIsSep)
      throw Error("piece " + std::to_string(id) + " has the role " + std::to_string(roles_[id]) +
                  ", expected at most " + std::to_string(kIsSep));
    if (is_ordinary(static_cast<uint16_t>(id))) ordinary_.push_back(static_cast<uint16_t>(id));
  }
  if (ordinary_.empty()) throw Error("the vocabulary has special pieces only");
}

void mask_instance(std::span<const uint16_t> pieces, const PieceRoles& roles,
                   const MaskSettings& settings, Rng& rng, std::vector<int32_t>* ids,
                   std::vector<int32_t>* positions, std::vector<int32_t>* labels) {
  ids->assign(pieces.begin(), pieces.end());
  positions->clear();
  labels->clear();

  // Word w is candidates[starts[w] .. starts[w + 1]).
  thread_local std::vector<uint32_t> candidates, starts, order;
  candidates.clear();
  starts.clear();
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!roles.is_ordinary(pieces[i])) continue;
    if (starts.empty() || !settings.whole_words || roles.starts_word(pieces[i]))
      starts.push_back(static_cast<uint32_t>(candidates.size()));
    candidates.push_back(static_cast<uint32_t>(i));
  }
  const size_t words = starts.size();
  starts.push_back(static_cast<uint32_t>(candidates.size()));

  const auto choose = [&](size_t word) {
    const double dice = rng.uniform();
    for (uint32_t k = starts[word]; k < starts[word + 1]; ++k) {
      const uint32_t at = candidates[k];
      positions->push_back(static_cast<int32_t>(at));
      if (dice < 0.8 || settings.replacement == MaskReplacement::mask) {
        (*ids)[at] = roles.mask();
      } else if (dice >= 0.9) {
        (*ids)[at] = roles.ordinary()[rng.below(roles.ordinary().size())];
      }
    }
  };
  if (settings.choice == MaskChoice::independent) {
    for (size_t w = 0; w < words; ++w)
      if (rng.uniform() < settings.probability) choose(w);
  } else {
    order.resize(words);
    for (size_t w = 0; w < words; ++w) order[w] = static_cast<uint32_t>(w);
    const double share = (static_cast<double>(pieces.size()) - 3) * settings.probability;
    const size_t budget = share > 0 ? static_cast<size_t>(share) : 0;
    for (size_t n = 0; n < words && positions->size() < budget; ++n) {
      // The shuffle, one step at a time: most instances need only the first fifth of it.
      std::swap(order[n], order[n + rng.below(words - n)]);
      const uint32_t length = starts[order[n] + 1] - starts[order[n]];
      if (positions->size() + length <= budget) choose(order[n]);
    }
  }
  if (settings.at_least_one && settings.probability > 0 && words > 0 && positions->empty())
    choose(rng.below(words));
  std::sort(positions->begin(), positions->end());
  for (const int32_t at : *positions) labels->push_back(pieces[static_cast<size_t>(at)]);
}

}  // namespace minibert
