// Text tables aligned by terminal columns (a Hangul syllable takes two), and the same as Markdown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct Column {
  std::string heading;
  bool right = true;  // numbers to the right, words to the left
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as columns
};

// Returns the columns of valid UTF-8 text: wide characters (UAX #11) take two, combining ones none.
size_t display_width(std::string_view text);

// Both end in a line feed, and show a line break in a cell as "\n". A plain table wider than
// `width` terminal columns becomes several, one below the other, each with the first column.
std::string plain_table(const Table& table, size_t width = SIZE_MAX);
std::string markdown_table(const Table& table);

// Breaks text at spaces into lines of at most `width` terminal columns; a longer word stands alone.
std::string wrapped(std::string_view text, size_t width);

// "1,234,567"
std::string with_thousands(double value);
// Fixed point; "" for NaN.
std::string fixed(double value, int decimals);
// "+1.23", "-1.23", "0.00"; "" for NaN.
std::string with_sign(double value, int decimals);
// "[-1.23, +4.56]"; "" if an end is unknown (NaN).
std::string in_brackets(double low, double high, int decimals);

}  // namespace minibert
