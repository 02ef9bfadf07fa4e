#include "infer/format/mbq_series.h"

#include <algorithm>

namespace minibert::infer {
namespace {

constexpr size_t kNumber = 4, kEntry = 3 * kNumber;

uint32_t number_at(std::span<const uint8_t> bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < kNumber; ++i) value |= uint32_t{bytes[at + i]} << (8 * i);
  return value;
}

void add_number(uint32_t value, std::string* out) {
  for (size_t i = 0; i < kNumber; ++i) *out += static_cast<char>(value >> (8 * i) & 255);
}

// Adds `sign` times the end of `before` to the end of `file`.
void combine(std::string* file, std::string_view before, int sign) {
  const size_t shared = std::min(file->size(), before.size());
  for (size_t i = 1; i <= shared; ++i) {
    char& byte = (*file)[file->size() - i];
    byte = static_cast<char>(static_cast<uint8_t>(byte) +
                             sign * static_cast<uint8_t>(before[before.size() - i]));
  }
}

}  // namespace

bool is_series(std::span<const uint8_t> bytes) {
  return bytes.size() >= kSeriesMagic.size() &&
         std::equal(kSeriesMagic.begin(), kSeriesMagic.end(), bytes.begin(),
                    [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
}

Status read_series(std::span<const uint8_t> bytes, std::vector<SeriesPart>* parts) {
  parts->clear();
  const auto fail = [](const std::string& what) { return Status::error("a series: " + what); };
  if (!is_series(bytes)) return fail("the file does not begin as one");
  const size_t begin = kSeriesMagic.size() + kNumber;
  if (bytes.size() < begin) return fail("the file ends in its header");
  const uint32_t count = number_at(bytes, kSeriesMagic.size());
  if (count < 1 || count > kMostFiles)
    return fail("found " + std::to_string(count) + " files, expected 1 to " +
                std::to_string(kMostFiles));
  size_t at = begin + count * kEntry, total = 0;
  if (bytes.size() < at) return fail("the file ends in its header");
  std::vector<SeriesPart> found(count);
  for (uint32_t i = 0; i < count; ++i) {
    SeriesPart& part = found[i];
    part.share = number_at(bytes, begin + i * kEntry);
    const size_t size = number_at(bytes, begin + i * kEntry + kNumber);
    const size_t stored = number_at(bytes, begin + i * kEntry + 2 * kNumber);
    if (part.share > kWholeTraining || (i > 0 && part.share <= found[i - 1].share))
      return fail("found share " + std::to_string(part.share) + ", expected rising ones to " +
                  std::to_string(kWholeTraining));
    if (size > kMostSeriesBytes - total || stored > size || stored > bytes.size() - at)
      return fail("found " + std::to_string(stored) + " of " + std::to_string(size) +
                  " bytes for file " + std::to_string(i + 1) + ", more than there can be");
    total += size;
    const auto body = bytes.subspan(at, stored);
    part.file.assign(body.begin(), body.end());
    part.file.resize(size);
    if (i > 0) combine(&part.file, found[i - 1].file, 1);
    at += stored;
  }
  if (at != bytes.size()) return fail("the file goes on behind its last part");
  *parts = std::move(found);
  return {};
}

std::string write_series(std::span<const SeriesPart> parts) {
  std::string out(kSeriesMagic), bodies;
  add_number(static_cast<uint32_t>(parts.size()), &out);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string file = parts[i].file;
    if (i > 0) combine(&file, parts[i - 1].file, -1);
    file.resize(file.find_last_not_of('\0') + 1);  // npos + 1: all are zeros
    add_number(parts[i].share, &out);
    add_number(static_cast<uint32_t>(parts[i].file.size()), &out);
    add_number(static_cast<uint32_t>(file.size()), &out);
    bodies += file;
  }
  return out + bodies;
}

}  // namespace minibert::infer
