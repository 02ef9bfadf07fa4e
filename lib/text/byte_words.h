// How byte-level BPE sees a text (GPT-2: Radford et al. 2019, encoder.py): bytes written as visible
// letters, and the words within which bytes are joined.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// The byte symbols in the order of their letters, which is the order of their ids: visible Latin-1
// stands for itself, and the other 68 bytes in order are U+0100, U+0101, … (never to be changed):
// the space is Ġ, a line's end Ċ.
const std::vector<uint8_t>& byte_symbols();
// The letters of bytes, as UTF-8.
std::string byte_letters(std::string_view bytes);
// The bytes of byte_letters(). Error: another character, or no UTF-8.
std::string bytes_of_letters(std::string_view letters);

// Appends the words of `text`, which must be UTF-8 (else Error): the matches of GPT-2's expression
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// which together are all of it. \s is Unicode's White_Space, letters and numbers are utf8proc's.
void append_byte_words(std::string_view text, std::vector<std::string_view>* words);

}  // namespace minibert
