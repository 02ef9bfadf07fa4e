#include "compare/table.h"

#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/excerpt.h"
#include "core/utf8.h"

namespace minibert {
namespace {

// Vowel and final Jamo are drawn into the initial before them; utf8proc gives them a width.
bool joins_initial(char32_t c) {
  return (c >= 0x1160 && c <= 0x11ff) || (c >= 0xd7b0 && c <= 0xd7ff);
}

std::string padded(const std::string& text, size_t width, bool right) {
  const std::string spaces(width - std::min(width, display_width(text)), ' ');
  return right ? spaces + text : text + spaces;
}

std::vector<size_t> widths_of(const Table& table, size_t least) {
  std::vector<size_t> widths;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    size_t width = std::max(least, display_width(table.columns[c].heading));
    for (const auto& row : table.rows) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  return widths;
}

// One line: the cells between `open`, `between` and `close`.
std::string line(const Table& table, const std::vector<std::string>& cells,
                 const std::vector<size_t>& widths, const std::string& open,
                 const std::string& between, const std::string& close) {
  std::string out = open;
  for (size_t c = 0; c < cells.size(); ++c)
    out += (c == 0 ? "" : between) + padded(cells[c], widths[c], table.columns[c].right);
  out += close;
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::vector<std::string> headings(const Table& table) {
  std::vector<std::string> cells;
  for (const Column& column : table.columns) cells.push_back(column.heading);
  return cells;
}

// A line break in a cell would begin a row, and invalid UTF-8, as in file names, has no width.
std::string on_one_line(const std::string& cell) {
  std::string out;
  for (const char c : excerpt(cell, cell.size()))
    out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
  return out;
}

// The same on one line, where a bar would begin another column.
std::string in_markdown(const std::string& cell) {
  std::string out = on_one_line(cell);
  for (size_t at = out.find('|'); at != std::string::npos; at = out.find('|', at + 2))
    out.insert(at, "\\");
  return out;
}

// With each heading and cell as `change` has it.
Table changed(Table table, std::string (*change)(const std::string&)) {
  for (Column& column : table.columns) column.heading = change(column.heading);
  for (auto& row : table.rows) std::ranges::transform(row, row.begin(), change);
  return table;
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (const char32_t c : to_code_points(text))
    if (!joins_initial(c))
      width += static_cast<size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(c)));
  return width;
}

std::string plain_table(const Table& table, size_t width) {
  const Table shown = changed(table, on_one_line);
  const std::vector<size_t> widths = widths_of(shown, 1);
  size_t used = 0, fit = 0;
  while (fit < widths.size() && (fit < 2 || used + widths[fit] <= width)) used += widths[fit++] + 2;
  if (fit < widths.size()) {
    Table first = shown, rest = shown;
    const auto cut = [&](auto& first_cells, auto& rest_cells) {
      first_cells.resize(fit);
      rest_cells.erase(rest_cells.begin() + 1, rest_cells.begin() + static_cast<ptrdiff_t>(fit));
    };
    cut(first.columns, rest.columns);
    for (size_t row = 0; row < shown.rows.size(); ++row) cut(first.rows[row], rest.rows[row]);
    return plain_table(first) + "\n" + plain_table(rest, width);
  }
  std::string out = line(shown, headings(shown), widths, "", "  ", "");
  for (const auto& row : shown.rows) out += line(shown, row, widths, "", "  ", "");
  return out;
}

std::string markdown_table(const Table& table) {
  const Table escaped = changed(table, in_markdown);
  const std::vector<size_t> widths = widths_of(escaped, 3);
  std::string out = line(escaped, headings(escaped), widths, "| ", " | ", " |");
  out += "|";
  for (size_t c = 0; c < widths.size(); ++c)
    out += " " + std::string(widths[c] - 1, '-') + (escaped.columns[c].right ? ":" : "-") + " |";
  out += "\n";
  for (const auto& row : escaped.rows) out += line(escaped, row, widths, "| ", " | ", " |");
  return out;
}

std::string wrapped(std::string_view text, size_t width) {
  std::string out;
  size_t used = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const size_t wide = display_width(word);
    const bool fits = used == 0 || used + 1 + wide <= width;
    out += used == 0 ? "" : fits ? " " : "\n";
    out += word;
    used = fits && used > 0 ? used + 1 + wide : wide;
    if (end < text.size() && text[end] == '\n') out += '\n', used = 0;
    begin = end + 1;
  }
  return out;
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "";
  char text[400];
  const int size = std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return std::string(text, static_cast<size_t>(size));
}

std::string with_thousands(double value) {
  std::string digits = fixed(std::round(value), 0);
  const size_t first = digits.starts_with('-') ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string with_sign(double value, int decimals) {
  const std::string text = fixed(value, decimals);
  if (text.empty()) return text;
  if (text.find_first_not_of("-0.") == std::string::npos) return fixed(0, decimals);
  return value > 0 ? "+" + text : text;
}

std::string in_brackets(double low, double high, int decimals) {
  if (std::isnan(low) || std::isnan(high)) return "";
  return "[" + with_sign(low, decimals) + ", " + with_sign(high, decimals) + "]";
}

}  // namespace minibert
