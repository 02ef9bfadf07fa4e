#include "model/size_check.h"

#include "core/error.h"
#include "model/bert_config.h"

namespace minibert {
namespace {

// So few take no memory that matters (4 MiB), and which tensor is wrong says more.
constexpr int64_t kFewNumbers = 1 << 20;

}  // namespace

int64_t encoder_numbers(const BertConfig& c) {
  const int64_t d = c.d_model, e = c.embedding_size;
  int64_t out = (c.vocab_size + c.segments + 2) * e;  // with the LayerNorm
  if (c.position == "table") out += c.max_positions * e;
  if (e != d) out += dense_numbers(e, d);
  for (int64_t i = 0; i < stored_layers(c); ++i) out += layer_numbers(c, i);
  if (c.norm == "pre") out += 2 * d;
  return out;
}

int64_t encoder_numbers(const LstmConfig& c) {
  constexpr int64_t kLayers = 2, kGates = 4;
  const int64_t d = c.d_model;
  return (c.vocab_size + c.segments) * d + kLayers * 2 * dense_numbers(d, kGates * d);
}

int64_t encoder_numbers(const BagConfig& c) { return 2 * c.vocab_size * c.d_model; }

void check_size(const ModelConfig& config, const std::vector<NamedTensor>& weights,
                const std::string& file) {
  int64_t expected = 0, found = 0;
  if (const auto* bert = config.get_if<BertConfig>()) expected = encoder_numbers(*bert);
  if (const auto* lstm = config.get_if<LstmConfig>()) expected = encoder_numbers(*lstm);
  if (const auto* bag = config.get_if<BagConfig>()) expected = encoder_numbers(*bag);
  for (const NamedTensor& one : weights) found += static_cast<int64_t>(one.values.size());
  if (expected / 2 > found + kFewNumbers)
    throw Error(file + ": /weights: found " + std::to_string(found) + " numbers, expected the " +
                std::to_string(expected) + " of the encoder that its configuration names");
}

}  // namespace minibert
