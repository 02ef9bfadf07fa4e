#include "model/bert_init.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/init.h"
#include "model/ops/attention.h"

namespace minibert {
namespace {

constexpr double kHighestFrequency = M_PI / 2;
constexpr double kFrequencySpan = 40.0;
constexpr double kTokenDamping = 0.1;
constexpr double kRelativeGain = 2.0;  // of query and key each: scores four times the product
constexpr double kOtherDamping = 0.5;  // of the query and key weights that stay random
constexpr double kOffsetGain = 5.0;    // of a head's bias towards its offset, in nats

// Pairs of dimensions that carry the position: as many as one head can read, at most 16.
int64_t position_pairs(const BertConfig& config) {
  const int64_t d_head = config.d_model / config.n_heads;
  return std::max<int64_t>(1, std::min({int64_t{16}, d_head / 2, config.embedding_size / 2}));
}

std::vector<double> frequencies(int64_t pairs) {
  std::vector<double> out;
  for (int64_t k = 0; k < pairs; ++k)
    out.push_back(
        kHighestFrequency *
        std::pow(kFrequencySpan,
                 -static_cast<double>(k) / static_cast<double>(std::max<int64_t>(1, pairs - 1))));
  return out;
}

void fill_positions(const BertConfig& config, torch::Tensor position, torch::Tensor token) {
  position.zero_();
  const int64_t pairs = position_pairs(config);
  const std::vector<double> w = frequencies(pairs);
  auto values = position.accessor<float, 2>();
  for (int64_t p = 0; p < position.size(0); ++p)
    for (int64_t k = 0; k < pairs; ++k) {
      const double angle = w[static_cast<size_t>(k)] * static_cast<double>(p);
      values[p][2 * k] = static_cast<float>(config.init_std * std::sin(angle));
      values[p][2 * k + 1] = static_cast<float>(config.init_std * std::cos(angle));
    }
  token.slice(1, 0, 2 * pairs).mul_(kTokenDamping);
}

// [2 pairs, 2 pairs]: turns each (sin, cos) pair of a position into the pair of position + offset.
torch::Tensor rotation(const std::vector<double>& w, int64_t offset) {
  const auto size = static_cast<int64_t>(2 * w.size());
  torch::Tensor turn = torch::zeros({size, size});
  auto values = turn.accessor<float, 2>();
  for (size_t k = 0; k < w.size(); ++k) {
    const auto i = static_cast<int64_t>(2 * k);
    const double angle = w[k] * static_cast<double>(offset);
    values[i][i] = values[i + 1][i + 1] = static_cast<float>(std::cos(angle));
    values[i][i + 1] = static_cast<float>(std::sin(angle));
    values[i + 1][i] = static_cast<float>(-std::sin(angle));
  }
  return turn;
}

// -1, +1, -2, +2, -3, +3 for the heads in turn; further heads stay random.
int64_t head_offset(int64_t head) {
  return head < 6 ? (head % 2 == 0 ? -1 : 1) * (head / 2 + 1) : 0;
}

void fill_relative_heads(const BertConfig& config, torch::Tensor qkv, const torch::Tensor& read) {
  const int64_t d = config.d_model, d_head = d / config.n_heads, rows = read.size(0);
  const std::vector<double> w = frequencies(rows / 2);
  qkv.slice(0, 0, 2 * d).mul_(kOtherDamping);
  for (int64_t head = 0; head < config.n_heads; ++head) {
    const int64_t offset = head_offset(head);
    if (offset == 0) continue;
    const int64_t row = head * d_head;
    qkv.slice(0, row, row + rows).copy_(kRelativeGain * rotation(w, offset).mm(read));
    qkv.slice(0, d + row, d + row + rows).copy_(kRelativeGain * read);
  }
}

// [taps, channels]: channel c reads the position of tap c mod taps, or all read their own.
void fill_convolution(torch::Tensor weight, bool local) {
  weight.zero_();
  const int64_t taps = weight.size(0);
  for (int64_t channel = 0; channel < weight.size(1); ++channel)
    weight[local ? channel % taps : taps / 2][channel] = 1;
}

void fill_offset_bias(torch::Tensor table) {
  for (int64_t head = 0; head < table.size(0); ++head)
    if (const int64_t offset = head_offset(head); offset != 0)
      table[head][relative_bucket(offset)] = kOffsetGain;
}

// weight_init "pytorch" of an embedding, or of a dense layer's weight or bias.
void fill_as_pytorch(const std::string& name, const NamedParameters& parameters, uint64_t seed) {
  const torch::Tensor& value = parameters.at(name);
  const bool projection = name.find(".projection.") != std::string::npos;
  if (name.starts_with("bert.embeddings.") && !projection) {
    fill_normal(value, 1, seed, name);
    return;
  }
  const std::string layer = name.substr(0, name.rfind('.') + 1);
  fill_uniform(value, pytorch_bound(parameters.at(layer + "weight")), seed, name);
}

}  // namespace

double pytorch_bound(const torch::Tensor& weight) {
  return 1.0 / std::sqrt(static_cast<double>(weight.size(1)));
}

void initialize_bert(const BertConfig& config, const NamedParameters& parameters, uint64_t seed) {
  torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : parameters) {
    torch::Tensor value = tensor;
    if (name.ends_with("norm.weight"))
      value.fill_(1);
    else if (name.ends_with("norm.bias") || name.ends_with(".offsets"))
      value.zero_();
    else if (name.ends_with(".conv"))
      fill_convolution(value, /*local=*/name.ends_with(".local.conv"));
    else if (config.weight_init == "pytorch")
      fill_as_pytorch(name, parameters, seed);
    else if (name.ends_with("bias"))
      value.zero_();
    else if (value.dim() == 2)
      fill_truncated_normal(value, config.init_std, seed, name);
    else
      throw std::logic_error("no rule says how " + name + " starts");
  }
  if (config.position == "relative") {
    if (config.attention_init == "relative")
      fill_offset_bias(parameters.at("bert.layers.0.attention.offsets"));
    return;
  }
  if (config.position_init != "sinusoidal") return;
  const std::string embeddings = "bert.embeddings.";
  fill_positions(config, parameters.at(embeddings + "position.weight"),
                 parameters.at(embeddings + "token.weight"));
  const auto projection = parameters.find(embeddings + "projection.weight");
  if (projection != parameters.end()) fill_orthogonal(projection->second, seed, projection->first);
  if (config.attention_init != "relative") return;
  const int64_t rows = 2 * position_pairs(config);
  torch::Tensor read = torch::eye(config.embedding_size).slice(0, 0, rows);  // [rows, E]
  if (projection != parameters.end()) read = read.mm(projection->second.t());
  fill_relative_heads(config, parameters.at("bert.layers.0.attention.qkv.weight"), read);
}

}  // namespace minibert
