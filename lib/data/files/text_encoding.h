// Reads text files of Korean programs: UTF-8, UTF-16 and CP949, recognized by their bytes.
#pragma once

#include <string>

namespace minibert {

struct DecodedText {
  std::string text;      // valid UTF-8 without a byte order mark
  std::string encoding;  // of the file: UTF-8 | UTF-16LE | UTF-16BE | CP949
};

// Decodes bytes. A byte order mark decides; without one, valid UTF-8 is UTF-8, and text that iconv
// accepts as CP949 and that is mostly Hangul beyond ASCII is CP949. Throws Error for anything else,
// naming the file, the line and a command that converts it, and for a spreadsheet, document or
// archive. `path` is for messages.
DecodedText decode_text(std::string bytes, const std::string& path);

// Reads and decodes a file, plain or compressed as for open_bytes(). Throws Error also if it cannot
// be read or has more than 2 GiB.
DecodedText read_decoded(const std::string& path);

}  // namespace minibert
