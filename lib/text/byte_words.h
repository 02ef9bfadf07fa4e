// Byte-level BPE's view of a text (GPT-2: Radford et al. 2019, encoder.py): bytes written as
// visible letters, and the words within which bytes are joined.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// The bytes in the order of their letters, which is the order of their ids (never to be changed).
// Visible Latin-1 stands for itself; the other 68 bytes are, in order, U+0100, U+0101, …: the space
// is Ġ, a line feed Ċ.
const std::vector<uint8_t>& byte_symbols();
// Writes each byte as its letter, in UTF-8.
std::string byte_letters(std::string_view bytes);
// Reverses byte_letters(). Throws Error for another character or invalid UTF-8.
std::string bytes_of_letters(std::string_view letters);

// Appends the words of `text`; throws Error if it is not UTF-8. The words are the matches of
// GPT-2's expression
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// and together make up the text. \s is Unicode's White_Space; letters and numbers follow utf8proc.
void append_byte_words(std::string_view text, std::vector<std::string_view>* words);

}  // namespace minibert
