// What a teacher says of the masked pieces of an instance file, kept on disk: read in place of the teacher's passes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "model/ops/tied_cross_entropy.h"
#include "task/pretrain/pretrain_batch.h"

namespace minibert {

inline constexpr int64_t kTopPieces = 16;  // of every masked position

// One draw of masks over one instance file. A file, mapped into memory: for every masked position, instance by
// instance, the best pieces (uint16) and their probabilities (float16), best first; where each instance begins (uint64,
// one more than instances); the SHA-256 of all this, in hex.
class TeacherTargets {
 public:
  // Throws Error naming the file and what is wrong where it is not whole or of another number of instances.
  TeacherTargets(const std::string& path, size_t instances);
  ~TeacherTargets();
  TeacherTargets(const TeacherTargets&) = delete;
  TeacherTargets& operator=(const TeacherTargets&) = delete;

  // Of every masked position of an instance, in order, the pieces and then their probabilities.
  std::span<const uint16_t> of(size_t instance) const;

 private:
  const uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
  std::span<const uint64_t> begins_;
};

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
