// Which of several processes this one is, as torchrun, srun or mpirun say it in the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

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
// them (null: not set). Empty where WORLD_SIZE is 1, or not set and RANK neither (or 0). Throws a usage
// Error naming the one that is missing or wrong.
std::optional<GroupSettings> group_settings(
    const std::function<const char*(const char*)>& variable);

}  // namespace minibert
