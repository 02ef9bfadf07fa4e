// An experiment small enough for a test: real questions of the sample data, models of a few
// thousand parameters.
#pragma once

#include <string>

namespace minibert::testing {

// One arm ("lstm", "bert" or "pretrain"), the sample data, a vocabulary of 1,500.
std::string tiny_experiment(const std::string& arm);

}  // namespace minibert::testing
