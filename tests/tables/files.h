// Files as people bring them.
#pragma once

#include <iconv.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "data/own/survey.h"
#include "data/own_source.h"
#include "support/scratch.h"

namespace minibert::testing {

// UTF-8 text in another encoding, as iconv names it.
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

// One labelled file that the program splits.
inline OwnSource source_of(const std::string& train) {
  OwnSource source;
  source.train = {train};
  return source;
}

// A first look at a file of these bytes.
inline Survey looked_at(const Scratch& scratch, const std::string& name, const std::string& bytes,
                        LabelsAs labels = LabelsAs::found) {
  write_bytes(scratch / name, bytes);
  return survey(source_of(scratch / name), labels);
}

// Whether one of the lines has this part.
inline bool has_part(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

inline bool has_part(const Survey& found, const std::string& part) {
  return has_part(found.told, part);
}

// What `read` says is wrong, from the file's name on; it is one line.
template <class Read>
std::string mistake(const Scratch& scratch, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find('\n') != std::string::npos) return "more than one line: " + message;
    const size_t folder = message.find(scratch.path());
    return folder == std::string::npos ? message
                                       : message.substr(folder + scratch.path().size() + 1);
  }
  return "no error";
}

}  // namespace minibert::testing
