// Error messages of calls.
#pragma once

#include <string>

#include "core/error.h"

namespace minibert::testing {

// Returns the message of the Error that the call throws, or "(no error)".
template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace minibert::testing
