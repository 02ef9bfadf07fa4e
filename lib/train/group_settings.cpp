#include <charconv>
#include <cstring>

#include "core/error.h"
#include "train/process_group.h"

namespace minibert {
namespace {

int64_t whole_number(const std::function<const char*(const char*)>& variable, const char* name,
                     int64_t least, int64_t most, const std::string& why) {
  const char* text = variable(name);
  const std::string expected =
      "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + why;
  if (text == nullptr || *text == '\0')
    throw usage_error(std::string(name) + ": is not set, " + expected);
  int64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stop != end || value < least || value > most)
    throw usage_error(std::string(name) + ": found \"" + text + "\", " + expected);
  return value;
}

}  // namespace

std::optional<GroupSettings> group_settings(
    const std::function<const char*(const char*)>& variable) {
  constexpr int64_t kMostProcesses = 4096, kMostSeconds = 86400;
  if (variable("WORLD_SIZE") == nullptr) {
    // Alone, every process would train the whole run and write the same record.
    const char* rank = variable("RANK");
    if (rank != nullptr && *rank != '\0' && std::string(rank) != "0")
      throw usage_error("WORLD_SIZE: is not set, expected the number of processes (RANK is " +
                        std::string(rank) + ")");
    return std::nullopt;
  }
  GroupSettings out;
  out.size = whole_number(variable, "WORLD_SIZE", 1, kMostProcesses, "");
  if (out.size == 1) return std::nullopt;
  const std::string why = " (WORLD_SIZE is " + std::to_string(out.size) + ")";
  out.rank = whole_number(variable, "RANK", 0, out.size - 1, why);
  out.local_rank = whole_number(variable, "LOCAL_RANK", 0, out.size - 1, why);
  const char* address = variable("MASTER_ADDR");
  if (address == nullptr || *address == '\0')
    throw usage_error("MASTER_ADDR: is not set, expected the machine of rank 0" + why);
  out.address = address;
  out.port = whole_number(variable, "MASTER_PORT", 1, 65535, why);
  if (variable("MINIBERT_TIMEOUT") != nullptr)
    out.timeout = static_cast<double>(
        whole_number(variable, "MINIBERT_TIMEOUT", 1, kMostSeconds, " (seconds)"));
  if (const char* agent = variable("TORCHELASTIC_USE_AGENT_STORE");
      agent != nullptr && std::string(agent) == "True") {
    const char* restarts = variable("TORCHELASTIC_RESTART_COUNT");
    out.agent_store = std::string("minibert/") + (restarts != nullptr ? restarts : "0");
  }
  return out;
}

}  // namespace minibert
