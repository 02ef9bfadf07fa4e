// Options of the encoder's layers beside attention and GELU: sizes, initial weights, padding,
// chosen positions.
#include <catch2/catch.hpp>

#include "model/parameter_count.h"
#include "model/pretraining_model.h"
#include "small_model.h"

namespace minibert {
namespace {

BertConfig all_options() { return with_layer_options(small_config("pre", 0.2)); }

}  // namespace

TEST_CASE("a local layer, GEGLU, a gate, convolutions and offsets have the parameters they say") {
  BertConfig config = small_config("pre", 0.2);
  const int64_t plain = count(PretrainingModel(config));
  const int64_t d = 16, f = 24, taps = 3, positions = 24;
  const auto more = [&](auto change) {
    BertConfig changed = config;
    change(changed);
    return count(PretrainingModel(changed)) - plain;
  };
  CHECK(more([](BertConfig& c) { c.position = "relative"; }) == 2 * 4 * 32 - positions * d);
  CHECK(more([](BertConfig& c) { c.conv = 3; }) == 2 * taps * 3 * d);
  CHECK(more([](BertConfig& c) { c.head_gate = true; }) == 2 * (d + 1) * 4);
  CHECK(more([](BertConfig& c) { c.ffn = "geglu"; }) == 2 * f * (d + 1));
  CHECK(more([](BertConfig& c) { c.local_layers = 1; }) == 7 * d - 2 * d * (d + 1));
  CHECK(more([](BertConfig& c) { c.local_layers = 2; }) == 2 * (7 * d - 2 * d * (d + 1)));
  // Layers after the local ones share their weights.
  config.n_layers = 5, config.local_layers = 2, config.share_layers = true;
  const auto parameters = PretrainingModel(config).named_parameters();
  CHECK(parameters.contains("bert.layers.2.attention.qkv.weight"));
  CHECK_FALSE(parameters.contains("bert.layers.3.attention.qkv.weight"));
}

TEST_CASE("shapes with a local layer keep within 1.3 million parameters") {
  BertConfig config;
  config.embedding_size = 64;
  config.d_model = 160;
  config.n_heads = 5;
  config.norm = "pre";
  config.mlm_transform = config.mlm_bias = true;
  config.position = "relative";
  config.local_layers = 1;
  config.conv = 3;
  config.ffn = "geglu";
  config.head_gate = true;
  config.n_layers = 2, config.d_ff = 592;
  CHECK(count(PretrainingModel(config)) == 1'298'316);
  config.n_layers = 3, config.d_ff = 320;
  CHECK(count(PretrainingModel(config)) == 1'296'593);
  config.n_heads = 6, config.d_model = 192, config.d_ff = 416, config.share_layers = true;
  CHECK(count(PretrainingModel(config)) == 1'293'069);
}

TEST_CASE("a local layer starts with every neighbour, a convolution with none") {
  BertConfig config = all_options();
  const auto parameters = model(config)->named_parameters();
  const auto local = parameters["bert.layers.0.local.conv"];
  CHECK(local.sum(0).eq(1).all().item<bool>());
  CHECK(local.sum(1).min().item<float>() >= 2);
  const auto conv = parameters["bert.layers.1.attention.conv"];
  CHECK(conv[1].eq(1).all().item<bool>());
  CHECK(conv.sum().item<float>() == 3 * 16);
  CHECK(parameters["bert.layers.1.attention.offsets"].eq(0).all().item<bool>());
  config.local_layers = 0, config.attention_init = "relative";
  const auto offsets = model(config)->named_parameters()["bert.layers.0.attention.offsets"];
  // Heads 0 to 3 lean to the offsets -1, +1, -2, +2.
  CHECK(offsets.argmax(1).equal(torch::tensor({1, 17, 2, 18}, torch::kInt64)));
}

TEST_CASE("chosen positions have the values that they have among all") {
  for (const BertConfig& config :
       {small_config("post", 0.2), small_config("pre", 0.2), all_options()}) {
    CAPTURE(config.norm, config.position);
    const auto bert = model(config);
    bert->eval();
    const Rows given = rows(12);
    const auto queries = torch::tensor({0, 5, 2, 0, 4, 0, 0, 6, 1}, torch::kInt64).view({3, 3});
    const auto all = bert->encode(given.ids, given.segments);
    const auto some = bert->encode(given.ids, given.segments, queries);
    REQUIRE(some.sizes() == at::IntArrayRef({3, 3, 16}));
    for (int64_t row = 0; row < 3; ++row)
      for (int64_t i = 0; i < 3; ++i)
        CHECK(some[row][i].allclose(all[row][queries[row][i].item<int64_t>()], 1e-4, 1e-5));
    CHECK(bert->nsp(some).allclose(bert->nsp(all), 1e-4, 1e-5));
  }
}

TEST_CASE("the gradients of chosen positions are those among all") {
  std::vector<torch::Tensor> gradients[2];
  const Rows given = rows(12);
  const auto queries = torch::tensor({0, 5, 2, 0, 4, 0, 0, 6, 1}, torch::kInt64).view({3, 3});
  for (const bool chosen : {false, true}) {
    BertConfig config = all_options();
    config.dropout = 0;
    const auto bert = model(config);
    const auto hidden = bert->encode(given.ids, given.segments, chosen ? queries : torch::Tensor());
    // Positions 5 and 2 of the first row, 6 of the third.
    const auto rows = chosen ? torch::tensor({1, 2, 7}, torch::kInt64)
                             : torch::tensor({5, 2, 24 + 6}, torch::kInt64);
    const auto labels = torch::tensor({9, 11, 30}, torch::kInt64);
    const auto loss =
        bert->mlm(hidden, rows, labels, given.ids).loss + bert->nsp(hidden).pow(2).sum();
    loss.backward();
    for (const auto& value : bert->parameters()) gradients[chosen].push_back(value.grad());
  }
  for (size_t i = 0; i < gradients[0].size(); ++i) {
    const auto &a = gradients[0][i], &b = gradients[1][i];
    CHECK((a - b).abs().max().item<double>() < 1e-5 * std::max(0.01, a.abs().max().item<double>()));
  }
}

TEST_CASE("padding changes no real position, whatever mixes") {
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    CAPTURE(type);
    const auto bert = model(all_options());
    bert->eval();
    bert->bert().set_compute_type(type);
    const Rows little = rows(9), much = rows(20);
    const auto a = bert->encode(little.ids, little.segments).to(torch::kFloat32);
    const auto b = bert->encode(much.ids, much.segments).to(torch::kFloat32).slice(1, 0, 9);
    const auto real = little.ids.ne(0).unsqueeze(-1);
    const double tolerance = type == torch::kFloat32 ? 1e-6 : 0.02;
    CHECK((a - b).abs().masked_select(real).max().item<double>() < tolerance);
    CHECK(a.abs().masked_select(real).max().item<double>() > 0.5);
  }
}

}  // namespace minibert
