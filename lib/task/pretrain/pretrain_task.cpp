#include "task/pretrain/pretrain_task.h"

#include <algorithm>

#include "core/error.h"
#include "train/batching.h"
#include "train/padding.h"

namespace minibert {
namespace {

std::vector<uint32_t> lengths_of(const InstanceFile& file) {
  std::vector<uint32_t> lengths(file.size());
  for (size_t i = 0; i < file.size(); ++i)
    lengths[i] = static_cast<uint32_t>(file.pieces(i).size());
  return lengths;
}

// The hidden states that the heads read, so that the last layer computes no others: of each row
// [CLS] and its masked positions, in that order; rows with fewer end with [CLS] again. `masked`:
// row and position, by row.
void set_queries(size_t rows, const std::vector<std::pair<size_t, int32_t>>& masked, Batch* batch) {
  std::vector<std::vector<int64_t>> queries(rows, std::vector<int64_t>{0});
  for (const auto& [row, position] : masked) queries[row].push_back(position);
  size_t longest = 0;
  for (const auto& row : queries) longest = std::max(longest, row.size());
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

Batch pretrain_batch(const InstanceFile& file, const std::vector<uint32_t>& indices,
                     const MaskSettings& mask, uint64_t seed, uint64_t epoch,
                     double single_piece_share = 0) {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> segments;
  std::vector<int64_t> labels, nsp;
  std::vector<std::pair<size_t, int32_t>> masked;  // row, position
  MaskedInstance instance;
  for (size_t row = 0; row < indices.size(); ++row) {
    MaskSettings own = mask;
    if (Rng(seed, "single pieces", epoch, indices[row]).uniform() < single_piece_share)
      own.whole_words = false;
    masked_instance(file, indices[row], own, seed, epoch, &instance);
    ids.push_back(instance.ids);
    segments.push_back(instance.segments);
    for (int32_t position : instance.positions) masked.emplace_back(row, position);
    labels.insert(labels.end(), instance.labels.begin(), instance.labels.end());
    if (instance.nsp != kNoSentenceTask) nsp.push_back(instance.nsp);
  }
  Batch batch;
  pad_rows(ids, segments, &batch);
  std::vector<int64_t> positions;
  for (const auto& [row, position] : masked)
    positions.push_back(static_cast<int64_t>(row) * batch.ids.size(1) + position);
  batch.targets.resize(kTargets);
  batch.targets[kPositions] = int64_tensor(positions);
  batch.targets[kLabels] = int64_tensor(labels);
  if (!nsp.empty()) batch.targets[kNsp] = int64_tensor(nsp);
  set_queries(indices.size(), masked, &batch);
  return batch;
}

}  // namespace

Metrics evaluate_pretraining(PretrainingModel& model, const InstanceFile& instances,
                             const MaskSettings& mask, uint64_t mask_seed, torch::Device device,
                             int64_t batch_size) {
  torch::NoGradGuard no_grad;
  double mlm_loss = 0, correct = 0, masked = 0, nsp_loss = 0, nsp_correct = 0, sentences = 0;
  double course_nsp = 0;
  for (const auto& indices : sorted_batches(lengths_of(instances), batch_size)) {
    const Batch batch = pretrain_batch(instances, indices, mask, mask_seed, 0).to(device);
    const auto hidden = model.encode(batch.ids, batch.segments, batch.targets[kQueries]);
    const auto mlm = model.mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels]);
    const auto count = static_cast<double>(batch.targets[kLabels].size(0));
    mlm_loss += mlm.loss.item<double>() * count;
    correct += mlm.correct.item<double>();
    masked += count;
    if (!batch.targets[kNsp].defined()) continue;
    const auto logits = model.nsp(hidden);
    nsp_loss += torch::nn::functional::cross_entropy(
                    logits, batch.targets[kNsp],
                    torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
                    .item<double>();
    course_nsp += torch::nn::functional::cross_entropy(
                      logits.softmax(-1), batch.targets[kNsp],
                      torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
                      .item<double>();
    nsp_correct += logits.argmax(-1).eq(batch.targets[kNsp]).sum().item<double>();
    sentences += static_cast<double>(batch.examples);
  }
  Metrics metrics;
  const auto total = static_cast<double>(instances.size());
  metrics["instances"] = total;
  metrics["mlm_loss"] = mlm_loss / masked;
  metrics["mlm_accuracy"] = correct / masked;
  metrics["course_mlm_loss"] = 20.0 * mlm_loss / (total * static_cast<double>(instances.longest()));
  if (sentences > 0) {
    metrics["nsp_loss"] = nsp_loss / sentences;
    metrics["nsp_accuracy"] = nsp_correct / sentences;
    metrics["course_nsp_loss"] = course_nsp / sentences;
  }
  return metrics;
}

PretrainTask::PretrainTask(std::shared_ptr<PretrainingModel> model,
                           std::vector<PretrainPhase> phases,
                           std::shared_ptr<const InstanceFile> dev, const MaskSettings& mask,
                           double nsp_weight, torch::Device device, uint64_t seed)
    : model_(std::move(model)),
      phases_(std::move(phases)),
      dev_(std::move(dev)),
      mask_(mask),
      nsp_weight_(nsp_weight),
      device_(device),
      seed_(seed) {
  for (const PretrainPhase& phase : phases_)
    if (static_cast<int64_t>(phase.instances->longest()) > model_->config().max_positions)
      throw usage_error(phase.instances->path() + ": an instance has " +
                        std::to_string(phase.instances->longest()) +
                        " pieces, expected at most model.max_positions " +
                        std::to_string(model_->config().max_positions));
}

int64_t PretrainTask::epochs() const {
  int64_t epochs = 0;
  for (const PretrainPhase& phase : phases_) epochs += phase.epochs;
  return epochs;
}

const PretrainPhase& PretrainTask::phase_of(int64_t epoch) const {
  for (const PretrainPhase& phase : phases_) {
    if (epoch < phase.epochs) return phase;
    epoch -= phase.epochs;
  }
  throw Error("there is no epoch " + std::to_string(epoch));
}

int64_t PretrainTask::batch_count(int64_t epoch) {
  const PretrainPhase& phase = phase_of(epoch);
  const auto size = static_cast<int64_t>(phase.instances->size());
  return (size + phase.batch_size - 1) / phase.batch_size;
}

void PretrainTask::begin_epoch(int64_t epoch) {
  epoch_ = epoch;
  const PretrainPhase& phase = phase_of(epoch);
  batches_ = bucketed_batches(lengths_of(*phase.instances), phase.batch_size,
                              Rng(seed_, "batches", static_cast<uint64_t>(epoch)));
}

Batch PretrainTask::make_batch(int64_t index) {
  const PretrainPhase& phase = phase_of(epoch_);
  return pretrain_batch(*phase.instances, batches_[static_cast<size_t>(index)], phase.mask, seed_,
                        static_cast<uint64_t>(epoch_), phase.single_piece_share);
}

StepOutput PretrainTask::step(const Batch& batch, uint64_t key) {
  model_->bert().set_dropout_key(key);
  const auto hidden = model_->encode(batch.ids, batch.segments, batch.targets[kQueries]);
  const auto mlm = model_->mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels]);
  const auto masked = static_cast<double>(batch.targets[kLabels].size(0));
  StepOutput out;
  out.loss = mlm.loss;
  out.metrics["mlm_loss"] = {mlm.loss.detach() * masked, masked};
  out.metrics["mlm_accuracy"] = {mlm.correct, masked};
  if (batch.targets[kNsp].defined() && nsp_weight_ > 0) {
    const auto logits = model_->nsp(hidden);
    const auto loss = torch::nn::functional::cross_entropy(logits, batch.targets[kNsp]);
    const auto examples = static_cast<double>(batch.examples);
    out.loss = out.loss + nsp_weight_ * loss;
    out.metrics["nsp_loss"] = {loss.detach() * examples, examples};
    out.metrics["nsp_accuracy"] = {logits.argmax(-1).eq(batch.targets[kNsp]).sum(), examples};
  }
  return out;
}

Metrics PretrainTask::evaluate_dev() {
  return evaluate_pretraining(*model_, *dev_, mask_, kEvaluationMaskSeed, device_);
}

}  // namespace minibert
