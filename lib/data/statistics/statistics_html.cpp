#include "data/statistics/statistics_html.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <vector>

#include "core/utf8.h"
#include "data/statistics/counts.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr double kWidth = 720, kHistogram = 160, kBox = 62, kMargin = 44;
constexpr double kCloudWidth = 720, kCloudHeight = 300;
constexpr double kLargestWord = 44, kSmallestWord = 11;  // font sizes, px

constexpr char kHead[] = R"(<meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.5 "Nanum Gothic", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", sans-serif;
  color: #1d2733; background: #fff; max-width: 760px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .1em .7em .1em 0; text-align: right; font-weight: normal; }
th { color: #5a6675; } h3 { margin: 1.6em 0 .3em; }
svg { width: 100%; height: auto; display: block; } svg text { font-size: 11px; fill: #5a6675; }
.bar { fill: #3b6ea5; } .box { fill: #cfe0f1; stroke: #3b6ea5; } .line { stroke: #1d2733; fill: none; }
.mean { fill: #b4441f; } .cloud text { fill: #1d2733; text-anchor: middle; dominant-baseline: central; }
</style>
)";

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char out[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(out, sizeof out, format, arguments);
  va_end(arguments);
  return out;
}

std::string escaped(const std::string& raw) {
  std::string out;
  for (const char c : raw) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string spaced(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string number(double value) {
  return value == std::floor(value) ? text("%.0f", value) : text("%.2f", value);
}

// Positions on the horizontal axis, from the least value to the largest.
struct Axis {
  double min, max;
  double at(double value) const {
    return kMargin + (max > min ? (value - min) / (max - min) : 0.5) * (kWidth - 2 * kMargin);
  }
};

std::string histogram(const json& shape, const Axis& axis) {
  const double first = shape["first"], width = shape["width"];
  const auto counts = shape["counts"].get<std::vector<double>>();
  const double most = *std::ranges::max_element(counts);
  std::string out;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double left = axis.at(first + width * static_cast<double>(i));
    const double right = axis.at(first + width * static_cast<double>(i + 1));
    const double height = counts[i] / most * (kHistogram - 20);
    out += text("<rect class=\"bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>", left,
                kHistogram - height, std::max(right - left, 1.0), height);
  }
  out +=
      text("<path class=\"line\" d=\"M%.0f %.0fH%.0f\"/>", kMargin, kHistogram, kWidth - kMargin);
  out += text("<text x=\"%.0f\" y=\"12\" text-anchor=\"end\">%s</text>", kMargin - 6,
              number(most).c_str());
  out += text("<text transform=\"rotate(-90)\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">",
              -kHistogram / 2, kMargin - 10);
  return out + "count</text>";
}

std::string box_plot(const json& values, const Axis& axis) {
  const double top = kHistogram + 8, middle = top + 10, bottom = top + 20;
  const double low = axis.at(values["percentile_25"]), high = axis.at(values["percentile_75"]);
  const double median = axis.at(values["percentile_50"]), mean = axis.at(values["mean"]);
  std::string out = text("<path class=\"line\" d=\"M%.2f %.1fH%.2f\"/>", axis.at(values["min"]),
                         middle, axis.at(values["upper_whisker"]));
  out += text("<rect class=\"box\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"20\"/>", low, top,
              std::max(high - low, 1.0));
  out += text("<path class=\"line\" d=\"M%.2f %.1fV%.1f\"/>", median, top, bottom);
  out += text("<circle class=\"mean\" cx=\"%.2f\" cy=\"%.1f\" r=\"3\"/>", mean, middle);
  for (int tick = 0; tick <= 4; ++tick) {
    const double least = values["min"], most = values["max"];
    const double value = least + (most - least) * tick / 4;
    out += text("<text x=\"%.2f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", axis.at(value),
                bottom + 16, number(value).c_str());
  }
  return out;
}

std::string figures(const json& values) {
  std::string head, cells;
  for (const auto& [title, key] : kDistributionColumns) {
    head += std::string("<th>") + title + "</th>";
    cells += "<td>" + number(values[key]) + "</td>";
  }
  return "<table><tr>" + head + "</tr><tr>" + cells + "</tr></table>\n";
}

std::string chart(const std::string& name, const json& values, const std::string& unit) {
  const json& bars = values["histogram"];
  const double first = bars["first"], width = bars["width"];
  const Axis axis{first, first + width * static_cast<double>(bars["counts"].size())};
  return "<h3>" + escaped(spaced(name)) + " (" + escaped(unit) + ")</h3>\n" + figures(values) +
         text("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", kWidth,
              kHistogram + kBox) +
         escaped(spaced(name)) + "\">" + histogram(bars, axis) + box_plot(values, axis) +
         text("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">", kWidth / 2,
              kHistogram + kBox - 6) +
         escaped(unit) + "</text></svg>\n";
}

struct Rectangle {
  double left, top, right, bottom;
  bool overlaps(const Rectangle& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// A character of Hangul or Han is as wide as it is high, another about half as wide.
double width_of(const std::string& word, double size) {
  double width = 0;
  for (const char32_t c : to_code_points(word)) width += c >= 0x1100 ? 1.0 : 0.62;
  return width * size;
}

// Where a word of this size is free, nearest to the middle along a spiral.
std::optional<Rectangle> free_place(const std::vector<Rectangle>& taken, double width,
                                    double height) {
  for (double step = 0; step < 900; step += 0.35) {
    const double radius = 1.9 * std::sqrt(step) * std::sqrt(step) / 6;
    const double x = kCloudWidth / 2 + 2.2 * radius * std::cos(step);
    const double y = kCloudHeight / 2 + radius * std::sin(step);
    const Rectangle place{x - width / 2, y - height / 2, x + width / 2, y + height / 2};
    if (place.left < 0 || place.top < 0 || place.right > kCloudWidth || place.bottom > kCloudHeight)
      continue;
    if (std::ranges::none_of(taken, [&](const Rectangle& one) { return one.overlaps(place); }))
      return place;
  }
  return std::nullopt;
}

// Words, the most frequent largest (by the root of their count), as many as find a place.
std::string cloud(const std::string& name, const json& words) {
  if (words.empty()) return "";
  const double most = words[0][1], least = words.back()[1];
  std::vector<Rectangle> taken;
  std::string out =
      "<h3>words: " + escaped(name) + "</h3>\n" +
      text("<svg class=\"cloud\" viewBox=\"0 0 %.0f %.0f\">", kCloudWidth, kCloudHeight);
  for (const json& one : words) {
    const std::string word = one[0];
    const double share = most > least ? (std::sqrt(one[1].get<double>()) - std::sqrt(least)) /
                                            (std::sqrt(most) - std::sqrt(least))
                                      : 1;
    const double size = kSmallestWord + share * (kLargestWord - kSmallestWord);
    const auto place = free_place(taken, width_of(word, size) + 4, size * 1.15);
    if (!place) continue;
    taken.push_back(*place);
    out += text("<text x=\"%.1f\" y=\"%.1f\" style=\"font-size:%.1fpx\">",
                (place->left + place->right) / 2, (place->top + place->bottom) / 2, size) +
           escaped(word) + "<title>" + number(one[1]) + "</title></text>";
  }
  return out + "</svg>\n";
}

// {name: count} as a table with each one's share.
std::string shares(const std::string& name, const json& values) {
  double all = 0;
  for (const json& count : values) all += count.get<double>();
  std::string rows;
  for (const auto& [key, count] : values.items())
    rows += "<tr><td>" + escaped(key) + "</td><td>" + count.dump() + "</td><td>" +
            text("%.1f %%", all > 0 ? 100 * count.get<double>() / all : 0) + "</td></tr>";
  return "<h3>" + escaped(spaced(name)) + "</h3>\n<table>" + rows + "</table>\n";
}

std::string counts(const json& values) {
  std::string out;
  for (const auto& [name, value] : values.items())
    if (value.is_number())
      out += (out.empty() ? "" : ", ") + escaped(spaced(name)) + " " +
             (value.is_number_float() ? text("%.6g", value.get<double>()) : value.dump());
  return "<p>" + out + "</p>\n";
}

}  // namespace

std::string statistics_html(const std::string& title, const json& table) {
  std::string out = "<h1>" + escaped(title) + "</h1>\n";
  for (const auto& [split, values] : table.items()) {
    out += "<h2>" + escaped(split) + "</h2>\n" + counts(values);
    for (const auto& [name, value] : values.items())
      if (value.is_object() && value.contains("iqr"))
        out += chart(name, value, value.value("unit", values.value("unit", "")));
    for (const char* name : {"labels", "entity_types", "tags"})
      if (values.contains(name)) out += shares(name, values[name]);
    if (values.contains("words"))
      for (const auto& [name, words] : values["words"].items()) out += cloud(name, words);
    if (values.contains("frequent_pieces"))
      out += cloud("most frequent pieces", values["frequent_pieces"]);
  }
  return "<!doctype html>\n<html lang=\"ko\"><meta charset=\"utf-8\">\n<title>" + escaped(title) +
         "</title>\n" + kHead + out + "</html>\n";
}

}  // namespace minibert
