// Joins processes that train one model together, through LibTorch's c10d with Gloo. torchrun, srun
// or mpirun starts them and sets the environment that tells each process its rank. A GPU's tensors
// are summed on the CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace minibert {

class Workers;  // train/workers.h

struct GroupSettings {
  int64_t rank = 0, size = 1, local_rank = 0;
  std::string address;  // of the machine of rank 0
  int64_t port = 0;
  // Prefix of this start's keys if torchrun itself serves the store at that port; else empty.
  std::string agent_store;
  // Seconds to wait for a process to join, and of silence after which it counts as lost.
  double timeout = 40;
};

// Reads WORLD_SIZE, RANK, LOCAL_RANK, MASTER_ADDR, MASTER_PORT and MINIBERT_TIMEOUT through
// `variable`, which returns null for an unset one. Returns nothing for a single process: WORLD_SIZE
// is 1, or it is not set and RANK is not set or 0. Throws a usage Error naming the variable that is
// missing or wrong.
std::optional<GroupSettings> group_settings(
    const std::function<const char*(const char*)>& variable);

// Waits until all processes have joined. Throws a usage Error if this LibTorch has no Gloo, the
// port is in use, the rank is taken or another process has another WORLD_SIZE; throws Error naming
// the ranks that did not join.
std::unique_ptr<Workers> join_group(const GroupSettings& settings);

}  // namespace minibert
