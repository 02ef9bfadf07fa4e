#include "task/pretrain/teacher_cache.h"

#include <c10/util/Half.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"
#include "core/sha256.h"
#include "train/batching.h"

namespace minibert {
namespace {

constexpr size_t kBatchPieces = 8192;  // at most, so that the probabilities of all its masks fit
constexpr size_t kBatch = 64;          // instances, where they are that short
constexpr size_t kChunk = 4096;        // instances whose batches are of like lengths

nlohmann::json key_of(const InstanceFile& instances, const BatchSettings& masks, uint64_t seed,
                      uint64_t draw, nlohmann::json decides) {
  decides["format"] = "minibert-teacher-targets 1";
  decides["pieces"] = {{"best", kBestPieces}, {"drawn", kKeptPieces - kBestPieces}};
  decides["instances"] = sha256_file(instances.path());
  decides["masks"] = {{"probability", masks.mask.probability},
                      {"whole_words", masks.mask.whole_words},
                      {"choice", static_cast<int>(masks.mask.choice)},
                      {"single_piece_share", masks.single_piece_share},
                      {"seed", seed},
                      {"draw", draw}};
  if (masks.mask.replacement != MaskReplacement::bert)
    decides["masks"]["replacement"] = static_cast<int>(masks.mask.replacement);
  if (masks.mask.at_least_one) decides["masks"]["at_least_one"] = true;
  return decides;
}

// Appends the kept part of a position to `out`: its best pieces, and a systematic sample of the
// other `probabilities` [V] (the best become 0 there) at eight equidistant places, the first at the
// share `start` of the distance.
void keep(const int64_t* best, const float* best_probability, std::span<float> probabilities,
          double start, std::vector<uint16_t>* out) {
  constexpr int64_t kDrawn = kKeptPieces - kBestPieces;
  std::array<uint16_t, kKeptPieces> pieces{};
  std::array<float, kKeptPieces> kept{};
  for (size_t k = 0; k < kBestPieces; ++k) {
    pieces[k] = static_cast<uint16_t>(best[k]);
    kept[k] = best_probability[k];
    probabilities[static_cast<size_t>(best[k])] = 0;
  }
  double rest = 0, sum = 0;
  for (const float p : probabilities) rest += static_cast<double>(p);
  size_t k = kBestPieces;
  for (size_t piece = 0; piece < probabilities.size() && k < kKeptPieces; ++piece) {
    sum += static_cast<double>(probabilities[piece]);
    for (; k < kKeptPieces && sum > (static_cast<double>(k - kBestPieces) + start) * rest / kDrawn;
         ++k) {
      pieces[k] = static_cast<uint16_t>(piece);
      kept[k] = static_cast<float>(rest / kDrawn);
    }
  }
  out->insert(out->end(), pieces.begin(), pieces.end());
  for (const float p : kept) out->push_back(c10::Half(p).x);
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
    const size_t batch_size = std::clamp(kBatchPieces / std::ranges::max(own), size_t{1}, kBatch);
    for (std::vector<uint32_t> some : sorted_batches(own, static_cast<int64_t>(batch_size))) {
      for (uint32_t& index : some) index += static_cast<uint32_t>(from);
      const Batch batch = pretrain_batch(instances, some, masks, seed, draw);
      const torch::Tensor taught = teach(batch).contiguous();
      const auto [probability, piece] = taught.topk(kBestPieces);
      const auto vocabulary = static_cast<size_t>(taught.size(1));
      const torch::Tensor row_of =
          torch::div(batch.targets[kPositions], batch.ids.size(1), "floor");
      std::vector<Rng> random;
      for (const uint32_t index : some) random.emplace_back(seed, "kept pieces", draw, index);
      for (int64_t i = 0; i < taught.size(0); ++i) {
        const auto row = static_cast<size_t>(row_of.data_ptr<int64_t>()[i]);
        keep(piece.data_ptr<int64_t>() + i * kBestPieces,
             probability.data_ptr<float>() + i * kBestPieces,
             {taught.data_ptr<float>() + static_cast<size_t>(i) * vocabulary, vocabulary},
             random[row].uniform(), &rows[some[row] - from]);
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
