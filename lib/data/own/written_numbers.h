// Numbers as people write them: 85점, ₩1,200, 4.5/5, 15억 9,000만원, 1시간 12분, ★★★☆☆.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace minibert {

// In "labels" of own_source.h "#" stands for any number: {"#점": "#"} reads 85점 as 85, {"#": "#"} 12,000 as 12000,
// {"#,#": "#"} 3,5 as 3.5 and {"₩#": "#"} ₩1,200 as 1200; a number alone is one, too. Of {"#억 #만원": "#"} each number
// counts what stands behind it: 15억 9,000만원 is 1590000000, 5,000만 is 50000000, and 3억 5000 is 350000000, as people
// leave 만 out there. {"#시간 #분": "#"} counts the last of them: 1시간 12분 is 72. {"★": "#"} counts stars.
inline constexpr std::string_view kAnyNumber = "#";

bool is_way_of_numbers(std::string_view written, std::string_view name);

// Whether a way counts stars, and has no number in it.
bool counts_stars(std::string_view way);
// Whether a text has a star of any kind that is counted.
bool has_star(std::string_view text);

// The number of a cell that is written that way, as from_chars reads it; nothing: it is another.
std::optional<std::string> number_written(std::string_view cell, std::string_view way);

// The way that all cells are written in; "" for plain numbers. Nothing: there is none. A unit is what all have behind
// their number or, as a currency, before it: what holds another number is none, but for "/5" of 4.5/5 and m2.
std::optional<std::string> way_of_numbers(std::span<const std::string_view> cells);

// Whether numbers that are written that way measure or count something; those of 3반 and 2학년 tell which.
bool measures(std::string_view way);

// Whether numbers that are written that way are scores, whatever stands in other cells: those of "85 %" are, and those
// of "2차" need not be.
bool is_usual_of_scores(std::string_view way);

// How the cells are read where a number has several parts, for people: `억, 만 counted as 원: "15억 9,000만원" is
// 1590000000`. Empty where it has one.
std::string told_of_parts(std::span<const std::string_view> cells, std::string_view way);

// "3,200,000원": whose commas stand before three digits each.
bool has_grouped_digits(std::string_view cell);

}  // namespace minibert
