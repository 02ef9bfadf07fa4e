#include "infer/fastest_kernel.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "infer/engine.h"
#include "infer/piece_tokenizer.h"

namespace minibert::infer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int32_t kPieces = 16;
constexpr int kRounds = 3;
// Many times what a browser's clock resolves.
constexpr auto kAtLeast = std::chrono::milliseconds(2);

// Seconds for one text with one mask, the mean of as many as fit.
double seconds(Engine* engine, const std::vector<int32_t>& ids) {
  constexpr int32_t kMask = kPieces / 2;
  int count = 0;
  const auto begin = Clock::now();
  auto now = begin;
  for (; now - begin < kAtLeast; now = Clock::now(), ++count) {
    if (!engine->encode(ids, {}, false, {&kMask, 1}).ok()) return 0;
    engine->logits(kMask);  // nothing, where the model answers questions
  }
  return std::chrono::duration<double>(now - begin).count() / count;
}

}  // namespace

Kernel fastest_kernel(const Model& model) {
  std::vector<Kernel> kernels = available_kernels();
  std::erase(kernels, Kernel::scalar);
  const ModelConfig& config = model.config();
  if (kernels.size() < 2 || !model.facts().quantized || config.max_positions < kPieces ||
      config.vocab_size <= kFirstOrdinaryId)
    return best_kernel();
  std::vector<int32_t> ids(kPieces);
  for (int32_t i = 0; i < kPieces; ++i)
    ids[i] = kFirstOrdinaryId + i * 37 % (config.vocab_size - kFirstOrdinaryId);
  std::vector<Engine> engines;
  for (const Kernel kernel : kernels) engines.emplace_back(model, kernel);
  std::vector<double> best(kernels.size(), 1e9);
  // In turns, so that a slow moment strikes all alike.
  for (int round = 0; round < kRounds; ++round)
    for (size_t i = 0; i < engines.size(); ++i)
      best[i] = std::min(best[i], seconds(&engines[i], ids));
  return kernels[static_cast<size_t>(std::min_element(best.begin(), best.end()) - best.begin())];
}

}  // namespace minibert::infer
