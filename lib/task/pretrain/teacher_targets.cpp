#include "task/pretrain/teacher_targets.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "core/error.h"

namespace minibert {
namespace {

constexpr size_t kRowValues = 2 * kKeptPieces;  // of a position
constexpr size_t kRowBytes = kRowValues * sizeof(uint16_t);
constexpr size_t kDigest = 64;

}  // namespace

TeacherTargets::TeacherTargets(const std::string& path, size_t instances) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(path + ": cannot be read");
  struct stat state {};
  void* mapped = MAP_FAILED;
  if (fstat(file, &state) == 0 && state.st_size > 0)
    mapped = mmap(nullptr, static_cast<size_t>(state.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  const size_t tail = (instances + 1) * sizeof(uint64_t) + kDigest;
  const auto refuse = [&](const std::string& why) {
    if (mapped != MAP_FAILED) munmap(mapped, static_cast<size_t>(state.st_size));
    throw Error(path + ": " + why);
  };
  if (mapped == MAP_FAILED) refuse("is empty or cannot be mapped");
  bytes_ = static_cast<const uint8_t*>(mapped);
  size_ = static_cast<size_t>(state.st_size);
  if (size_ < tail || (size_ - tail) % kRowBytes != 0)
    refuse("has " + std::to_string(size_) + " bytes, which are no whole number of targets");
  Sha256 sha256;
  sha256.update(bytes_, size_ - kDigest);
  const char* digest = reinterpret_cast<const char*>(bytes_ + size_ - kDigest);
  if (sha256.hex() != std::string_view(digest, kDigest)) refuse("is damaged: its SHA-256 differs");
  begins_ = {reinterpret_cast<const uint64_t*>(bytes_ + size_ - tail), instances + 1};
  if (begins_.front() != 0 || begins_.back() != (size_ - tail) / kRowBytes ||
      !std::ranges::is_sorted(begins_))
    refuse("is of other instances");
}

TeacherTargets::~TeacherTargets() { munmap(const_cast<uint8_t*>(bytes_), size_); }

std::span<const uint16_t> TeacherTargets::of(size_t instance) const {
  const auto* rows = reinterpret_cast<const uint16_t*>(bytes_);
  return {rows + begins_[instance] * kRowValues, rows + begins_[instance + 1] * kRowValues};
}

TeacherTargetsWriter::TeacherTargetsWriter(const std::string& path)
    : path_(path), file_(path, std::ios::binary | std::ios::trunc) {}

void TeacherTargetsWriter::write(const void* data, size_t size) {
  file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file_) throw Error(path_ + ": cannot be written");
}

void TeacherTargetsWriter::append(const std::vector<uint16_t>& instance) {
  const size_t bytes = instance.size() * sizeof(uint16_t);
  write(instance.data(), bytes);
  sha256_.update(instance.data(), bytes);
  begins_.push_back(begins_.back() + instance.size() / kRowValues);
}

void TeacherTargetsWriter::finish() {
  const size_t bytes = begins_.size() * sizeof(uint64_t);
  write(begins_.data(), bytes);
  sha256_.update(begins_.data(), bytes);
  const std::string digest = sha256_.hex();
  write(digest.data(), digest.size());
  file_.close();
  if (!file_) throw Error(path_ + ": cannot be written");
}

}  // namespace minibert
