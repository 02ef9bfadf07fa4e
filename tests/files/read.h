// Writes files for tests.
#pragma once

#include <iconv.h>

#include <stdexcept>
#include <string>

#include "core/error.h"
#include "support/scratch.h"

namespace minibert::testing {

// Converts UTF-8 to another encoding, by iconv's name.
inline std::string encoded(const std::string& text, const char* encoding) {
  iconv_t converter = iconv_open(encoding, "UTF-8");
  if (converter == reinterpret_cast<iconv_t>(-1)) throw std::runtime_error(encoding);
  std::string out(text.size() * 4 + 16, '\0');
  char* in = const_cast<char*>(text.data());
  char* to = out.data();
  size_t left = text.size(), room = out.size();
  if (iconv(converter, &in, &left, &to, &room) == static_cast<size_t>(-1))
    throw std::runtime_error(encoding);
  iconv_close(converter);
  out.resize(out.size() - room);
  return out;
}

// Returns the error that `read` reports for a file of these bytes, from the file's name on.
template <class Read>
std::string mistake_in(const std::string& name, const std::string& bytes, const Read& read) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  try {
    read(scratch / name);
  } catch (const Error& error) {
    const std::string message = error.what();
    const size_t at = message.find(scratch / name);
    return at == std::string::npos ? message : message.substr(at + scratch.path().size() + 1);
  }
  return "no error";
}

}  // namespace minibert::testing
