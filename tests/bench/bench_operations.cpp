// Each fused operation against its ATen form, the one that a GPU runs, on the CPU: milliseconds for
// values and gradients at mini_bert_1m's sizes (32 rows of 128 pieces), on one and two threads, in
// turns, medians over the rounds. Usage: bench_operations [ROUNDS [float32|bfloat16]]. Prints a
// JSON line.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/torch.h"
#include "model/ops/attention.h"
#include "model/ops/cpu_values.h"
#include "model/ops/dropout.h"
#include "model/ops/elementwise.h"
#include "model/ops/embedding.h"
#include "model/ops/linear.h"
#include "model/ops/lstm_layer.h"
#include "model/ops/residual_norm.h"
#include "model/ops/sequence_convolution.h"
#include "model/ops/tied_cross_entropy.h"

namespace {

using namespace minibert;
using TensorList = std::vector<torch::Tensor>;

constexpr int64_t kBatch = 32, kLength = 128, kWidth = 160, kInner = 768, kHeads = 4,
                  kEmbedding = 64, kVocabulary = 8007, kMasked = 640;

struct Operation {
  const char* name;
  TensorList inputs;  // leaves that want gradients
  std::function<torch::Tensor(const TensorList&)> run;
};

double milliseconds(const Operation& operation) {
  const auto begin = std::chrono::steady_clock::now();
  const torch::Tensor out = operation.run(operation.inputs);
  out.backward(out.dim() == 0 ? torch::Tensor() : torch::ones_like(out));
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
  for (const auto& input : operation.inputs) input.mutable_grad().reset();
  return spent.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<Operation> operations(torch::ScalarType type) {
  const auto activation = [&](at::IntArrayRef shape) {
    return torch::randn(shape).to(type).set_requires_grad(true);
  };
  const auto weight = [](at::IntArrayRef shape) {
    return (0.05 * torch::randn(shape)).set_requires_grad(true);
  };
  const torch::Tensor padding = torch::zeros({kBatch, kLength});
  const torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({kWidth}).eps(1e-3));
  const auto ids = torch::randint(0, kVocabulary, {kBatch, kLength}, torch::kInt64);
  const auto segments = torch::randint(0, 2, {kBatch, kLength}, torch::kInt64);
  const auto labels = torch::randint(0, kVocabulary, {kMasked}, torch::kInt64);
  const auto queries = torch::randint(0, kLength, {kBatch, 1 + kMasked / kBatch}, torch::kInt64);
  const std::vector<int64_t> hidden{kBatch, kLength, kWidth};
  const torch::Tensor known = torch::randn({kMasked, kEmbedding}).to(type),
                      known_weight = 0.05 * torch::randn({kVocabulary, kEmbedding});
  const torch::Tensor some = torch::randint(0, kVocabulary, {kMasked, 16}, torch::kInt64),
                      share = torch::randn({kMasked, 16}).softmax(1);
  const auto attention = [&](const char* name, bool relative, bool chosen) {
    TensorList inputs{activation({kBatch, kLength, 3 * kWidth})};
    if (relative) inputs.push_back(weight({kHeads, kRelativeBuckets}));
    return Operation{name, inputs, [=](const TensorList& t) {
                       AttentionTerms terms;
                       if (relative) terms.offset_bias = relative_offsets(t[1], kLength);
                       if (chosen) terms.queries = queries;
                       return self_attention(t[0], padding, kHeads, terms);
                     }};
  };
  return {
      {"linear",
       {activation(hidden), weight({3 * kWidth, kWidth}), weight({3 * kWidth})},
       [=](const TensorList& t) { return linear(t[0], t[1], t[2], type); }},
      attention("attention", false, false),
      attention("attention by offset", true, false),
      attention("attention of chosen queries", false, true),
      {"residual sum and LayerNorm",
       {activation(hidden), activation(hidden)},
       [=](const TensorList& t) { return residual_norm(t[0], t[1], norm, 0, 1).y; }},
      {"residual sum, dropout and LayerNorm",
       {activation(hidden), activation(hidden)},
       [=](const TensorList& t) { return residual_norm(t[0], t[1], norm, 0.1, 1).y; }},
      {"GELU",
       {activation({kBatch, kLength, kInner})},
       [](const TensorList& t) { return tanh_gelu(t[0]); }},
      {"GEGLU",
       {activation({kBatch, kLength, kInner})},
       [](const TensorList& t) { return geglu(t[0]); }},
      {"convolution of 7",
       {activation(hidden), weight({7, kWidth})},
       [=](const TensorList& t) { return sequence_convolution(t[0], t[1], padding); }},
      {"convolution of 3 on Q, K, V",
       {activation({kBatch, kLength, 3 * kWidth}), weight({3, 3 * kWidth})},
       [=](const TensorList& t) { return sequence_convolution(t[0], t[1], padding); }},
      {"LSTM layer in float32",
       {weight(hidden), weight({4 * kWidth, kWidth}), weight({4 * kWidth, kWidth}),
        weight({4 * kWidth}), weight({4 * kWidth})},
       [](const TensorList& t) {
         return lstm_layer(t[0], {t[1], t[2], t[3], t[4]});
       }},
      {"head gate",
       {activation(hidden), activation({kBatch, kLength, kHeads})},
       [](const TensorList& t) { return gate_heads(t[0], t[1]); }},
      {"embedding sum",
       {weight({kVocabulary, kEmbedding}), weight({kLength, kEmbedding}), weight({2, kEmbedding})},
       [=](const TensorList& t) { return embedding_sum(ids, segments, t[0], t[1], t[2]); }},
      {"rows at positions",
       {activation(hidden)},
       [=](const TensorList& t) { return at_positions(t[0], queries); }},
      {"tied cross-entropy",
       {activation({kMasked, kEmbedding}), weight({kVocabulary, kEmbedding}),
        weight({kVocabulary})},
       [=](const TensorList& t) { return tied_cross_entropy(t[0], t[1], t[2], labels).loss; }},
      {"tied cross-entropy against a teacher",
       {activation({kMasked, kEmbedding}), weight({kVocabulary, kEmbedding}),
        weight({kVocabulary})},
       [=](const TensorList& t) {
         const SoftTargets soft{{known, known_weight, {}, {}}, 1, 0.5, 0.5};
         return tied_cross_entropy(t[0], t[1], t[2], labels, {}, &soft).taught;
       }},
      {"tied cross-entropy against some of a teacher's pieces",
       {activation({kMasked, kEmbedding}), weight({kVocabulary, kEmbedding}),
        weight({kVocabulary})},
       [=](const TensorList& t) {
         const SoftTargets soft{{}, 1, 0.5, 0.5, {some, share}};
         return tied_cross_entropy(t[0], t[1], t[2], labels, {}, &soft).taught;
       }},
  };
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  const std::string type = argc > 2 ? argv[2] : "float32";
  if (rounds < 1 || (type != "float32" && type != "bfloat16")) {
    std::cerr << "bench_operations: expected [ROUNDS [float32|bfloat16]]\n";
    return 2;
  }
  torch::manual_seed(1);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Operation& operation :
       operations(type == "float32" ? torch::kFloat32 : torch::kBFloat16)) {
    nlohmann::ordered_json row{{"operation", operation.name}, {"type", type}};
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      std::vector<double> fused, aten;
      for (int round = -2; round < rounds; ++round)  // two to warm up
        for (const bool plain : {false, true}) {
          std::optional<AtenFormsOnly> aten_only;
          if (plain) aten_only.emplace();
          const double spent = milliseconds(operation);
          if (round >= 0) (plain ? aten : fused).push_back(spent);
        }
      const std::string unit =
          " ms, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
      row["fused" + unit] = median(fused);
      row["ATen" + unit] = median(aten);
    }
    row["times, 1 thread"] =
        row["ATen ms, 1 thread"].get<double>() / row["fused ms, 1 thread"].get<double>();
    row["times, 2 threads"] =
        row["ATen ms, 2 threads"].get<double>() / row["fused ms, 2 threads"].get<double>();
    rows.push_back(std::move(row));
  }
  std::cout << nlohmann::ordered_json{{"name", "operations"}, {"rows", rows}}.dump() << "\n";
  return 0;
}
