// Caches a teacher's targets, in place of its passes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/teacher_targets.h"

namespace minibert {

// Returns a teacher's probabilities at a batch's masked positions, float32 [M, V] on the CPU.
using Teach = std::function<torch::Tensor(const Batch&)>;

// The number of best pieces kept at a masked position. The best eight or sixteen alone would hold
// half of a teacher's distribution and teach another one. So eight more are drawn from the others
// by their probabilities, and each stands for an eighth of the remaining mass: the mean over such
// draws is the teacher's own distribution (Anshumann et al. 2025, arXiv 2503.16870).
inline constexpr int64_t kBestPieces = 8;

// Returns the targets of `draw` (the masks' epoch) from the cache, or makes them with `teach` and
// caches them. `decides`: everything else that determines them (the teacher, its precision, the
// temperature); with the instances and the masks it names the file. A damaged file is made anew,
// with a note to `say`.
std::shared_ptr<const TeacherTargets> cached_targets(
    const InstanceFile& instances, const BatchSettings& masks, uint64_t seed, uint64_t draw,
    nlohmann::json decides, const std::string& cache_dir, const Teach& teach,
    const std::function<void(const std::string&)>& say);

}  // namespace minibert
