// Text tables aligned by what a terminal shows (a Hangul syllable takes two columns), and the same
// as Markdown.
#pragma once

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

// Terminal columns of valid UTF-8 text: wide and full-width characters (UAX #11) take two,
// combining ones none.
size_t display_width(std::string_view text);

// Both end in a line feed.
std::string plain_table(const Table& table);
std::string markdown_table(const Table& table);

// "1,234,567"
std::string with_thousands(double value);
// Fixed point; an empty text for NaN.
std::string fixed(double value, int decimals);

}  // namespace minibert
