#include "task/pretrain/pretrain_batch.h"

#include <c10/util/Half.h>

#include <algorithm>
#include <utility>

#include "train/padding.h"

namespace minibert {
namespace {

// The hidden states that the heads read, so that the last layer computes no others: of each row
// [CLS] and its masked positions, in that order; rows with fewer than `longest` in all end with [CLS]
// again. `masked`: row and position, by row.
void set_queries(size_t rows, size_t longest, const std::vector<std::pair<size_t, int32_t>>& masked,
                 Batch* batch) {
  std::vector<std::vector<int64_t>> queries(rows, std::vector<int64_t>{0});
  for (const auto& [row, position] : masked) queries[row].push_back(position);
  std::vector<int64_t> flat, among;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = 1; i < queries[row].size(); ++i)
      among.push_back(static_cast<int64_t>(row * longest + i));
    queries[row].resize(longest, 0);
    flat.insert(flat.end(), queries[row].begin(), queries[row].end());
  }
  batch->targets[kQueries] =
      int64_tensor(flat).view({static_cast<int64_t>(rows), static_cast<int64_t>(longest)});
  batch->targets[kMaskedQueries] = int64_tensor(among);
}

// As it stands, each position with the next piece as its label where that is text.
void next_pieces(const InstanceFile& file, size_t index, MaskedInstance* out) {
  const auto pieces = file.pieces(index);
  out->ids.assign(pieces.begin(), pieces.end());
  out->segments.assign(pieces.size(), 0);
  std::fill(out->segments.begin() + static_cast<ptrdiff_t>(file.segment_a_length(index)),
            out->segments.end(), uint8_t{1});
  out->positions.clear();
  out->labels.clear();
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (!file.roles().is_ordinary(pieces[i])) continue;
    out->positions.push_back(static_cast<int32_t>(i - 1));
    out->labels.push_back(pieces[i]);
  }
  out->nsp = file.nsp(index);
}

// The example as a model is shown it.
void shown(const InstanceFile& file, size_t index, const BatchSettings& settings, uint64_t seed,
           uint64_t epoch, MaskedInstance* out) {
  if (index >= file.size()) return settings.blanks->instance(index - file.size(), out);
  if (settings.objective == Objective::clm) return next_pieces(file, index, out);
  MaskSettings own = settings.mask;
  if (Rng(seed, "single pieces", epoch, index).uniform() < settings.single_piece_share)
    own.whole_words = false;
  masked_instance(file, index, own, seed, epoch, out);
}

// Adds the targets of an example beside blanks.
void add_targets(const Blanks& blanks, const InstanceFile& file, size_t index,
                 const std::vector<int32_t>& labels, std::vector<uint16_t>* taught) {
  if (index >= file.size()) {
    const std::span<const uint16_t> kept = blanks.targets(index - file.size());
    taught->insert(taught->end(), kept.begin(), kept.end());
    return;
  }
  for (const int32_t label : labels) {
    taught->resize(taught->size() + 2 * kKeptPieces);
    const auto row = taught->end() - 2 * kKeptPieces;
    row[0] = static_cast<uint16_t>(label);
    row[kKeptPieces] = c10::Half(1.0F).x;
  }
}

// The targets of M masked positions as [M, K] each.
void set_taught(const std::vector<uint16_t>& kept, Batch* batch) {
  const auto rows = static_cast<int64_t>(kept.size()) / (2 * kKeptPieces);
  torch::Tensor pieces = torch::empty({rows, kKeptPieces}, torch::kInt64);
  torch::Tensor probabilities = torch::empty({rows, kKeptPieces});
  auto* piece = pieces.data_ptr<int64_t>();
  auto* probability = probabilities.data_ptr<float>();
  for (auto from = kept.begin(); from != kept.end(); from += 2 * kKeptPieces) {
    piece = std::copy_n(from, kKeptPieces, piece);
    probability = std::transform(
        from + kKeptPieces, from + 2 * kKeptPieces, probability,
        [](uint16_t bits) { return float{c10::Half(bits, c10::Half::from_bits())}; });
  }
  batch->targets[kTaughtPieces] = pieces;
  // They added up to 1 before they were rounded.
  batch->targets[kTaughtProbabilities] = probabilities.div_(probabilities.sum(1, /*keepdim=*/true));
}

}  // namespace

Batch pretrain_batch(const InstanceFile& file, const std::vector<uint32_t>& indices,
                     const BatchSettings& settings, uint64_t seed, uint64_t epoch, Part part) {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> segments;
  std::vector<int64_t> labels, nsp;
  std::vector<std::pair<size_t, int32_t>> masked;  // row, position
  std::vector<uint16_t> taught;
  MaskedInstance instance;
  Batch batch;
  size_t most_masked = 0;
  // All of the batch's instances are masked, because every part's loss is a share of all masked positions.
  for (size_t i = 0; i < indices.size(); ++i) {
    shown(file, indices[i], settings, seed, epoch, &instance);
    batch.whole.tokens += static_cast<int64_t>(instance.ids.size());
    batch.whole.targets += static_cast<int64_t>(instance.labels.size());
    most_masked = std::max(most_masked, instance.positions.size());
    if (static_cast<int64_t>(i) % part.count != part.index) continue;
    const size_t row = ids.size();
    ids.push_back(instance.ids);
    segments.push_back(instance.segments);
    for (int32_t position : instance.positions) masked.emplace_back(row, position);
    if (settings.blanks != nullptr)
      add_targets(*settings.blanks, file, indices[i], instance.labels, &taught);
    labels.insert(labels.end(), instance.labels.begin(), instance.labels.end());
    nsp.push_back(instance.nsp == kNoSentenceTask ? kIgnoredLabel : instance.nsp);
  }
  pad_rows(ids, segments, &batch);
  batch.whole.examples = static_cast<int64_t>(indices.size());
  std::vector<int64_t> positions;
  for (const auto& [row, position] : masked)
    positions.push_back(static_cast<int64_t>(row) * batch.ids.size(1) + position);
  batch.targets.resize(kTargets);
  batch.targets[kPositions] = int64_tensor(positions);
  batch.targets[kLabels] = int64_tensor(labels);
  if (settings.blanks != nullptr) set_taught(taught, &batch);
  batch.judged = std::ranges::count_if(nsp, [](int64_t label) { return label != kIgnoredLabel; });
  if (batch.judged > 0) batch.targets[kNsp] = int64_tensor(nsp);
  if (settings.objective == Objective::clm)
    batch.targets[kMaskedQueries] = batch.targets[kPositions];
  else
    set_queries(ids.size(), indices.empty() ? 0 : most_masked + 1, masked, &batch);
  return batch;
}

std::vector<uint32_t> lengths_of(const InstanceFile& file, const Blanks* blanks) {
  std::vector<uint32_t> lengths(file.size());
  for (size_t i = 0; i < file.size(); ++i)
    lengths[i] = static_cast<uint32_t>(file.pieces(i).size());
  for (size_t i = 0; blanks != nullptr && i < blanks->size(); ++i)
    lengths.push_back(static_cast<uint32_t>(blanks->length(i)));
  return lengths;
}

}  // namespace minibert
