// Several processes that train one model, over LibTorch's c10d with Gloo, started by torchrun, srun or
// mpirun. Tensors of a GPU are summed on the CPU.
#pragma once

#include <memory>

#include "train/group_settings.h"
#include "train/workers.h"

namespace minibert {

// Waits until all processes are there. Throws a usage Error where this LibTorch has no Gloo, the port
// is in use, the rank is taken or another process has another WORLD_SIZE; Error naming the ranks that
// did not come.
std::unique_ptr<Workers> join_group(const GroupSettings& settings);

}  // namespace minibert
