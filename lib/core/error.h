// The one exception type of the native code. Libraries throw it; main() reports it.
#pragma once

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace minibert {

enum class ErrorKind {
  run,    // the work failed: exit status 1
  usage,  // bad arguments or configuration: exit status 2
};

// An error whose message is one line: file, key or flag, what was found, what was expected. Control
// characters quoted from a file or an argument become spaces; tabs stay.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ErrorKind kind = ErrorKind::run)
      : std::runtime_error(one_line(message)), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  static std::string one_line(std::string text) {
    for (char& c : text)
      if ((static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f) c = ' ';
    return text;
  }

  ErrorKind kind_;
};

inline Error usage_error(const std::string& message) { return Error(message, ErrorKind::usage); }

// Makes an Error from a failed system call. `what`: the path and what could not be done with it;
// `code`: its errno. Throws std::bad_alloc if memory ran out, as the file is not at fault.
inline Error system_error(const std::string& what, int code = errno) {
  if (code == ENOMEM) throw std::bad_alloc();
  return Error(what + ": " + std::strerror(code));
}

// Returns the first line of an exception's message: LibTorch appends a stack trace.
inline std::string first_line(const std::exception& error) {
  const std::string what = error.what();
  return what.substr(0, what.find('\n'));
}

}  // namespace minibert
