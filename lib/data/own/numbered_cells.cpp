#include "data/own/numbered_cells.h"

#include <algorithm>

#include "core/utf8.h"
#include "data/tables/cells.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// How alternatives are numbered: "(1)" is "1" between brackets.
struct Numbering {
  std::string_view before, first, after;
};
constexpr Numbering kNumbered[] = {
    {"", "①", ""}, {"", "⑴", ""}, {"(", "1", ")"}, {"（", "1", "）"}};
// Of these "1." may stand in a number, and "A" in a text.
constexpr Numbering kNumberedOtherwise[] = {{"", "1", ")"}, {"", "1", "."}, {"(", "A", ")"},
                                            {"", "A", ")"}, {"", "A", "."}, {"(", "a", ")"},
                                            {"", "a", ")"}, {"", "a", "."}};
constexpr char kJointsOfParts[] = {'|', ';', '/', '\n', ','};

std::string numeral(const Numbering& numbering, size_t index) {
  return std::string(numbering.before) + place_from(numbering.first, index) +
         std::string(numbering.after);
}

size_t times_in(std::string_view cell, std::string_view part) {
  size_t times = 0;
  for (size_t at = 0; (at = cell.find(part, at)) != std::string_view::npos; at += part.size())
    ++times;
  return times;
}

std::vector<std::string> parts_behind(std::string_view written, const Numbering& numbering) {
  const std::string_view cell = strip(written);
  if (!cell.starts_with(numeral(numbering, 0))) return {};
  size_t count = 0;
  while (count < kMostChoices && times_in(cell, numeral(numbering, count)) == 1) ++count;
  for (size_t i = count; i < kMostChoices; ++i)
    if (times_in(cell, numeral(numbering, i)) > 0) return {};
  std::vector<std::string> out;
  std::string_view rest = cell;
  for (size_t i = 0; i < count; ++i) {
    const std::string number = numeral(numbering, i);
    if (!rest.starts_with(number)) return {};  // it stands further up
    rest.remove_prefix(number.size());
    const size_t end = i + 1 < count ? rest.find(numeral(numbering, i + 1)) : rest.size();
    if (end == std::string_view::npos) return {};
    const std::string_view part = strip(rest.substr(0, end));
    if (part.empty()) return {};
    out.emplace_back(part);
    rest.remove_prefix(end);
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

// Whether `parts_of` gives at least two parts of every cell that says something, and of each as many.
template <class PartsOf>
bool have_as_many(std::span<const std::string_view> cells, const PartsOf& parts_of) {
  size_t parts = 0;
  for (const std::string_view written : cells) {
    const std::string_view cell = strip(written);
    if (cell.empty()) continue;
    const size_t found = parts_of(cell);
    if (found < 2 || (parts > 0 && found != parts)) return false;
    parts = found;
  }
  return parts > 0;
}

}  // namespace

std::string place_from(std::string_view first, size_t index) {
  if (first == "0" || first == "1")
    return std::to_string(static_cast<size_t>(first[0] - '0') + index);
  const char32_t place = to_code_points(first)[0] + static_cast<char32_t>(index);
  return to_utf8(std::u32string(1, place));
}

std::vector<std::string> numbered_parts(std::string_view cell) {
  for (const Numbering& numbering : kNumbered)
    if (std::vector<std::string> parts = parts_behind(cell, numbering); !parts.empty())
      return parts;
  return {};
}

std::string joint_of_parts(std::span<const std::string_view> cells) {
  for (const Numbering& numbering : kNumberedOtherwise)
    if (have_as_many(cells,
                     [&](std::string_view cell) { return parts_behind(cell, numbering).size(); }))
      return "numbered " + numeral(numbering, 0) + ", " + numeral(numbering, 1) + ", …";
  for (const char joint : kJointsOfParts)
    if (have_as_many(cells, [&](std::string_view cell) {
          const auto parts = cells_between(cell, joint);
          const bool filled = std::ranges::none_of(
              parts, [](std::string_view part) { return strip(part).empty(); });
          return filled ? parts.size() : 0;
        }))
      return joint == '\n' ? "on lines of their own" : std::string("between \"") + joint + "\"";
  return "";
}

}  // namespace minibert
