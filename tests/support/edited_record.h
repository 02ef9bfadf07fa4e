// Records as other programs may leave them.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "support/shell.h"

namespace minibert::testing {

// Removes the seal, which older records lack.
inline void unseal(const std::string& path) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file << std::string(512, '\0');
}

// Runs Python statements on a record's h5py.File `f`, for edits that no writer makes.
inline void edit_record(const std::string& path, const std::string& statements) {
  const std::string script =
      "import h5py, sys, numpy as np\n"
      "with h5py.File(sys.argv[1], 'a') as f: " +
      statements;
  const ShellResult edited =
      shell("/usr/bin/python3 -c " + single_quoted(script) + " " + single_quoted(path));
  INFO(edited.output);
  REQUIRE(edited.status == 0);
}

}  // namespace minibert::testing
