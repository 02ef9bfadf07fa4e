// Several `.mbq` files of one model during its training in one file (`.mbqs`): the first whole,
// each other one as the difference from the one before. Small differences compress well.
//
//   offset  size  what
//   0       8     kSeriesMagic
//   8       4     N, the number of files (uint32), 1 to kMostFiles; all numbers are little-endian
//   12      12 N  for each file three uint32: its share of the training in thousandths (rising, to
//                 1000), its size in bytes, and how many of them are stored; the rest are zeros
//   …             the files' bytes. Each file but the first stores its last n bytes minus those of the
//                 file before, modulo 256, where n is the smaller size: layouts with equal ends are
//                 compared number by number. The tokenizer at the end, equal in all, becomes zeros
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/format/status.h"

namespace minibert::infer {

inline constexpr std::string_view kSeriesMagic{"MBQS\1\0\0\0", 8};
inline constexpr uint32_t kMostFiles = 100, kWholeTraining = 1000;
inline constexpr size_t kMostSeriesBytes = size_t{256} << 20;  // of all its files

struct SeriesPart {
  uint32_t share = 0;  // of the training, in thousandths
  std::string file;    // a `.mbq`
};

// Decides by the first bytes.
bool is_series(std::span<const uint8_t> bytes);

// Fails for bytes that are no series or are damaged. Does not check the files inside.
Status read_series(std::span<const uint8_t> bytes, std::vector<SeriesPart>* parts);

// Requires 1 to kMostFiles parts with rising shares.
std::string write_series(std::span<const SeriesPart> parts);

}  // namespace minibert::infer
