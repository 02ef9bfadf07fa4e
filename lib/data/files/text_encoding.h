// Text files as they are saved in Korea: UTF-8, UTF-16 and CP949, told apart by their bytes.
#pragma once

#include <string>

namespace minibert {

struct DecodedText {
  std::string text;      // valid UTF-8 without a byte order mark
  std::string encoding;  // as the file has it: UTF-8 | UTF-16LE | UTF-16BE | CP949
};

// A byte order mark decides. Without one, valid UTF-8 is UTF-8, and what iconv takes as CP949 with mostly Hangul beyond
// ASCII is CP949. Throws Error for anything else, naming the file, the line and the command that converts it, and for a
// spreadsheet, document or archive. `path` is for messages.
DecodedText decode_text(std::string bytes, const std::string& path);

// The text of a file, plain or compressed as open_bytes() reads it. Throws Error also for a file that cannot be read or
// has more than 2 GiB.
DecodedText read_decoded(const std::string& path);

}  // namespace minibert
