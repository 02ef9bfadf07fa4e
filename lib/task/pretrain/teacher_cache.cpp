#include "task/pretrain/teacher_cache.h"

#include <c10/util/Half.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "train/batching.h"

namespace minibert {
namespace {

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

void write_targets(const InstanceFile& instances, const BatchSettings& masks, uint64_t seed,
                   uint64_t draw, const Teach& teach, const std::string& path) {
  TeacherTargetsWriter file(path);
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
    for (const std::vector<uint16_t>& one : rows) file.append(one);
  }
  file.finish();
}

}  // namespace

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
