#include "train/qa_task.h"

#include <algorithm>

#include "core/error.h"
#include "train/batching.h"
#include "train/padding.h"

namespace minibert {

QaModel::QaModel(const ModelConfig& config) {
  if (config.kind == "lstm_qa") {
    lstm_ = LstmQa(config.lstm);
    module_ = lstm_.ptr();
  } else {
    bert_ = Bert(config.bert, BertImpl::kQuestionAnswering);
    module_ = bert_.ptr();
  }
  if (config.answer_lengths > 0)
    length_scores_ = module_->named_children()["qa"]->register_parameter(
        "length", torch::zeros({config.answer_lengths}), /*requires_grad=*/false);
}

void QaModel::set_answer_lengths(const std::vector<uint32_t>& lengths) {
  if (!length_scores_.defined()) return;
  const auto size = static_cast<size_t>(length_scores_.size(0));
  std::vector<float> count(size, 1);  // add-one smoothing
  for (const uint32_t length : lengths) ++count[std::min<size_t>(length, size) - 1];
  const auto total = static_cast<float>(size + lengths.size());
  torch::NoGradGuard no_grad;
  length_scores_.copy_(torch::log(torch::tensor(count) / total));
}

std::vector<float> QaModel::length_scores() const {
  if (!length_scores_.defined()) return {};
  const torch::Tensor scores = length_scores_.to(torch::kCPU);
  return {scores.data_ptr<float>(), scores.data_ptr<float>() + scores.numel()};
}

void QaModel::initialize(uint64_t seed) {
  bert_ ? bert_->initialize(seed) : lstm_->initialize(seed);
}

void QaModel::set_compute_type(torch::ScalarType type) {
  if (bert_) bert_->set_compute_type(type);
}

void QaModel::set_dropout_key(uint64_t key) {
  if (bert_) bert_->set_dropout_key(key);
}

int64_t QaModel::max_positions() const { return bert_ ? bert_->config().max_positions : INT64_MAX; }

torch::Tensor QaModel::logits(const torch::Tensor& ids, const torch::Tensor& segments) {
  const torch::Tensor logits =
      bert_ ? bert_->qa(bert_->encode(ids, segments)) : lstm_->qa(ids, segments);
  return logits.masked_fill(ids.eq(0).unsqueeze(-1), -1e9);
}

QaTask::QaTask(QaModel model, std::shared_ptr<const QaSplit> train,
               std::shared_ptr<const QaSplit> dev, const QaSettings& settings,
               const TrainConfig& config, torch::Device device, uint64_t seed)
    : model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)),
      settings_(settings),
      config_(config),
      device_(device),
      seed_(seed) {
  const QaFeatureSettings& features = settings_.features;
  if (features.max_length > model_.max_positions())
    throw usage_error("features.max_length: found " + std::to_string(features.max_length) +
                      ", expected at most model.max_positions " +
                      std::to_string(model_.max_positions()));
  for (uint32_t i = 0; i < train_->examples.size(); ++i) {
    const QaExample& example = train_->examples[i];
    const auto holds_answer = [&](const QaWindow& window) {
      return example.start >= window.first && example.end < window.first + window.count;
    };
    const size_t before = windows_.size();
    if (settings_.cover_in_training) {
      for (const QaWindow& window : covering_windows(*train_, i, features))
        if (holds_answer(window)) windows_.push_back(window);
    } else if (!course_discards(*train_, i, features)) {
      windows_.push_back(course_window(*train_, i, features));
    }
    if (windows_.size() == before) ++discarded_;
  }
  for (const QaWindow& window : windows_)
    lengths_.push_back(window.count +
                       static_cast<uint32_t>(train_->examples[window.example].question_ids.size()) +
                       3);
  std::vector<uint32_t> answer_lengths;
  for (const QaWindow& window : windows_) {
    const QaExample& example = train_->examples[window.example];
    answer_lengths.push_back(example.end - example.start + 1);
  }
  if (windows_.empty()) throw Error("no training question has its answer inside the window");
  model_.set_answer_lengths(answer_lengths);
}

int64_t QaTask::batch_count(int64_t) {
  // Pools of bucketed_batches are whole batches but for the last, so this is exact.
  const auto size = static_cast<int64_t>(windows_.size());
  return (size + config_.batch_size - 1) / config_.batch_size;
}

void QaTask::begin_epoch(int64_t epoch) {
  batches_ = bucketed_batches(lengths_, config_.batch_size,
                              Rng(seed_, "batches", static_cast<uint64_t>(epoch)));
}

Batch QaTask::make_batch(int64_t index) {
  const auto& indices = batches_[static_cast<size_t>(index)];
  std::vector<std::vector<int32_t>> ids(indices.size());
  std::vector<std::vector<uint8_t>> segments(indices.size());
  std::vector<int64_t> start, end;
  for (size_t row = 0; row < indices.size(); ++row) {
    const QaWindow& window = windows_[indices[row]];
    const QaExample& example = train_->examples[window.example];
    append_window(*train_, window, &ids[row], &segments[row]);
    const auto offset =
        static_cast<int64_t>(example.question_ids.size()) + 2 - static_cast<int64_t>(window.first);
    start.push_back(example.start + offset);
    end.push_back(example.end + offset);
  }
  Batch batch;
  pad_rows(ids, segments, &batch);
  batch.start = int64_tensor(start);
  batch.end = int64_tensor(end);
  return batch;
}

StepOutput QaTask::step(const Batch& batch, uint64_t key) {
  model_.set_dropout_key(key);
  const auto logits_BS2 = model_.logits(batch.ids, batch.segments);
  const auto start = logits_BS2.select(2, 0), end = logits_BS2.select(2, 1);
  const auto loss = torch::nn::functional::cross_entropy(start, batch.start) +
                    torch::nn::functional::cross_entropy(end, batch.end);
  const auto examples = static_cast<double>(batch.examples);
  StepOutput out;
  out.loss = loss;
  out.metrics["loss"] = {loss.detach() * examples, examples};
  out.metrics["start_accuracy"] = {start.argmax(1).eq(batch.start).sum(), examples};
  out.metrics["end_accuracy"] = {end.argmax(1).eq(batch.end).sum(), examples};
  return out;
}

Metrics QaTask::evaluate_dev() {
  return evaluate_questions(model_, *dev_, settings_, device_).metrics;
}

}  // namespace minibert
