// The program as a user starts it.
#pragma once

#include <string>

namespace minibert::testing {

struct ProgramResult {
  int status = -1;
  std::string out, err;
};

// `build/minibert ARGUMENTS` through a shell (which the arguments are quoted for), with `input` on
// stdin.
ProgramResult run_program(const std::string& arguments, const std::string& input = "");

// The pretrained record that the repository ships.
inline constexpr const char* kShippedModel = "results/kowiki_mini_bert/full/mini_bert_1m-s1.h5";
// The shipped record that answers questions.
inline constexpr const char* kShippedAnswers =
    "results/korquad_after_cloze/quick-2-core/bert_1m_cloze-s1.h5";

}  // namespace minibert::testing
