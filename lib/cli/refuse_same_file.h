// An output that would replace what the command itself reads.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"

namespace minibert {

// Throws a usage Error when `out`, given with `flag`, is one of the inputs; `what` calls them "the
// record" or the like. An empty name is no file.
inline void refuse_same_file(const std::string& flag, const std::string& out,
                             const std::string& what, const std::vector<std::string>& inputs) {
  std::error_code absent;  // a file that is not there is not the other
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(input, out, absent))
      throw usage_error(flag + " " + out + ": is " + what + " itself, expected another file");
}

}  // namespace minibert
