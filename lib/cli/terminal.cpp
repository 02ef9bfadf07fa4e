#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace minibert {

std::optional<size_t> terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace minibert
