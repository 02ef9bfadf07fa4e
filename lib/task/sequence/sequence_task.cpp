#include "task/sequence/sequence_task.h"

#include <algorithm>

#include "train/batching.h"
#include "train/spread.h"

namespace minibert {
namespace {

constexpr int64_t kEvaluationBatch = 64;

}  // namespace

torch::Tensor outputs_of(SequenceModel& model, const SequenceSplit& split, torch::Device device,
                         Workers* workers) {
  torch::NoGradGuard no_grad;
  model.eval();
  std::vector<uint32_t> lengths;
  for (const auto& row : split.rows.ids) lengths.push_back(static_cast<uint32_t>(row.size()));
  const auto batches = sorted_batches(lengths, kEvaluationBatch);
  const auto found = make_spread(workers, batches.size(), [&](size_t number) -> Tensors {
    const Batch batch = batch_of(split.rows, batches[number]).to(device);
    return {model.outputs(batch.ids, batch.segments).to(torch::kCPU)};
  });
  torch::Tensor out;
  for (size_t number = 0; number < batches.size(); ++number) {
    const torch::Tensor& some = found[number][0];
    if (!out.defined())
      out = torch::zeros({static_cast<int64_t>(lengths.size()), some.size(1)}, some.options());
    const std::vector<int64_t> rows(batches[number].begin(), batches[number].end());
    out.index_copy_(0, torch::tensor(rows, torch::kInt64), some);
  }
  return out;
}

SequenceTask::SequenceTask(std::shared_ptr<SequenceModel> model,
                           std::shared_ptr<const SequenceSplit> train,
                           std::shared_ptr<const SequenceSplit> dev,
                           const SequenceObjective& objective, std::vector<std::string> labels,
                           const TrainConfig& config, torch::Device device, uint64_t seed)
    : BucketedTask(seed),
      model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)),
      objective_(objective),
      labels_(std::move(labels)),
      device_(device),
      targets_(objective.targets(*train_, labels_)) {
  // Numbers are learnt in the head's unit: float32 cannot tell seconds of this century apart.
  if (const OutputUnit& unit = model_->unit(); !unit.is_one())
    for (double& target : targets_) target = (target - unit.mean) / unit.deviation;
  const auto rows = static_cast<size_t>(train_->rows_per_example);
  std::vector<uint32_t> lengths;  // of every example's longest row
  for (size_t i = 0; i < train_->ids.size(); ++i) {
    size_t longest = 0;
    for (size_t row = i * rows; row < (i + 1) * rows; ++row)
      longest = std::max(longest, train_->rows.ids[row].size());
    lengths.push_back(static_cast<uint32_t>(longest));
  }
  add_phase({std::move(lengths), config.batch_size, config.epochs});
}

Batch SequenceTask::make_batch(int64_t index, Part part) {
  const auto& all = batch(index);
  std::vector<uint32_t> rows;
  std::vector<float> targets;
  const size_t width = targets_.size() / train_->ids.size();
  int64_t examples = 0;
  const auto per_example = static_cast<uint32_t>(train_->rows_per_example);
  for (const uint32_t example : examples_of(all, part)) {
    for (uint32_t k = 0; k < per_example; ++k) rows.push_back(example * per_example + k);
    for (size_t k = example * width; k < (example + 1) * width; ++k)
      targets.push_back(static_cast<float>(targets_[k]));
    ++examples;
  }
  Batch batch = batch_of(train_->rows, rows);
  batch.examples = examples;
  batch.targets = {torch::tensor(targets)};
  if (width > 1) batch.targets[0] = batch.targets[0].view({examples, static_cast<int64_t>(width)});
  batch.whole.examples = static_cast<int64_t>(all.size());
  for (const uint32_t example : all)
    for (uint32_t k = 0; k < per_example; ++k)
      batch.whole.tokens +=
          static_cast<int64_t>(train_->rows.ids[example * per_example + k].size());
  return batch;
}

StepOutput SequenceTask::step(const Batch& batch, uint64_t key) {
  const torch::Tensor outputs = model_->unit_outputs(batch.ids, batch.segments, key);
  const auto examples = static_cast<double>(batch.examples);
  StepOutput out;
  const torch::Tensor loss = objective_.loss(outputs, batch.targets[0]);
  out.loss = share_of(loss, batch.examples, batch.whole.examples);
  out.metrics["loss"] = {loss.detach() * examples, examples};
  return out;
}

std::optional<StepFlops> SequenceTask::flops(const Batch& batch) const {
  const PassShape shape{batch.ids.size(0), batch.ids.size(1), batch.ids.size(1)};
  return StepFlops{(model_->encoder().flops(shape) + model_->head().flops(shape.rows)).both()};
}

Metrics SequenceTask::evaluate_dev(Workers* workers) {
  return objective_.score(*dev_, labels_, outputs_of(*model_, *dev_, device_, workers)).metrics;
}

}  // namespace minibert
