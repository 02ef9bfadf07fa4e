// Joined letters, and the order of directions.
#include "text/drawn_text.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace minibert::page {
namespace {

constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kLam = 0x0644;

bool within(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

// Whether an Arabic letter reaches to the one before it, and to the one after it (Unicode's joining types).
enum class Joining { none, before, both };

Joining joining_of(char32_t c) {
  const bool letter = within(c, 0x0620, 0x064A) || within(c, 0x066E, 0x066F) ||
                      within(c, 0x0671, 0x06D3) || c == 0x06D5 || within(c, 0x06EE, 0x06EF) ||
                      within(c, 0x06FA, 0x06FC) || c == 0x06FF || within(c, 0x0750, 0x077F);
  if (!letter || c == 0x0621 || c == 0x0674) return Joining::none;
  const bool before = within(c, 0x0622, 0x0625) || c == 0x0627 || c == 0x0629 ||
                      within(c, 0x062F, 0x0632) || c == 0x0648 || within(c, 0x0671, 0x0673) ||
                      within(c, 0x0675, 0x0677) || within(c, 0x0688, 0x0699) || c == 0x06C0 ||
                      within(c, 0x06C3, 0x06CB) || c == 0x06CD || c == 0x06CF ||
                      within(c, 0x06D2, 0x06D3) || c == 0x06D5 || within(c, 0x06EE, 0x06EF) ||
                      within(c, 0x0759, 0x075B) || within(c, 0x076B, 0x076C) || c == 0x0771 ||
                      within(c, 0x0773, 0x0774) || within(c, 0x0778, 0x0779);
  return before ? Joining::before : Joining::both;
}

// The letters that are one with a lam before them.
bool is_alef(char32_t c) { return c == 0x0622 || c == 0x0623 || c == 0x0625 || c == 0x0627; }

enum class Kind { left, right, number, neutral };

bool is_digit(char32_t c) {
  return within(c, '0', '9') || within(c, 0x0660, 0x0669) || within(c, 0x06F0, 0x06F9);
}

Kind kind_of(char32_t c) {
  if (is_digit(c)) return Kind::number;
  if (is_right_to_left(c)) return Kind::right;
  const bool symbol = within(c, 0x2190, 0x2BFF) || within(c, 0x1F000, 0x1FAFF);
  return symbol || char_class(c) != CharClass::word ? Kind::neutral : Kind::left;
}

// What stands between the digits of one number.
bool divides_number(char32_t c) {
  return c == '.' || c == ',' || c == ':' || c == '/' || c == 0x066B || c == 0x066C;
}

char32_t mirrored(char32_t c) {
  constexpr std::u32string_view kPairs = U"()[]{}<>«»‹›";
  const size_t at = kPairs.find(c);
  return at == std::u32string_view::npos ? c : kPairs[at ^ 1];
}

// Brackets around text from the right alone go with it, where such stands before them, too (rule N0).
void set_brackets(std::u32string_view text, std::span<const Cluster> line,
                  std::vector<Kind>* kinds) {
  std::vector<size_t> open;
  const auto at = [&](size_t i) { return text[line[i].range.begin]; };
  const auto is = [&](Kind kind) { return [kind](Kind other) { return other == kind; }; };
  for (size_t i = 0; i < line.size(); ++i) {
    const char32_t other = mirrored(at(i));
    if (other == at(i)) continue;
    if (other > at(i)) {
      open.push_back(i);
      continue;
    }
    while (!open.empty() && at(open.back()) != other) open.pop_back();
    if (open.empty()) continue;
    const auto begin = kinds->begin() + static_cast<long>(open.back());
    const auto end = kinds->begin() + static_cast<long>(i);
    const auto strong = std::find_if(std::make_reverse_iterator(begin), kinds->rend(),
                                     [](Kind kind) { return kind != Kind::neutral; });
    if (std::any_of(begin, end, is(Kind::right)) && std::none_of(begin, end, is(Kind::left)) &&
        strong != kinds->rend() && *strong != Kind::left)
      *begin = *end = Kind::right;
    open.pop_back();
  }
}

}  // namespace

std::vector<Cluster> clusters_of(std::u32string_view text, Range part) {
  std::vector<Cluster> clusters;
  const std::u32string_view head = text.substr(0, part.end);
  for (size_t at = part.begin; at < part.end;) {
    const size_t end = next_boundary(head, at);
    Cluster& cluster = clusters.emplace_back(Cluster{.range = {at, end}});
    const Joining joins = joining_of(text[at]);
    if (joins != Joining::none && clusters.size() > 1) {
      Cluster& before = clusters[clusters.size() - 2];
      const char32_t other = text[before.range.begin];
      if (joining_of(other) == Joining::both) {
        before.joins_after = cluster.joins_before = true;
        if (other == kLam && is_alef(text[at])) {
          cluster.takes = before.range.size();
          cluster.joins_before = before.joins_before;
          before.taken = true;
        }
      }
    }
    at = end;
  }
  return clusters;
}

std::vector<size_t> order_from_left(std::u32string_view text, std::span<Cluster> line) {
  std::vector<Kind> kinds;
  for (const Cluster& cluster : line) kinds.push_back(kind_of(text[cluster.range.begin]));
  const size_t n = line.size();
  for (size_t i = 1; i + 1 < n; ++i)
    if (divides_number(text[line[i].range.begin]) && kinds[i - 1] == Kind::number &&
        kinds[i + 1] == Kind::number)
      kinds[i] = Kind::number;
  for (size_t i = 1; i < n; ++i)
    if (text[line[i].range.begin] == '%' && kinds[i - 1] == Kind::number) kinds[i] = Kind::number;
  // A number goes with the letters before it; what is between two letters from the right goes with them.
  Kind strong = Kind::left;
  for (size_t i = 0; i < n; ++i) {
    if (kinds[i] == Kind::number && strong == Kind::left)
      kinds[i] = Kind::left;
    else if (kinds[i] == Kind::left || kinds[i] == Kind::right)
      strong = kinds[i];
  }
  set_brackets(text, line, &kinds);
  for (size_t i = 0; i < n;) {
    size_t end = i;
    while (end < n && kinds[end] == Kind::neutral) ++end;
    const auto from_right = [&](size_t k) { return k < n && kinds[k] != Kind::left; };
    if (end > i && i > 0 && from_right(i - 1) && from_right(end))
      std::fill(kinds.begin() + static_cast<long>(i), kinds.begin() + static_cast<long>(end),
                Kind::right);
    i = end + 1;
  }
  for (size_t i = 0; i < n; ++i)
    line[i].level = kinds[i] == Kind::right ? 1 : kinds[i] == Kind::number ? 2 : 0;

  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (const uint8_t level : {2, 1})
    for (size_t i = 0; i < n;) {
      size_t end = i;
      while (end < n && line[order[end]].level >= level) ++end;
      std::reverse(order.begin() + static_cast<long>(i), order.begin() + static_cast<long>(end));
      i = std::max(end, i + 1);
    }
  return order;
}

std::u32string shown(std::u32string_view text, const Cluster& cluster) {
  std::u32string drawn;
  if (cluster.taken) return drawn;
  if (cluster.joins_before) drawn += kJoiner;
  drawn += text.substr(cluster.range.begin - cluster.takes, cluster.range.size() + cluster.takes);
  if (cluster.joins_after) drawn += kJoiner;
  if (cluster.level == 1 && drawn.size() == 1) drawn[0] = mirrored(drawn[0]);
  return drawn;
}

}  // namespace minibert::page
