// The program as a user starts it.
#pragma once

#include <string>

#include "support/shipped.h"

namespace minibert::testing {

struct ProgramResult {
  int status = -1;
  std::string out, err;
};

// How a shell starts the program: its path, quoted.
std::string program();
// The same for a command that is sent no signal: run by a process that has LibTorch loaded (warm_start.cpp), it
// ends half a second earlier, and comes out alike. Where that was not built it is program().
std::string warm_program();

// `build/minibert ARGUMENTS` through a shell (which the arguments are quoted for), with `input` on
// stdin.
ProgramResult run_program(const std::string& arguments, const std::string& input = "");

// That the program refuses ARGUMENTS with status 2 and one line that has `message` in it.
void check_refused(const std::string& arguments, const std::string& message);

}  // namespace minibert::testing
