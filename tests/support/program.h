// The program as a user starts it.
#pragma once

#include <string>

#include "support/shipped.h"

namespace minibert::testing {

struct ProgramResult {
  int status = -1;
  std::string out, err;
};

// `build/minibert ARGUMENTS` through a shell (which the arguments are quoted for), with `input` on
// stdin.
ProgramResult run_program(const std::string& arguments, const std::string& input = "");

// That the program refuses ARGUMENTS with status 2 and one line that has `message` in it.
void check_refused(const std::string& arguments, const std::string& message);

}  // namespace minibert::testing
