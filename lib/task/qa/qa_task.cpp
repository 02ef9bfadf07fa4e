#include "task/qa/qa_task.h"

#include <algorithm>

#include "core/error.h"
#include "train/padding.h"

namespace minibert {
QaTask::QaTask(std::shared_ptr<QaModel> model, std::shared_ptr<const QaSplit> train,
               std::shared_ptr<const QaSplit> dev, const QaSettings& settings,
               const TrainConfig& config, torch::Device device, uint64_t seed)
    : BucketedTask(seed),
      model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)),
      settings_(settings),
      device_(device) {
  const QaFeatureSettings& features = settings_.features;
  if (features.max_length > model_->encoder().max_positions())
    throw usage_error("features.max_length: found " + std::to_string(features.max_length) +
                      ", expected at most model.max_positions " +
                      std::to_string(model_->encoder().max_positions()));
  for (uint32_t i = 0; i < train_->examples.size(); ++i) {
    const QaExample& example = train_->examples[i];
    // An answer that the tokenizer drops ends before it starts and has no place to be learnt.
    const bool is_dropped = static_cast<int32_t>(example.end) < static_cast<int32_t>(example.start);
    if (is_dropped || course_discards(*train_, i, features))
      ++discarded_;
    else
      windows_.push_back(course_window(*train_, i, features));
  }
  std::vector<uint32_t> answer_lengths;
  for (const QaWindow& window : windows_) {
    const QaExample& example = train_->examples[window.example];
    answer_lengths.push_back(example.end - example.start + 1);
  }
  if (windows_.empty()) throw Error("no training question has its answer inside the window");
  model_->head().set_answer_lengths(answer_lengths);
  std::vector<uint32_t> lengths;
  for (const QaWindow& window : windows_) lengths.push_back(window_length(*train_, window));
  add_phase({std::move(lengths), config.batch_size, config.epochs});
}

Batch QaTask::make_batch(int64_t index, Part part) {
  const auto& all = batch(index);
  const std::vector<uint32_t> indices = examples_of(all, part);
  std::vector<std::vector<int32_t>> ids(indices.size());
  std::vector<std::vector<uint8_t>> segments(indices.size());
  std::vector<int64_t> start, end;
  for (size_t row = 0; row < indices.size(); ++row) {
    const QaWindow& window = windows_[indices[row]];
    const QaExample& example = train_->examples[window.example];
    append_window(*train_, window, &ids[row], &segments[row]);
    const auto offset =
        static_cast<int64_t>(context_offset(*train_, window)) - static_cast<int64_t>(window.first);
    start.push_back(example.start + offset);
    end.push_back(example.end + offset);
  }
  Batch batch;
  pad_rows(ids, segments, &batch);
  batch.whole.examples = static_cast<int64_t>(all.size());
  for (const uint32_t window : all) batch.whole.tokens += lengths()[window];
  batch.targets = {int64_tensor(start), int64_tensor(end)};
  return batch;
}

StepOutput QaTask::step(const Batch& batch, uint64_t key) {
  model_->encoder().set_dropout_key(key);
  const auto logits_BS2 = model_->logits(batch.ids, batch.segments);
  const auto start = logits_BS2.select(2, 0), end = logits_BS2.select(2, 1);
  const auto start_loss = torch::nn::functional::cross_entropy(start, batch.targets[kStart]),
             end_loss = torch::nn::functional::cross_entropy(end, batch.targets[kEnd]);
  const auto loss = start_loss + end_loss;
  const auto examples = static_cast<double>(batch.examples);
  StepOutput out;
  out.loss = share_of(loss, batch.examples, batch.whole.examples);
  out.metrics["loss"] = {loss.detach() * examples, examples};
  out.metrics["start_loss"] = {start_loss.detach() * examples, examples};
  out.metrics["end_loss"] = {end_loss.detach() * examples, examples};
  out.metrics["start_accuracy"] = {start.argmax(1).eq(batch.targets[kStart]).sum(), examples};
  out.metrics["end_accuracy"] = {end.argmax(1).eq(batch.targets[kEnd]).sum(), examples};
  return out;
}

std::optional<StepFlops> QaTask::flops(const Batch& batch) const {
  const PassShape shape{batch.ids.size(0), batch.ids.size(1), batch.ids.size(1)};
  return StepFlops{
      (model_->encoder().flops(shape) + model_->head().flops(shape.rows * shape.length)).both()};
}

Metrics QaTask::evaluate_dev(Workers* workers) {
  return evaluate_questions(*model_, *dev_, settings_, device_, workers).metrics;
}

}  // namespace minibert
