// Runs shell commands for tests of scripts and programs.
#pragma once

#include <string>

namespace minibert {

struct ShellResult {
  int status = -1;
  std::string output;      // stdout and stderr together
  double cpu_seconds = 0;  // of all its processes; a busy machine does not change it
};

// Runs `command` with bash in the tests' working folder, the top of the sources.
ShellResult shell(const std::string& command);

std::string single_quoted(const std::string& text);
bool contains(const std::string& text, const std::string& part);

}  // namespace minibert
