#include "infer/engine/fastest_kernel.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "infer/engine/engine.h"
#include "infer/engine/piece_tokenizer.h"

namespace minibert::infer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int32_t kTimedPieces = 16;
constexpr int kRounds = 3;
// Many times the resolution of a browser's clock.
constexpr auto kAtLeast = std::chrono::milliseconds(2);

// Seconds for one text with one mask, the mean of as many as fit.
double seconds(Engine* engine, const std::vector<int32_t>& ids) {
  constexpr int32_t kMask = kTimedPieces / 2;
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

KernelTimes::KernelTimes(const Model& model) : model_(model) {
  const ModelConfig& config = model.config();
  if (!model.facts().quantized || config.max_positions < kTimedPieces ||
      config.vocab_size <= kFirstOrdinaryId)
    return;
  kernels_ = available_kernels();
  std::erase(kernels_, Kernel::scalar);
  if (kernels_.size() < 2) kernels_.clear();
  seconds_.assign(kernels_.size(), 1e9);
}

void KernelTimes::measure() {
  const int32_t ordinary = model_.config().vocab_size - kFirstOrdinaryId;
  std::vector<int32_t> ids(kTimedPieces);
  for (int32_t i = 0; i < kTimedPieces; ++i) ids[i] = kFirstOrdinaryId + i * 37 % ordinary;
  std::vector<Engine> engines;
  for (const Kernel kernel : kernels_) engines.emplace_back(model_, kernel);
  // In turns, so that a slow moment strikes all alike.
  for (int round = 0; round < kRounds; ++round)
    for (size_t i = 0; i < engines.size(); ++i)
      seconds_[i] = std::min(seconds_[i], seconds(&engines[i], ids));
}

Kernel KernelTimes::fastest() const {
  if (kernels_.empty()) return best_kernel();
  const auto shortest = std::min_element(seconds_.begin(), seconds_.end());
  return kernels_[static_cast<size_t>(shortest - seconds_.begin())];
}

}  // namespace minibert::infer
