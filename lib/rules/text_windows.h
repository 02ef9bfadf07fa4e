// Texts longer than a model reads: overlapping windows, each of which is an input of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minibert {

// Pieces [first, first + count) of a text.
struct TextWindow {
  uint32_t first = 0, count = 0;
};

// Windows of at most `room` pieces (1 or more) that cover a text: one where it fits, else each half a
// window behind the one before it, and the last full, at the text's end.
std::vector<TextWindow> text_windows(uint32_t pieces, uint32_t room);

// The window of these in which a piece has the most context before and behind it.
size_t best_window(const std::vector<TextWindow>& windows, uint32_t piece);

// The rows of a text's `pieces` pieces, `width` numbers each, as its best window has each. `of_windows`: of every
// window the rows of its pieces.
std::vector<float> rows_of_best_windows(const std::vector<TextWindow>& windows,
                                        const std::vector<std::vector<float>>& of_windows,
                                        uint32_t pieces, size_t width);

// An input of a model that judges a text, or a text and a second one.
struct TextInputWindow {
  std::vector<int32_t> ids;       // [CLS] text [SEP], or [CLS] text [SEP] pair [SEP]
  std::vector<uint8_t> segments;  // 0, from the pair on 1
  TextWindow text;                // which of the text's pieces, from position 1 on
};

struct WindowedText {
  std::vector<TextInputWindow> windows;
  uint32_t read = 0;  // pieces of both texts that stand in any window
};

// Inputs of at most `max_length` pieces (special ones included). Where both do not fit, the longer text
// is read in windows beside the shorter one, of which at most half the room is read: the first window
// is what training makes of such a pair (task/text_rows.h). An empty `pair`: there is one text.
WindowedText windowed(std::span<const int32_t> text, std::span<const int32_t> pair, int max_length,
                      int32_t cls, int32_t sep);

}  // namespace minibert
