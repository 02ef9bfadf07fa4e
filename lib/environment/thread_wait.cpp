#include "environment/thread_wait.h"

#include <stdlib.h>
#include <unistd.h>

#include <climits>
#include <string>

namespace minibert {

void sleep_at_barriers(char** argv) {
  constexpr const char* kSpins = "GOMP_SPINCOUNT";
  if (getenv(kSpins) != nullptr || getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::string path(PATH_MAX, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0 || static_cast<size_t>(size) == path.size()) return;
  path.resize(static_cast<size_t>(size));
  setenv(kSpins, "1000", /*overwrite=*/0);
  execv(path.c_str(), argv);
}

}  // namespace minibert
