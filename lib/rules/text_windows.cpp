#include "rules/text_windows.h"

#include <algorithm>

namespace minibert {
namespace {

TextInputWindow input_of(std::span<const int32_t> text, std::span<const int32_t> pair, int32_t cls,
                         int32_t sep) {
  TextInputWindow input;
  input.ids.push_back(cls);
  input.ids.insert(input.ids.end(), text.begin(), text.end());
  input.ids.push_back(sep);
  input.segments.assign(input.ids.size(), 0);
  if (pair.empty()) return input;
  input.ids.insert(input.ids.end(), pair.begin(), pair.end());
  input.ids.push_back(sep);
  input.segments.resize(input.ids.size(), 1);
  return input;
}

}  // namespace

std::vector<TextWindow> text_windows(uint32_t pieces, uint32_t room) {
  std::vector<TextWindow> windows = {{0, std::min(pieces, room)}};
  const uint32_t step = std::max(room / 2, 1U);
  while (windows.back().first + windows.back().count < pieces)
    windows.push_back({std::min(windows.back().first + step, pieces - room), room});
  return windows;
}

size_t best_window(const std::vector<TextWindow>& windows, uint32_t piece) {
  size_t best = 0;
  int64_t most = -1;
  for (size_t w = 0; w < windows.size(); ++w) {
    const auto [first, count] = windows[w];
    if (piece < first || piece >= first + count) continue;
    // Where a window begins or ends with the text there is no more context to have.
    const int64_t before = w == 0 ? INT64_MAX : piece - first;
    const int64_t behind = w + 1 == windows.size() ? INT64_MAX : first + count - 1 - piece;
    if (const int64_t context = std::min(before, behind); context > most) best = w, most = context;
  }
  return best;
}

std::vector<float> rows_of_best_windows(const std::vector<TextWindow>& windows,
                                        const std::vector<std::vector<float>>& of_windows,
                                        uint32_t pieces, size_t width) {
  std::vector<float> rows;
  rows.reserve(pieces * width);
  for (uint32_t i = 0; i < pieces; ++i) {
    const size_t window = best_window(windows, i);
    const std::span<const float> row =
        std::span(of_windows[window]).subspan((i - windows[window].first) * width, width);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

WindowedText windowed(std::span<const int32_t> text, std::span<const int32_t> pair, int max_length,
                      int32_t cls, int32_t sep) {
  WindowedText out;
  const auto room = static_cast<size_t>(max_length) - (pair.empty() ? 2 : 3);
  const bool text_is_longer = text.size() > pair.size();
  const auto longer = static_cast<uint32_t>(std::max(text.size(), pair.size()));
  auto shorter = std::min(text.size(), pair.size());
  // Training leaves an odd piece to the first of two long texts.
  if (text.size() + pair.size() > room)
    shorter = std::min(shorter, text_is_longer ? room / 2 : (room + 1) / 2);
  if (text_is_longer)
    pair = pair.first(std::min(pair.size(), shorter));
  else
    text = text.first(std::min(text.size(), shorter));
  const auto windows = text_windows(longer, static_cast<uint32_t>(room - shorter));
  for (const TextWindow& window : windows) {
    const std::span<const int32_t> part =
        (text_is_longer ? text : pair).subspan(window.first, window.count);
    out.windows.push_back(text_is_longer ? input_of(part, pair, cls, sep)
                                         : input_of(text, part, cls, sep));
    out.windows.back().text =
        text_is_longer ? window : TextWindow{0, static_cast<uint32_t>(text.size())};
  }
  out.read = longer + static_cast<uint32_t>(shorter);
  return out;
}

}  // namespace minibert
