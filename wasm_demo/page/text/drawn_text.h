// How a line of text is drawn from left to right: what is one glyph, which form Arabic letters have beside their
// neighbours, and in which order what is written from right to left stands (the part of the Unicode bidirectional
// algorithm, UAX #9, that text in a line from the left needs; without its invisible marks of direction). Knows
// nothing of fonts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_units.h"

namespace minibert::page {

// What people take for one character, with what is needed to draw it.
struct Cluster {
  Range range;        // of the text
  uint8_t level = 0;  // 0: from the left; 1: from the right; 2: a number in text from the right
  bool joins_before = false, joins_after = false;  // Arabic letters reach to their neighbours
  size_t takes = 0;                                // so many characters before it are drawn with it
  bool taken = false;                              // it is drawn with the next one
};

// Of a part of a text, in the order of the text.
std::vector<Cluster> clusters_of(std::u32string_view text, Range part);

// The indices of a line's clusters in the order in which they stand from the left; sets their levels.
std::vector<size_t> order_from_left(std::u32string_view text, std::span<Cluster> line);

// What a font has to draw for a cluster, as one glyph; empty where it is drawn with the next one. U+200D before
// or after an Arabic letter asks for the form that joins.
std::u32string shown(std::u32string_view text, const Cluster& cluster);

}  // namespace minibert::page
