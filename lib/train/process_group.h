// Joins processes that train one model together, through LibTorch's c10d with Gloo. torchrun, srun
// or mpirun starts them. A GPU's tensors are summed on the CPU.
#pragma once

#include <memory>

#include "train/group_settings.h"
#include "train/workers.h"

namespace minibert {

// Waits until all processes have joined. Throws a usage Error where this LibTorch has no Gloo, the
// port is in use, the rank is taken or another process has another WORLD_SIZE; throws Error naming
// the ranks that did not join.
std::unique_ptr<Workers> join_group(const GroupSettings& settings);

}  // namespace minibert
