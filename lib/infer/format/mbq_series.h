// Several `.mbq` files of one model while it learnt, as one file (`.mbqs`): the first as it is, of each other one
// what differs from the one before. Differences are small, and a file of them is packed well.
//
//   offset  size  what
//   0       8     kSeriesMagic
//   8       4     N, the number of files (uint32, little-endian, as all numbers here), 1 to kMostFiles
//   12      12 N  of each: at which part of the training, in thousandths (uint32, rising, to 1000); its size in
//                 bytes, and how many of them are here (uint32): the rest are zeros
//   …             the files' bytes. Of each but the first its last n bytes are taken modulo 256 less the last n bytes
//                 of the file before, where n is the smaller size: layouts that end alike are compared
//                 number by number. So the tokenizer at the end, the same in all, is zeros
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

// By its first bytes.
bool is_series(std::span<const uint8_t> bytes);

// Errors: no series, damaged. What is in the files is not looked at.
Status read_series(std::span<const uint8_t> bytes, std::vector<SeriesPart>* parts);

// The parts' shares rise, and there are 1 to kMostFiles of them.
std::string write_series(std::span<const SeriesPart> parts);

}  // namespace minibert::infer
