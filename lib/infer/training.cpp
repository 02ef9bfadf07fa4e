#include "infer/training.h"

#include <cstring>
#include <string>
#include <utility>

#include "infer/format/mbq_series.h"

namespace minibert::infer {

Status Training::load(std::span<const uint8_t> series, Kernel kernel) {
  checkpoints_.clear();
  std::vector<SeriesPart> parts;
  Status status = read_series(series, &parts);
  if (!status.ok()) return status;
  std::vector<std::unique_ptr<Checkpoint>> loaded;
  for (const SeriesPart& part : parts) {
    auto one = std::make_unique<Checkpoint>();
    one->share = part.share;
    one->size = part.file.size();
    one->file.reset(new Block[one->size / sizeof(Block) + 1]);
    std::memcpy(one->file.get(), part.file.data(), one->size);
    status = one->model.load({one->file[0].bytes, one->size}, kernel);
    if (!status.ok())
      return Status::error("file " + std::to_string(loaded.size() + 1) +
                           " of the series: " + status.message());
    loaded.push_back(std::move(one));
  }
  checkpoints_ = std::move(loaded);
  return {};
}

std::vector<uint32_t> Training::shares() const {
  std::vector<uint32_t> shares;
  for (const auto& one : checkpoints_) shares.push_back(one->share);
  return shares;
}

std::span<const uint8_t> Training::last() const {
  const Checkpoint& one = *checkpoints_.back();
  return {one.file[0].bytes, one.size};
}

Status Training::fill(std::string_view text, size_t top, std::vector<CheckpointFill>* all) {
  all->clear();
  for (const auto& one : checkpoints_) {
    CheckpointFill& entry = all->emplace_back();
    entry.share = one->share;
    const Status status = one->model.fill(text, top, &entry.found);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace minibert::infer
