// The result of work that can fail, for code that is built without exceptions.
#pragma once

#include <string>
#include <utility>

namespace minibert::infer {

// Success, or one line that says what was found and what was expected.
class [[nodiscard]] Status {
 public:
  Status() = default;
  static Status error(std::string message) {
    Status status;
    status.failed_ = true;
    status.message_ = std::move(message);
    return status;
  }
  bool ok() const { return !failed_; }
  const std::string& message() const { return message_; }

 private:
  bool failed_ = false;
  std::string message_;
};

}  // namespace minibert::infer
