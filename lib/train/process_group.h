// Several processes that train one model, over LibTorch's c10d with Gloo, started by torchrun, srun or
// mpirun. Tensors of a GPU are summed on the CPU.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "train/workers.h"

namespace minibert {

struct GroupSettings {
  int64_t rank = 0, size = 1, local_rank = 0;
  std::string address;  // of the machine of rank 0
  int64_t port = 0;
  // Where torchrun itself serves the store at that port: the prefix of this start's keys; else empty.
  std::string agent_store;
  // Seconds to wait for a process to come, and for how long one may be silent before it counts as lost.
  double timeout = 40;
};

// WORLD_SIZE, RANK, LOCAL_RANK, MASTER_ADDR, MASTER_PORT and MINIBERT_TIMEOUT as `variable` gives
// them (null: not set). Empty where WORLD_SIZE is not set or 1. Throws a usage Error naming the one
// that is missing or wrong.
std::optional<GroupSettings> group_settings(
    const std::function<const char*(const char*)>& variable);

// Waits until all processes are there. Throws a usage Error where this LibTorch has no Gloo, the port
// is in use, the rank is taken or another process has another WORLD_SIZE; Error naming the ranks that
// did not come.
std::unique_ptr<Workers> join_group(const GroupSettings& settings);

}  // namespace minibert
