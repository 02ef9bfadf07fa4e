// Line breaking.
#include "editor/text_layout.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace minibert::page {

void TextLayout::build(std::u32string_view text, const std::vector<Range>& chips, float width,
                       float chip_width, const Advance& advance) {
  // What cannot be divided, each with its width.
  std::vector<Cluster> clusters;
  std::vector<float> widths;
  std::vector<bool> is_chip;
  size_t chip = 0;
  for (size_t at = 0; at < text.size();) {
    if (chip < chips.size() && chips[chip].begin == at) {
      clusters.push_back({.range = chips[chip]});
      widths.push_back(chip_width);
      is_chip.push_back(true);
      at = chips[chip++].end;
    } else {
      const size_t end = chip < chips.size() ? chips[chip].begin : text.size();
      for (const Cluster& cluster : clusters_of(text, {at, end})) {
        clusters.push_back(cluster);
        widths.push_back(cluster.taken ? 0 : advance(shown(text, cluster)));
        is_chip.push_back(false);
      }
      at = end;
    }
  }
  const auto is_space = [&](size_t i) {
    return !is_chip[i] && char_class(text[clusters[i].range.begin]) == CharClass::space;
  };

  lines_.clear();
  edges_.assign(text.size(), {});
  carets_.assign(text.size() + 1, 0);
  stops_.clear();
  const bool one_way = !has_right_to_left(text);
  float left = 0;
  const auto put = [&](size_t i) {
    const Range range = clusters[i].range;
    const Stretch edges{left, left + widths[i]};
    for (size_t at = range.begin; at < range.end; ++at) {
      edges_[at] = edges;
      carets_[at] = clusters[i].level == 1 ? edges.right : edges.left;
    }
    left = edges.right;
  };
  size_t first = 0;      // first cluster of the line
  size_t candidate = 0;  // cluster before which the line may be broken
  float x = 0;
  const auto close_line = [&](size_t last) {
    Line line;
    line.range.begin = first < clusters.size() ? clusters[first].range.begin : text.size();
    left = 0;
    for (size_t i = first; i < last;) {
      if (one_way || is_chip[i]) {
        put(i++);
        continue;
      }
      // Chips stay where they are, and directions are ordered between them.
      size_t end = i;
      while (end < last && !is_chip[end]) ++end;
      for (const size_t k : order_from_left(text, std::span(clusters).subspan(i, end - i)))
        put(i + k);
      i = end;
    }
    line.range.end = last > first ? clusters[last - 1].range.end : line.range.begin;
    line.width = left;
    lines_.push_back(line);
    first = last;
    x = 0;
  };
  for (size_t i = 0; i < clusters.size(); ++i) {
    if (i > first && is_space(i - 1)) candidate = i;
    // A space may hang over the edge; anything else moves to the next line.
    if (x + widths[i] > width && i > first && !is_space(i)) {
      close_line(candidate > first ? candidate : i);
      for (size_t j = first; j < i; ++j) x += widths[j];
    }
    x += widths[i];
  }
  close_line(clusters.size());
  const bool ends_from_right = !clusters.empty() && clusters.back().level == 1;
  carets_[text.size()] =
      ends_from_right ? edges_[clusters.back().range.begin].left : lines_.back().width;
  for (const Cluster& cluster : clusters) stops_.push_back(cluster.range.begin);
  stops_.push_back(text.size());
}

Place TextLayout::place(size_t position) const {
  position = std::min(position, carets_.size() - 1);
  const auto next =
      std::upper_bound(lines_.begin(), lines_.end() - 1, position,
                       [](size_t wanted, const Line& line) { return wanted < line.range.end; });
  return {static_cast<size_t>(next - lines_.begin()), carets_[position]};
}

std::vector<Stretch> TextLayout::spans(size_t line, Range range) const {
  const size_t begin = std::max(range.begin, lines_[line].range.begin);
  const size_t end = std::min(range.end, lines_[line].range.end);
  std::vector<Stretch> spans;
  for (size_t at = begin; at < end; ++at) {
    if (!spans.empty() && spans.back() == edges_[at]) continue;
    if (!spans.empty() && spans.back().right == edges_[at].left)
      spans.back().right = edges_[at].right;
    else
      spans.push_back(edges_[at]);
  }
  std::sort(spans.begin(), spans.end(),
            [](const Stretch& a, const Stretch& b) { return a.left < b.left; });
  std::vector<Stretch> joined;
  for (const Stretch& span : spans) {
    if (joined.empty() || span.left > joined.back().right)
      joined.push_back(span);
    else
      joined.back().right = std::max(joined.back().right, span.right);
  }
  return joined;
}

size_t TextLayout::position(size_t line, float x) const {
  line = std::min(line, lines_.size() - 1);
  const Line& at = lines_[line];
  size_t best = at.range.begin;
  float best_distance = std::abs(x - carets_[best]);
  for (auto stop = std::lower_bound(stops_.begin(), stops_.end(), at.range.begin);
       stop != stops_.end() && *stop <= at.range.end; ++stop) {
    const bool end_of_line = *stop == at.range.end;
    // The end of a softly broken line is the beginning of the next: it is not on this one.
    if (end_of_line && line + 1 < lines_.size()) break;
    const float distance = std::abs(x - carets_[*stop]);
    if (distance < best_distance) {
      best = *stop;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace minibert::page
