// A file of a teacher's targets for the masked pieces of an instance file.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "core/sha256.h"

namespace minibert {

inline constexpr int64_t kKeptPieces = 16;  // at every masked position

// One draw of masks over one instance file. The file is mapped into memory, little-endian: for
// every masked position, instance by instance, pieces (uint16) and their probabilities (float16);
// the start of each instance (uint64, one more than instances); the SHA-256 of all this, in hex.
class TeacherTargets {
 public:
  // Throws Error naming an incomplete file or one with another number of instances.
  TeacherTargets(const std::string& path, size_t instances);
  ~TeacherTargets();
  TeacherTargets(const TeacherTargets&) = delete;
  TeacherTargets& operator=(const TeacherTargets&) = delete;

  // For every masked position of an instance, in order: the pieces, then their probabilities.
  std::span<const uint16_t> of(size_t instance) const;

 private:
  const uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
  std::span<const uint64_t> begins_;
};

// Writes such a file. Throws Error naming it if not all of it was written.
class TeacherTargetsWriter {
 public:
  explicit TeacherTargetsWriter(const std::string& path);
  // Appends the next instance, in the form of TeacherTargets::of.
  void append(const std::vector<uint16_t>& instance);
  void finish();

 private:
  void write(const void* data, size_t size);

  std::string path_;
  std::ofstream file_;
  Sha256 sha256_;
  std::vector<uint64_t> begins_{0};
};

}  // namespace minibert
