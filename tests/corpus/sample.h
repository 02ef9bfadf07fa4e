// The sample corpus and a tokenizer trained on it once for all tests here.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "data/instances/masking.h"
#include "support/scratch.h"
#include "text/tokenizer.h"

namespace minibert::testing {

inline constexpr const char* kSampleText = "experiments/sample/corpus.txt";

// BPE with the course's settings; as many of 2,000 pieces as the sample gives.
const Tokenizer& sample_tokenizer();

// Returns the course's special pieces, then ordinary ones: starts[i] tells if piece i begins a
// word.
PieceRoles course_roles(const std::vector<uint8_t>& starts);

std::vector<std::string> read_lines(const std::string& path);

// Writes `text` to a file of the folder and returns its path.
std::string text_file(const Scratch& folder, const std::string& name, const std::string& text);

// Writes `times` copies of the sample in a row: several units of work.
std::string repeated_sample(const Scratch& folder, int times);

// Returns the message of the Error that `work` throws, or "".
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace minibert::testing
