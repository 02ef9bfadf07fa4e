#include "task/stored_encoder.h"

#include "core/error.h"
#include "model/size_check.h"
#include "task/weights.h"

namespace minibert {

StoredEncoder::StoredEncoder(const RunRecord& record, const std::string& file)
    : file_(file), tokenizer_(Tokenizer::from_bytes(record.tokenizer_model, file)) {
  expect_weights(record, file);
  if (!record.config.contains("model"))
    throw Error(file + ": /config: has no \"model\", expected a run of this program");
  const ModelConfig config = model_config_from_json(record.config.at("model"), file);
  check_size(config, record.weights, file);
  model_ = std::make_shared<Model>(config.make());
  load_weights(*model_, record.weights, file);
  model_->eval();
  for (const auto& [name, tensor] : from_record(record.weights)) {
    if (name == "nsp.dense.weight" || name == "sequence.dense.weight") pooler_weight_ = tensor;
    if (name == "nsp.dense.bias" || name == "sequence.dense.bias") pooler_bias_ = tensor;
  }
}

torch::Tensor StoredEncoder::hidden(const torch::Tensor& ids, const torch::Tensor& segments) const {
  torch::NoGradGuard no_grad;
  return model_->encoder().encode(ids, segments)[0];
}

BertEncoder& StoredEncoder::bert() const {
  auto* bert = dynamic_cast<BertEncoder*>(&model_->encoder());
  if (bert == nullptr)
    throw usage_error(file_ + ": model.kind: expected \"bert\": only its layers can be shown");
  return *bert;
}

TextInput StoredEncoder::read(const std::string& text, const std::string& name) const {
  try {
    return text_input(tokenizer_, text, {}, max_positions());
  } catch (const Error& error) {
    throw usage_error(name + ": " + error.what());
  }
}

EncoderTrace StoredEncoder::trace(const torch::Tensor& ids, const torch::Tensor& segments) const {
  torch::NoGradGuard no_grad;
  EncoderTrace trace = bert().trace(ids, segments);
  for (torch::Tensor& state : trace.states) state = state[0];
  for (torch::Tensor& attention : trace.attention)
    if (attention.defined()) attention = attention[0];
  return trace;
}

torch::Tensor StoredEncoder::pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const {
  if (!pooler_weight_.defined() || !pooler_bias_.defined()) return {};
  torch::NoGradGuard no_grad;
  const torch::Tensor x_1D = model_->encoder().pooled(hidden.unsqueeze(0), ids);
  return torch::tanh(torch::linear(x_1D, pooler_weight_, pooler_bias_))[0];
}

}  // namespace minibert
