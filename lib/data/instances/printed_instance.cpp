#include "data/instances/printed_instance.h"

namespace minibert {
namespace {

template <class Items, class Print>
std::string line_of(const char* name, const Items& items, const Print& print) {
  std::string line = name;
  for (const auto& item : items) line += " " + print(item);
  return line + "\n";
}

}  // namespace

std::string printed_instance(const InstanceFile& file, size_t index, const Tokenizer& tokenizer,
                             const MaskSettings& mask, uint64_t seed) {
  MaskedInstance shown;
  masked_instance(file, index, mask, seed, /*epoch=*/0, &shown);
  const auto piece = [&](int32_t id) { return tokenizer.piece(id); };
  const auto number = [](int value) { return std::to_string(value); };
  std::string out = line_of("tokens:    ", shown.ids, piece);
  out += line_of("segment:   ", shown.segments, number);
  if (shown.nsp != kNoSentenceTask) out += "is_next:    " + std::to_string(shown.nsp) + "\n";
  out += line_of("mask_idx:  ", shown.positions, number);
  out += line_of("mask_label:", shown.labels, piece);
  return out;
}

}  // namespace minibert
