// The one exception type of the native half. Libraries throw it; main() alone catches it for the
// user.
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

// A message is one line: file, key or flag, what was found, what was expected. Control characters
// that it quotes from a file or an argument become spaces, except tabs.
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

// What a call to the system says in `code`. `what`: path, and what cannot be done with it. Throws
// std::bad_alloc where the call lacked memory, as that says nothing of the file.
inline Error system_error(const std::string& what, int code = errno) {
  if (code == ENOMEM) throw std::bad_alloc();
  return Error(what + ": " + std::strerror(code));
}

// Returns the message of an exception that may not be ours: LibTorch's add a stack trace below it.
inline std::string first_line(const std::exception& error) {
  const std::string what = error.what();
  return what.substr(0, what.find('\n'));
}

}  // namespace minibert
