// A teacher's targets from the cache, read in place of its passes, or made and put there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "model/ops/tied_cross_entropy.h"
#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/teacher_targets.h"

namespace minibert {

// A teacher's probabilities of the masked positions of a batch, on the CPU: pieces int64 and probabilities float32, both
// [M, kTopPieces].
using Teach = std::function<TopTargets(const Batch&)>;

// The targets of `draw`, the epoch of the masks, from the cache, or made by `teach` and put there. `decides`: whatever
// else decides them (the teacher, its precision, the temperature); with the instances' and the masks' it names the file.
// One that is damaged is made anew, and `say` is told.
std::shared_ptr<const TeacherTargets> cached_targets(
    const InstanceFile& instances, const BatchSettings& masks, uint64_t seed, uint64_t draw,
    nlohmann::json decides, const std::string& cache_dir, const Teach& teach,
    const std::function<void(const std::string&)>& say);

}  // namespace minibert
