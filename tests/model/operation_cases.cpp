#include "model/operation_cases.h"

#include <catch2/catch.hpp>
#include <utility>

#include "model/ops/attention.h"
#include "model/ops/context_bonus.h"
#include "model/ops/elementwise.h"
#include "model/ops/embedding.h"
#include "model/ops/linear.h"
#include "model/ops/lstm_layer.h"
#include "model/ops/residual_norm.h"
#include "model/ops/sequence_convolution.h"
#include "model/ops/tied_cross_entropy.h"

namespace minibert {
namespace {

torch::Tensor random_tensor(at::IntArrayRef shape, double scale = 1.0) {
  return torch::randn(shape) * scale;
}

// Two rows of `length` pieces, the second one's last two padding.
torch::Tensor padding_bias(int64_t length) {
  auto bias = torch::zeros({2, length});
  bias.index_put_({1, at::indexing::Slice(length - 2)}, -1e9);
  return bias;
}

// Where the inputs are.
torch::Tensor there(const torch::Tensor& tensor, const TensorList& inputs) {
  return tensor.to(inputs[0].device());
}

ShownPieces there(const ShownPieces& shown, const TensorList& inputs) {
  return {there(shown.ids, inputs), there(shown.example, inputs)};
}

}  // namespace

std::vector<OperationCase> operation_cases() {
  torch::manual_seed(11);
  std::vector<OperationCase> all;
  all.push_back({"linear",
                 {random_tensor({2, 5, 33}), random_tensor({7, 33}, 0.2), random_tensor({7})},
                 1,
                 [](const TensorList& t) {
                   return TensorList{linear(t[0], t[1], t[2], t[0].scalar_type())};
                 }});
  all.push_back({"linear without bias",
                 {random_tensor({131, 33}), random_tensor({7, 33}, 0.2)},
                 1,
                 [](const TensorList& t) {
                   return TensorList{linear(t[0], t[1], torch::Tensor(), t[0].scalar_type())};
                 }});
  all.push_back({"GELU", {random_tensor({91, 377}, 2)}, 1, [](const TensorList& t) {
                   return TensorList{tanh_gelu(t[0])};
                 }});
  for (const Activation activation : {Activation::gelu, Activation::relu})
    all.push_back({activation == Activation::gelu ? "erf GELU" : "ReLU",
                   {random_tensor({5, 77}, 2)},
                   1,
                   [=](const TensorList& t) { return TensorList{activate(t[0], activation)}; }});
  all.push_back({"GEGLU", {random_tensor({3, 47, 2 * 29}, 2)}, 1, [](const TensorList& t) {
                   return TensorList{geglu(t[0])};
                 }});
  for (const bool branch : {true, false})
    all.push_back({branch ? "residual sum and LayerNorm" : "LayerNorm",
                   {random_tensor({3, 47, 17}), random_tensor({3, 47, 17}), random_tensor({17}) + 1,
                    random_tensor({17})},
                   2,
                   [branch](const TensorList& t) {
                     torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({17}).eps(1e-3));
                     norm->weight = t[2], norm->bias = t[3];
                     const auto out =
                         residual_norm(t[0], branch ? t[1] : torch::Tensor(), norm, 0, 1);
                     if (branch) return TensorList{out.y, out.sum};
                     return TensorList{out.y, out.sum + t[1]};
                   }});
  const auto ids = torch::randint(0, 11, {4, 37}, torch::kInt64);
  const auto segments = torch::randint(0, 2, {4, 37}, torch::kInt64);
  all.push_back({"embedding sum",
                 {random_tensor({11, 5}), random_tensor({2, 5}), random_tensor({39, 5})},
                 0,
                 [=](const TensorList& t) {
                   return TensorList{
                       embedding_sum(there(ids, t), there(segments, t), t[0], t[2], t[1])};
                 }});
  all.push_back({"embedding sum without positions",
                 {random_tensor({11, 5}), random_tensor({2, 5})},
                 0,
                 [=](const TensorList& t) {
                   return TensorList{embedding_sum(there(ids, t), there(segments, t), t[0],
                                                   torch::Tensor(), t[1])};
                 }});
  const auto rows = torch::tensor({5, 0, 5, 7}, torch::kInt64);
  all.push_back({"gathered rows", {random_tensor({2, 4, 19})}, 1, [=](const TensorList& t) {
                   return TensorList{gather_rows(t[0], there(rows, t))};
                 }});
  all.push_back({"head gate",
                 {random_tensor({2, 49, 3 * 7}), random_tensor({2, 49, 3}, 2)},
                 2,
                 [](const TensorList& t) { return TensorList{gate_heads(t[0], t[1])}; }});
  // Blocks of texts of which the last is not full, a text alone, a piece alone.
  for (const auto& [texts, length] : {std::pair{37, 9}, {1, 6}, {3, 1}})
    all.push_back(
        {"LSTM layer",
         {random_tensor({texts, length, 11}), random_tensor({4 * 13, 11}, 0.3),
          random_tensor({4 * 13, 13}, 0.3), random_tensor({4 * 13}), random_tensor({4 * 13})},
         1,
         [](const TensorList& t) {
           return TensorList{lstm_layer(t[0], {t[1], t[2], t[3], t[4]})};
         }});
  for (const int64_t taps : {3, 7})
    all.push_back({taps == 3 ? "convolution of 3" : "convolution of 7",
                   {random_tensor({2, 141, 19}), random_tensor({taps, 19})},
                   1,
                   [](const TensorList& t) {
                     return TensorList{
                         sequence_convolution(t[0], t[1], there(padding_bias(141), t))};
                   }});
  for (const int64_t length : {5, 37}) {
    const auto bias = padding_bias(length);
    const auto chosen = torch::randint(0, length, {2, 4}, torch::kInt64);
    const TensorList inputs{random_tensor({2, length, 3 * 3 * 7}),
                            random_tensor({3, kRelativeBuckets})};
    for (const bool relative : {false, true})
      for (const bool some : {false, true})
        all.push_back({relative
                           ? (some ? "attention by offset, some queries" : "attention by offset")
                           : (some ? "attention of some queries" : "attention"),
                       relative ? inputs : TensorList{inputs[0]}, 1, [=](const TensorList& t) {
                         AttentionTerms terms;
                         if (relative) terms.offset_bias = relative_offsets(t[1], length);
                         if (some) terms.queries = there(chosen, t);
                         return TensorList{self_attention(t[0], there(bias, t), 3, terms)};
                       }});
  }
  const auto labels = torch::randint(0, 53, {1100}, torch::kInt64);
  const ShownPieces shown{torch::randint(0, 53, {4, 30}, torch::kInt64),
                          torch::randint(0, 4, {1100}, torch::kInt64)};
  all.push_back(
      {"tied cross-entropy with a bonus",
       {random_tensor({1100, 8}), random_tensor({53, 8}), random_tensor({53}),
        random_tensor({1100, 30})},
       1,
       [=](const TensorList& t) {
         return TensorList{
             tied_cross_entropy(t[0], t[1], t[2], there(labels, t), {there(shown, t), t[3]}).loss};
       }});
  all.push_back({"tied cross-entropy against a teacher",
                 {random_tensor({1100, 8}), random_tensor({53, 8}), random_tensor({53}),
                  random_tensor({1100, 30})},
                 1,
                 [=, teacher = random_tensor({1100, 24}),
                  weight = random_tensor({53, 24})](const TensorList& t) {
                   const SoftTargets soft{{there(teacher, t).to(t[0].scalar_type()),
                                           there(weight, t),
                                           t[2],
                                           {there(shown, t), t[3]}},
                                          2,
                                          0.7,
                                          0.3};
                   return TensorList{tied_cross_entropy(t[0], t[1], t[2], there(labels, t),
                                                        {there(shown, t), t[3]}, &soft)
                                         .taught};
                 }});
  const auto some = torch::randint(0, 53, {1100, 7}, torch::kInt64);
  all.push_back({"tied cross-entropy against some of a teacher's pieces",
                 {random_tensor({1100, 8}), random_tensor({53, 8}), random_tensor({53})},
                 1,
                 [=, share = random_tensor({1100, 7}).softmax(1)](const TensorList& t) {
                   const SoftTargets soft{{}, 2, 0.7, 0.3, {there(some, t), there(share, t)}};
                   return TensorList{
                       tied_cross_entropy(t[0], t[1], t[2], there(labels, t), {}, &soft).taught};
                 }});
  for (const bool bias : {true, false})
    all.push_back(
        {bias ? "tied cross-entropy" : "tied cross-entropy without bias",
         bias ? TensorList{random_tensor({1100, 8}), random_tensor({53, 8}), random_tensor({53})}
              : TensorList{random_tensor({1100, 8}), random_tensor({53, 8})},
         1, [=](const TensorList& t) {
           return TensorList{
               tied_cross_entropy(t[0], t[1], bias ? t[2] : torch::Tensor(), there(labels, t))
                   .loss};
         }});
  return all;
}

TensorList with_types(const OperationCase& one, torch::ScalarType activations,
                      torch::ScalarType weights, torch::Device device) {
  TensorList out;
  for (size_t i = 0; i < one.inputs.size(); ++i)
    out.push_back(one.inputs[i].to(device, i < one.activations ? activations : weights));
  return out;
}

void require_close(const Pass& ours, const Pass& theirs, double tolerance) {
  for (size_t i = 0; i < ours.outputs.size(); ++i) {
    INFO("output " << i);
    CHECK(relative_difference(ours.outputs[i], theirs.outputs[i]) < tolerance);
  }
  REQUIRE(ours.gradients.size() == theirs.gradients.size());
  for (size_t i = 0; i < ours.gradients.size(); ++i) {
    INFO("gradient " << i);
    CHECK(relative_difference(ours.gradients[i], theirs.gradients[i]) < tolerance);
  }
}

}  // namespace minibert
