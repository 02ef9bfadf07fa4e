// Line breaking.
#include "editor/text_layout.h"

#include <algorithm>
#include <cmath>

namespace minibert::page {

void TextLayout::build(std::u32string_view text, const std::vector<Range>& chips, float width,
                       float chip_width, const Advance& advance) {
  // Clusters: what cannot be divided, each with its width.
  struct Cluster {
    Range range;
    float width;
    bool space;
  };
  std::vector<Cluster> clusters;
  size_t chip = 0;
  for (size_t at = 0; at < text.size();) {
    if (chip < chips.size() && chips[chip].begin == at) {
      clusters.push_back({chips[chip], chip_width, false});
      at = chips[chip++].end;
      continue;
    }
    const size_t end = next_boundary(text, at);
    clusters.push_back({{at, end}, 0, char_class(text[at]) == CharClass::space});
    for (; at < end; ++at) clusters.back().width += advance(text[at]);
  }

  lines_.clear();
  x_.assign(text.size() + 1, 0);
  stops_.clear();
  size_t first = 0;      // first cluster of the line
  size_t candidate = 0;  // cluster before which the line may be broken
  float x = 0;
  auto close_line = [&](size_t last) {
    Line line;
    line.range.begin = first < clusters.size() ? clusters[first].range.begin : text.size();
    float left = 0;
    for (size_t i = first; i < last; ++i) {
      std::fill(x_.begin() + static_cast<long>(clusters[i].range.begin),
                x_.begin() + static_cast<long>(clusters[i].range.end), left);
      left += clusters[i].width;
    }
    line.range.end = last > first ? clusters[last - 1].range.end : line.range.begin;
    line.width = left;
    lines_.push_back(line);
    first = last;
    x = 0;
  };
  for (size_t i = 0; i < clusters.size(); ++i) {
    if (i > first && (clusters[i - 1].space)) candidate = i;
    // A space may hang over the edge; anything else moves to the next line.
    if (x + clusters[i].width > width && i > first && !clusters[i].space) {
      close_line(candidate > first ? candidate : i);
      for (size_t j = first; j < i; ++j) x += clusters[j].width;
    }
    x += clusters[i].width;
  }
  close_line(clusters.size());
  x_[text.size()] = lines_.back().width;
  for (const Cluster& cluster : clusters) stops_.push_back(cluster.range.begin);
  stops_.push_back(text.size());
}

Place TextLayout::place(size_t position) const {
  position = std::min(position, x_.size() - 1);
  for (size_t i = 0; i + 1 < lines_.size(); ++i)
    if (position < lines_[i].range.end) return {i, x_[position]};
  return {lines_.size() - 1, x_[position]};
}

size_t TextLayout::position(size_t line, float x) const {
  line = std::min(line, lines_.size() - 1);
  const Line& at = lines_[line];
  size_t best = at.range.begin;
  float best_distance = std::abs(x - x_[best]);
  for (auto stop = std::lower_bound(stops_.begin(), stops_.end(), at.range.begin);
       stop != stops_.end() && *stop <= at.range.end; ++stop) {
    const bool end_of_line = *stop == at.range.end;
    // The end of a softly broken line is the beginning of the next: it is not on this one.
    if (end_of_line && line + 1 < lines_.size()) break;
    const float distance = std::abs(x - (end_of_line ? at.width : x_[*stop]));
    if (distance < best_distance) {
      best = *stop;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace minibert::page
