#include "task/pretrain/teacher_targets.h"

#include <c10/util/Half.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "train/batching.h"

namespace minibert {
namespace {

constexpr size_t kRowValues = 2 * kTopPieces;  // of a position
constexpr size_t kRowBytes = kRowValues * sizeof(uint16_t);
constexpr size_t kDigest = 64;
constexpr int64_t kBatch = 64;
constexpr size_t kChunk = 4096;  // instances whose batches are of like lengths

nlohmann::json key_of(const InstanceFile& instances, const BatchSettings& masks, uint64_t seed,
                      uint64_t draw, nlohmann::json decides) {
  decides["format"] = "minibert-teacher-targets 1";
  decides["top"] = kTopPieces;
  decides["instances"] = sha256_file(instances.path());
  decides["masks"] = {{"probability", masks.mask.probability},
                      {"whole_words", masks.mask.whole_words},
                      {"choice", static_cast<int>(masks.mask.choice)},
                      {"single_piece_share", masks.single_piece_share},
                      {"seed", seed},
                      {"draw", draw}};
  return decides;
}

// Writes bytes and what they add up to.
class DigestedFile {
 public:
  explicit DigestedFile(const std::string& path)
      : path_(path), file_(path, std::ios::binary | std::ios::trunc) {}
  void write(const void* data, size_t size) {
    file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    sha256_.update(data, size);
    if (!file_) throw Error(path_ + ": cannot be written (is the disk full?)");
  }
  void finish() {
    const std::string digest = sha256_.hex();
    file_.write(digest.data(), static_cast<std::streamsize>(digest.size()));
    file_.close();
    if (!file_) throw Error(path_ + ": cannot be written (is the disk full?)");
  }

 private:
  std::string path_;
  std::ofstream file_;
  Sha256 sha256_;
};

void write_targets(const InstanceFile& instances, const BatchSettings& masks, uint64_t seed,
                   uint64_t draw, const Teach& teach, const std::string& path) {
  DigestedFile file(path);
  std::vector<uint64_t> begins{0};
  const std::vector<uint32_t> lengths = lengths_of(instances);
  for (size_t from = 0; from < instances.size(); from += kChunk) {
    const size_t count = std::min(kChunk, instances.size() - from);
    std::vector<std::vector<uint16_t>> rows(count);
    const std::vector<uint32_t> own(lengths.begin() + static_cast<ptrdiff_t>(from),
                                    lengths.begin() + static_cast<ptrdiff_t>(from + count));
    for (std::vector<uint32_t> some : sorted_batches(own, kBatch)) {
      for (uint32_t& index : some) index += static_cast<uint32_t>(from);
      const Batch batch = pretrain_batch(instances, some, masks, seed, draw);
      const TopTargets top = teach(batch);
      const torch::Tensor per_row =
          torch::bincount(torch::div(batch.targets[kPositions], batch.ids.size(1), "floor"), {},
                          static_cast<int64_t>(some.size()));
      const int64_t* piece = top.pieces.data_ptr<int64_t>();
      const float* probability = top.probabilities.data_ptr<float>();
      for (size_t i = 0; i < some.size(); ++i)
        for (int64_t n = per_row.data_ptr<int64_t>()[i]; n > 0; --n) {
          std::vector<uint16_t>& out = rows[some[i] - from];
          for (int64_t k = 0; k < kTopPieces; ++k) out.push_back(static_cast<uint16_t>(*piece++));
          for (int64_t k = 0; k < kTopPieces; ++k) out.push_back(c10::Half(*probability++).x);
        }
    }
    for (const std::vector<uint16_t>& one : rows) {
      file.write(one.data(), one.size() * sizeof(uint16_t));
      begins.push_back(begins.back() + one.size() / kRowValues);
    }
  }
  file.write(begins.data(), begins.size() * sizeof(uint64_t));
  file.finish();
}

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

std::shared_ptr<const TeacherTargets> cached_targets(
    const InstanceFile& instances, const BatchSettings& masks, uint64_t seed, uint64_t draw,
    nlohmann::json decides, const std::string& cache_dir, const Teach& teach,
    const std::function<void(const std::string&)>& say) {
  namespace fs = std::filesystem;
  const std::string name =
      sha256_hex(key_of(instances, masks, seed, draw, std::move(decides)).dump()).substr(0, 32);
  const std::string path = (fs::path(cache_dir) / (name + ".bin")).string();
  if (fs::exists(path)) try {
      return std::make_shared<const TeacherTargets>(path, instances.size());
    } catch (const Error& error) {
      say(std::string(error.what()) + "; it is made anew");
    }
  say("the teacher's targets of " + std::to_string(instances.size()) + " instances, draw " +
      std::to_string(draw + 1) + ": made once (" + path + ")");
  replace_shared_file(path, [&](const std::string& own) {
    write_targets(instances, masks, seed, draw, teach, own);
  });
  return std::make_shared<const TeacherTargets>(path, instances.size());
}

}  // namespace minibert
