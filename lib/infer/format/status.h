// The result of work that can fail, for code without exceptions.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace minibert::infer {

// The kind of an error, for callers with their own words for it.
enum class Problem {
  none,
  other,
  empty_text,
  text_too_long,
  no_mask,
  empty_question,
  question_too_long,
  second_text,
};

// Success, or one line that says what was found and what was expected.
class [[nodiscard]] Status {
 public:
  Status() = default;
  static Status error(std::string message, Problem problem = Problem::other) {
    Status status;
    status.problem_ = problem;
    status.message_ = std::move(message);
    return status;
  }
  // For counts beyond a limit: `found` is more than `most`.
  static Status too_many(std::string message, Problem problem, size_t found, size_t most) {
    Status status = error(std::move(message), problem);
    status.found_ = found;
    status.most_ = most;
    return status;
  }
  bool ok() const { return problem_ == Problem::none; }
  Problem problem() const { return problem_; }
  const std::string& message() const { return message_; }
  // Set by too_many(); else 0.
  size_t found() const { return found_; }
  size_t most() const { return most_; }

 private:
  Problem problem_ = Problem::none;
  size_t found_ = 0, most_ = 0;
  std::string message_;
};

}  // namespace minibert::infer
