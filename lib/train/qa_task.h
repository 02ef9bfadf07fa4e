// Span extraction on KorQuAD for BERT and the LSTM baseline: training, evaluation, answering.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/qa_features.h"
#include "model/bert.h"
#include "model/lstm_qa.h"
#include "model/qa_decode.h"
#include "train/trainer.h"

namespace minibert {

// Either model behind one call.
class QaModel {
 public:
  explicit QaModel(const ModelConfig& config);
  torch::nn::Module& module() const { return *module_; }
  void initialize(uint64_t seed);
  void set_compute_type(torch::ScalarType type);  // the LSTM computes in float32 whatever it is
  void set_dropout_key(uint64_t key);
  int64_t max_positions() const;  // of BERT; the LSTM has no limit
  // Counts the training answers' lengths (pieces, at least 1; longer than L count as L), add-one
  // smoothed. Does nothing in a model whose answer_lengths L is 0.
  void set_answer_lengths(const std::vector<uint32_t>& lengths);
  // [L] log probability of an answer of 1 … L pieces, kept with the weights and not trained; empty
  // where L is 0.
  std::vector<float> length_scores() const;
  // ids, segments [B, S] int64 -> [B, S, 2] float32 start and end logits, -1e9 at padding.
  torch::Tensor logits(const torch::Tensor& ids, const torch::Tensor& segments);

 private:
  Bert bert_{nullptr};
  LstmQa lstm_{nullptr};
  torch::Tensor length_scores_;
  std::shared_ptr<torch::nn::Module> module_;
};

struct QaSettings {
  QaFeatureSettings features;
  SpanSettings spans;
  // false: train on the course's window, the first; true: on every covering window that holds the
  // whole answer, for windows much shorter than the contexts.
  bool cover_in_training = false;
};

struct QaAnswer {
  std::string text;     // exact text of the context
  uint32_t begin, end;  // bytes of the context
  double probability;
};

struct QaEvaluation {
  // exact_match, f1 (0-100, official scorer), questions; start_accuracy, end_accuracy (0-1, every
  // question, the course's window); course_start_accuracy, course_end_accuracy (questions that the
  // course drops left out).
  Metrics metrics;
  std::vector<std::string> id, gold, text;  // of every question, in order
  std::vector<double> probability, exact_match, f1;
};

// Reads every context in covering windows; the best span over the windows is the answer.
QaEvaluation evaluate_questions(QaModel& model, const QaSplit& split, const QaSettings& settings,
                                torch::Device device, int64_t batch_size = 32);

// The n-best answers to one example, best first.
std::vector<QaAnswer> answer_question(QaModel& model, const QaSplit& split, uint32_t example,
                                      const QaSettings& settings, torch::Device device);

// Median wall time of answer_question over the first `count` examples, after a warm-up, in ms.
double milliseconds_per_question(QaModel& model, const QaSplit& split, const QaSettings& settings,
                                 torch::Device device, uint32_t count = 100);

class QaTask : public Task {
 public:
  // Examples without their answer in a training window are left out. Throws a usage Error when the
  // model reads fewer positions than a window has, an Error when no example is left.
  QaTask(QaModel model, std::shared_ptr<const QaSplit> train, std::shared_ptr<const QaSplit> dev,
         const QaSettings& settings, const TrainConfig& config, torch::Device device,
         uint64_t seed);

  torch::nn::Module& module() override { return model_.module(); }
  int64_t epochs() const override { return config_.epochs; }
  int64_t batch_count(int64_t epoch) override;
  void begin_epoch(int64_t epoch) override;
  Batch make_batch(int64_t index) override;
  StepOutput step(const Batch& batch, uint64_t key) override;
  Metrics evaluate_dev() override;
  size_t training_windows() const { return windows_.size(); }
  size_t discarded() const { return discarded_; }  // training questions left out

 private:
  QaModel model_;
  std::shared_ptr<const QaSplit> train_, dev_;
  QaSettings settings_;
  TrainConfig config_;
  torch::Device device_;
  uint64_t seed_;
  std::vector<QaWindow> windows_;
  size_t discarded_ = 0;
  std::vector<uint32_t> lengths_;
  std::vector<std::vector<uint32_t>> batches_;
};

}  // namespace minibert
