#include "checkpoint/samples.h"

#include "checkpoint/imported_record.h"
#include "model/pretraining_model.h"
#include "task/weights.h"

namespace minibert::testing {

std::string sample_tokenizer() {
  static const std::string bytes =
      load_record("results/kowiki_mini_bert/full/mini_bert_1m-s1.h5").tokenizer_model;
  return bytes;
}

BertConfig small_config() {
  BertConfig config;
  config.vocab_size = 8007;
  config.d_model = config.embedding_size = 24;
  config.n_heads = 3;
  config.d_ff = 40;
  config.n_layers = 2;
  config.max_positions = 32;
  config.layer_norm_eps = 1e-12;
  config.activation = "gelu";
  config.mlm_transform = config.mlm_bias = true;
  return config;
}

Checkpoint random_checkpoint(const BertConfig& config, SentenceTask task) {
  torch::NoGradGuard no_grad;
  torch::manual_seed(9);
  const PretrainingModel model(config, task != SentenceTask::none);
  NamedTensors weights;
  for (const auto& item : model.named_parameters()) {
    const double mean = item.key().ends_with("norm.weight") ? 1 : 0;
    weights.emplace_back(item.key(), mean + 0.3 * torch::randn(item.value().sizes()));
  }
  Checkpoint out;
  out.format = "test";
  out.architecture = "random";
  out.model = config;
  out.sentence_task = task;
  out.weights = to_record(weights);
  out.tokenizer = sample_tokenizer();
  return out;
}

RunRecord record_of(const Checkpoint& checkpoint) {
  return imported_record(checkpoint, {"random.h5", "random", "sample", {}});
}

}  // namespace minibert::testing
