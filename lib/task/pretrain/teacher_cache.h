// A teacher's targets from the cache, read in place of its passes, or made and put there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/teacher_targets.h"

namespace minibert {

// A teacher's probabilities of every piece at the masked positions of a batch, float32 [M, V] on the CPU.
using Teach = std::function<torch::Tensor(const Batch&)>;

// What is kept of a masked position. Its best eight pieces alone, or sixteen, would be half of what a teacher says, and
// teach a student another distribution. So eight more are drawn of the others by their probabilities, and each stands
// for an eighth of what the best leave out: the mean over such draws is the teacher's own distribution (Anshumann et al.
// 2025, arXiv 2503.16870, who draw all of them).
inline constexpr int64_t kBestPieces = 8;

// The targets of `draw`, the epoch of the masks, from the cache, or made by `teach` and put there. `decides`: whatever
// else decides them (the teacher, its precision, the temperature); with the instances' and the masks' it names the file.
// One that is damaged is made anew, and `say` is told.
std::shared_ptr<const TeacherTargets> cached_targets(
    const InstanceFile& instances, const BatchSettings& masks, uint64_t seed, uint64_t draw,
    nlohmann::json decides, const std::string& cache_dir, const Teach& teach,
    const std::function<void(const std::string&)>& say);

}  // namespace minibert
