#include "data/own/sentence_numbers.h"

#include <algorithm>
#include <string_view>

#include "text/python_text.h"

namespace minibert {
namespace {

struct Mark {
  size_t number = 0, length = 0;  // of a dash or dot the number is 0; length 0: there is none
};

Mark mark_before(std::string_view text) {
  for (const std::string_view bullet : {"- ", "* ", "• ", "· ", "▪ ", "● "})
    if (text.starts_with(bullet)) return {0, bullet.size()};
  // ① to ⑳, U+2460 to U+2473.
  if (text.size() > 3 && text.starts_with("\xE2\x91") && text[2] >= '\xA0' && text[2] <= '\xB3')
    return {static_cast<size_t>(text[2] - '\xA0') + 1, 3};
  size_t at = 0;
  for (const std::string_view name : {"문제 ", "문제", "문항 ", "문항", "문 ", "Q"})
    if (text.starts_with(name)) {
      at = name.size();
      break;
    }
  at += at < text.size() && (text[at] == '(' || text[at] == '[') ? 1 : 0;
  const size_t digits = at;
  size_t number = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && at < digits + 4; ++at)
    number = 10 * number + static_cast<size_t>(text[at] - '0');
  if (at == digits) return {};
  if (text.substr(at).starts_with("번")) at += std::string_view("번").size();
  const size_t closing = at;
  while (at < text.size() && std::string_view(".)]:").find(text[at]) != std::string_view::npos)
    ++at;
  if (at == closing || (at < text.size() && text[at] >= '0' && text[at] <= '9')) return {};
  return {number, at};
}

}  // namespace

bool cut_numbers(std::vector<std::vector<std::string>>* rows) {
  std::vector<Mark> marks;
  size_t found = 0, last = 0;
  bool bullets = false, numbers = false;
  for (const auto& row : *rows) {
    marks.push_back(row.empty() ? Mark() : mark_before(row.front()));
    const Mark& mark = marks.back();
    if (mark.length == 0) continue;
    ++found;
    bullets |= mark.number == 0;
    numbers |= mark.number > 0;
    if (mark.number > 0 && mark.number <= last) return false;
    last = mark.number;
  }
  if (found == 0 || 2 * found < rows->size() || (bullets && numbers)) return false;
  if (found == 1 && rows->size() > 1) return false;
  for (size_t i = 0; i < rows->size(); ++i) {
    if (marks[i].length == 0) continue;
    std::string& text = (*rows)[i].front();
    text = std::string(strip(std::string_view(text).substr(marks[i].length)));
  }
  return true;
}

}  // namespace minibert
