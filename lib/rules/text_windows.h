// Overlapping windows, each an input of its own, over a text longer than the model's input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minibert {

// Pieces [first, first + count) of a text.
struct TextWindow {
  uint32_t first = 0, count = 0;
};

// Returns windows of at most `room` (≥ 1) pieces that cover a text: one if it fits; otherwise each
// half a window behind the one before, and the last full, at the text's end.
std::vector<TextWindow> text_windows(uint32_t pieces, uint32_t room);

// Returns the window in which a piece has the most context on both sides.
size_t best_window(const std::vector<TextWindow>& windows, uint32_t piece);

// Returns one row of `width` numbers for each of a text's `pieces` pieces, taken from its best
// window. `of_windows`: for every window the rows of its pieces.
std::vector<float> rows_of_best_windows(const std::vector<TextWindow>& windows,
                                        const std::vector<std::vector<float>>& of_windows,
                                        uint32_t pieces, size_t width);

// Model input for one text or a pair.
struct TextInputWindow {
  std::vector<int32_t> ids;       // [CLS] text [SEP], or [CLS] text [SEP] pair [SEP]
  std::vector<uint8_t> segments;  // 0; 1 from the pair on
  TextWindow text;                // pieces of the text, from position 1 on
};

struct WindowedText {
  std::vector<TextInputWindow> windows;
  uint32_t read = 0;  // pieces of both texts that some window holds
};

// Returns inputs of at most `max_length` pieces, including special ones. If both texts do not fit,
// windows go over the longer one; the shorter one gets at most half the room. The first window is
// the one that training reads (task/text_rows.h). An empty `pair`: one text.
WindowedText windowed(std::span<const int32_t> text, std::span<const int32_t> pair, int max_length,
                      int32_t cls, int32_t sep);

}  // namespace minibert
