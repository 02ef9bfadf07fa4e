// What a call complains about.
#pragma once

#include <string>

#include "core/error.h"

namespace minibert::testing {

// The message of the Error that the call throws, or "(no error)".
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
