// A model that is made larger keeps its function, and its repetitions do not stay equal.
#include "model/grow.h"

#include <catch2/catch.hpp>

#include "model/pretraining_model.h"
#include "small_model.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;

BertConfig small() {
  BertConfig config = small_config();
  config.embedding_size = 12;
  config.mlm_transform = config.mlm_bias = true;
  config.mlm_context = 3;
  config.nsp_bias = true;
  return config;
}

BertConfig of_the_page() { return with_layer_options(small()); }

BertConfig larger(BertConfig config) {
  config.d_model *= 3;
  config.n_heads *= 3;
  config.embedding_size *= 2;
  config.d_ff = 40;
  return config;
}

NamedParameters parameters(const PretrainingModel& model) {
  NamedParameters out;
  for (const auto& item : model.named_parameters()) out.emplace(item.key(), item.value());
  return out;
}

// Every parameter random, so that none is 0 or 1 by its rule.
PretrainingModel trained(const BertConfig& config) {
  torch::NoGradGuard no_grad;
  torch::manual_seed(7);
  PretrainingModel model(config);
  model.eval();
  for (auto& parameter : model.parameters())
    parameter.copy_(0.4 * torch::randn_like(parameter) + 0.1);
  return model;
}

PretrainingModel grown(const PretrainingModel& model, const BertConfig& to) {
  torch::NoGradGuard no_grad;
  PretrainingModel out(to);
  out.eval();
  const NamedParameters weights = grow(parameters(model), model.config(), to, 1);
  for (const auto& item : out.named_parameters()) item.value().copy_(weights.at(item.key()));
  CHECK(weights.size() == out.named_parameters().size());
  return out;
}

struct Outputs {
  torch::Tensor mlm, nsp;
};

Outputs outputs(PretrainingModel& model) {
  torch::NoGradGuard no_grad;
  torch::Tensor ids = 7 + torch::arange(22).remainder(9).view({2, 11});
  ids.slice(1, 8).slice(0, 1).zero_();
  const torch::Tensor hidden = model.encode(ids, ids.ge(12).to(torch::kInt64));
  return {model.mlm_logits(hidden, torch::tensor({1, 4, 12, 15}), ids), model.nsp(hidden)};
}

double difference(const torch::Tensor& a, const torch::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max()).item<double>();
}

void check_same(const BertConfig& from, const BertConfig& to) {
  PretrainingModel model = trained(from);
  PretrainingModel large = grown(model, to);
  const Outputs expected = outputs(model), found = outputs(large);
  CHECK(difference(found.mlm, expected.mlm) < 1e-5);
  CHECK(difference(found.nsp, expected.nsp) < 1e-5);
}

}  // namespace

TEST_CASE("a model that grew computes what it was grown from") {
  SECTION("wider, with every part of the page's model") {
    check_same(of_the_page(), larger(of_the_page()));
  }
  SECTION("wider, as the course builds it") {
    BertConfig config = small();
    config.norm = "post";
    check_same(config, larger(config));
  }
  SECTION("deeper and wider") {
    BertConfig config = larger(of_the_page());
    config.n_layers = 4;
    check_same(of_the_page(), config);
  }
  SECTION("not at all") {
    PretrainingModel model = trained(of_the_page());
    const NamedParameters before = parameters(model);
    for (const auto& [name, weight] : grow(before, model.config(), model.config(), 1)) {
      INFO(name);
      CHECK(torch::allclose(weight, before.at(name), 1e-6, 0));
    }
  }
}

TEST_CASE("units that a growth repeats learn apart") {
  PretrainingModel model = trained(of_the_page());
  PretrainingModel large = grown(model, larger(of_the_page()));
  large.train();
  const torch::Tensor ids = 7 + torch::arange(22).remainder(9).view({2, 11});
  const torch::Tensor hidden = large.encode(ids, torch::zeros_like(ids));
  large.mlm(hidden, torch::tensor({1, 4, 12}), torch::tensor({9, 20, 30}), ids).loss.backward();
  for (const std::string name :
       {"bert.layers.1.ffn.inner.weight", "bert.layers.1.attention.qkv.weight",
        "bert.layers.0.local.value.weight"}) {
    INFO(name);
    const torch::Tensor gradient = large.named_parameters()[name].grad();
    // Row 0 and the row that repeats it.
    const int64_t again = name.find("ffn") != std::string::npos ? 24 : 16;
    CHECK(difference(gradient[again], gradient[0]) > 1e-2);
  }
}

TEST_CASE("what a growth cannot give is refused by its key") {
  const PretrainingModel model = trained(of_the_page());
  const auto refused = [&](auto change, const std::string& text) {
    BertConfig to = larger(of_the_page());
    change(to);
    CHECK_THROWS_WITH(grow(parameters(model), model.config(), to, 1), Contains(text));
  };
  refused([](BertConfig& c) { c.d_model = 40; },
          "model.d_model: found 40, expected a multiple of the 16 to grow from");
  refused([](BertConfig& c) { c.embedding_size = 16; }, "model.embedding_size: found 16");
  refused([](BertConfig& c) { c.n_heads = 4; }, "model.n_heads: found 4, expected the 12");
  refused([](BertConfig& c) { c.d_ff = 8; }, "model.d_ff: found 8, expected at least the 24");
  refused([](BertConfig& c) { c.n_layers = 1; }, "model.n_layers: found 1");
  // The same shapes, or halves of them, and another function.
  refused([](BertConfig& c) { c.ffn = "gelu"; },
          "model.ffn: found \"gelu\", expected the \"geglu\" to grow from");
  refused([](BertConfig& c) { c.norm = "post"; }, "model.norm: found \"post\"");
  refused([](BertConfig& c) { c.conv = 0; }, "model.conv: found 0, expected the 3");
  refused([](BertConfig& c) { c.head_gate = false; }, "model.head_gate: found false");
  refused([](BertConfig& c) { c.causal = true; }, "model.causal: found true");
  refused([](BertConfig& c) { c.local_layers = 2; }, "model.local_layers: found 2");
  BertConfig post = of_the_page(), deeper = larger(of_the_page());
  post.norm = deeper.norm = "post";
  deeper.n_layers = 3;
  CHECK_THROWS_WITH(grow({}, post, deeper, 1), Contains("post-norm"));
  BertConfig bare = of_the_page(), wide = larger(bare);
  bare.mlm_transform = wide.mlm_transform = false;
  CHECK_THROWS_WITH(grow({}, bare, wide, 1), Contains("model.d_model: found 48, expected the 16"));
  NamedParameters other = parameters(model);
  other.emplace("qa.weight", torch::zeros({2, 16}));
  CHECK_THROWS_WITH(grow(other, model.config(), larger(of_the_page()), 1),
                    Contains("/weights/qa.weight") && Contains("a run of pretraining"));
}

}  // namespace minibert
