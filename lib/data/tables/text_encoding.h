// Text files as they are saved in Korea: UTF-8, UTF-16 and CP949, told apart by their bytes.
#pragma once

#include <string>

namespace minibert {

struct DecodedText {
  std::string text;      // valid UTF-8 without a byte order mark
  std::string encoding;  // as the file has it: UTF-8 | UTF-16LE | UTF-16BE | CP949
};

// What becomes of HTML and XML: a table of it is refused; a single text may be a page, as KorQuAD 2 has them.
enum class Markup { refused, is_text };

// A byte order mark decides; without one, zero bytes beside nearly all line ends mean UTF-16, valid UTF-8
// is UTF-8, and what iconv takes as CP949 with mostly Hangul beyond ASCII is CP949. Anything else is
// an Error that names the file and line and the command that converts it, or says what the file is and the way to a
// text. `path` is for messages.
DecodedText decode_text(std::string bytes, const std::string& path,
                        Markup markup = Markup::refused);

// The text of a file, plain or compressed as open_bytes() reads it. Throws Error also for a file that cannot be
// read or has more than 2 GiB.
DecodedText read_decoded(const std::string& path, Markup markup = Markup::refused);

}  // namespace minibert
