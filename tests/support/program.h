// Runs the program as a user does.
#pragma once

#include <string>

#include "support/shipped.h"

namespace minibert::testing {

struct ProgramResult {
  int status = -1;
  std::string out, err;
};

// Returns the shell's word for the program: its path, quoted.
std::string program();
// Does the same for a command that gets no signal: a process with LibTorch already loaded
// (warm_start.cpp) runs it, which saves half a second and changes no result. Returns program() if
// that was not built.
std::string warm_program();

// Runs `build/minibert ARGUMENTS` through a shell (the arguments are quoted for it), with `input`
// on stdin.
ProgramResult run_program(const std::string& arguments, const std::string& input = "");

// Checks that the program refuses ARGUMENTS with status 2 and one line that contains `message`.
void check_refused(const std::string& arguments, const std::string& message);

}  // namespace minibert::testing
