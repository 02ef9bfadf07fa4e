// A whole BERT: its size, its positions, its padding, its random decisions.
#include <catch2/catch.hpp>

#include "core/error.h"
#include "model/parameter_count.h"
#include "model/pretraining_model.h"
#include "small_model.h"

namespace minibert {
namespace {

BertConfig course_sizes() {
  BertConfig config;
  config.vocab_size = 8007;
  config.d_model = config.embedding_size = 512;
  config.n_heads = 8;
  config.d_ff = 1024;
  config.n_layers = 3;
  config.max_positions = 256;
  return config;
}

}  // namespace

TEST_CASE("the course's sizes have the course's parameters") {
  const PretrainingModel bert(course_sizes());
  CHECK(count(bert, "bert.") == 10'541'056);
  CHECK(count(bert, "nsp.") == 263'680);
  CHECK(count(bert) == 10'804'736);
  CHECK(count(PretrainingModel(course_sizes(), /*sentence_head=*/false)) == 10'541'056);
}

TEST_CASE("the shipped small model has 1,293,255 parameters") {
  BertConfig config;
  config.embedding_size = 64;
  config.d_model = 160;
  config.d_ff = 768;
  config.n_layers = 2;
  config.norm = "pre";
  config.mlm_transform = config.mlm_bias = true;
  CHECK(count(PretrainingModel(config)) == 1'293'255);
}

TEST_CASE("shared layers count once, factorized embeddings save their share") {
  BertConfig config = course_sizes();
  config.share_layers = true;
  const int64_t layer =
      3 * 512 * 512 + 3 * 512 + 512 * 512 + 512 + 2 * 512 * 1024 + 1024 + 512 + 4 * 512;
  CHECK(count(PretrainingModel(config), "bert.") == 10'541'056 - 2 * layer);
  config = course_sizes();
  config.embedding_size = 64;
  CHECK(count(PretrainingModel(config), "bert.") ==
        10'541'056 - (8007 + 256 + 2 + 2) * (512 - 64) + 64 * 512 + 512);
}

TEST_CASE("padding changes no real position") {
  for (const char* norm : {"post", "pre"})
    for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
      CAPTURE(norm, type);
      const auto bert = model(small_config(norm, 0.2));
      bert->eval();
      bert->bert().set_compute_type(type);
      const Rows little = rows(9), much = rows(20);
      const auto a = bert->encode(little.ids, little.segments).to(torch::kFloat32);
      const auto b = bert->encode(much.ids, much.segments).to(torch::kFloat32).slice(1, 0, 9);
      const auto real = little.ids.ne(0).unsqueeze(-1);
      // Sums over more keys run in another order; the padded keys themselves weigh exactly zero.
      const double tolerance = type == torch::kFloat32 ? 1e-6 : 0.02;
      CHECK((a - b).abs().masked_select(real).max().item<double>() < tolerance);
      CHECK(a.abs().masked_select(real).max().item<double>() > 0.5);
      const auto alone = bert->encode(little.ids.slice(0, 1, 2).slice(1, 0, 5),
                                      little.segments.slice(0, 1, 2).slice(1, 0, 5));
      CHECK((a[1].slice(0, 0, 5) - alone[0].to(torch::kFloat32)).abs().max().item<double>() <
            tolerance);
    }
}

TEST_CASE("padding adds nothing to the gradients") {
  std::vector<torch::Tensor> gradients[2];
  const int64_t lengths[] = {9, 20};
  for (int i = 0; i < 2; ++i) {
    BertConfig config = small_config("post", 0.2);
    config.dropout = 0;
    BertEncoder bert(config);
    bert.initialize(3);
    SpanHead head(bert.width(), 0);
    head.initialize(bert, 3);
    const Rows given = rows(lengths[i]);
    const auto logits = head(bert.encode(given.ids, given.segments));
    logits.masked_select(given.ids.ne(0).unsqueeze(-1)).pow(2).sum().backward();
    for (const auto& value : bert.parameters()) gradients[i].push_back(value.grad());
    for (const auto& value : head.parameters()) gradients[i].push_back(value.grad());
  }
  for (size_t i = 0; i < gradients[0].size(); ++i) {
    const auto &a = gradients[0][i], &b = gradients[1][i];
    CHECK((a - b).abs().max().item<double>() < 1e-5 * std::max(0.01, a.abs().max().item<double>()));
  }
}

TEST_CASE("the same key gives the same dropout, another key another") {
  const auto bert = model(small_config("pre", 0.2));
  bert->train();
  const Rows given = rows(9);
  const auto run = [&](uint64_t key) {
    bert->bert().set_dropout_key(key);
    return bert->encode(given.ids, given.segments);
  };
  const auto first = run(1);
  CHECK_FALSE(first.equal(run(2)));
  CHECK(first.equal(run(1)));
  bert->eval();
  CHECK(run(1).equal(run(2)));
}

TEST_CASE("weights follow from the seed, within the truncated normal") {
  const auto a = model(small_config("post", 0.2)), b = model(small_config("post", 0.2));
  PretrainingModel other(small_config("post", 0.2));
  other.initialize(4);
  for (const auto& item : a->named_parameters()) {
    INFO(item.key());
    const auto& value = item.value();
    CHECK(value.equal(b->named_parameters()[item.key()]));
    if (item.key().ends_with("norm.weight")) {
      CHECK(value.eq(1).all().item<bool>());
    } else if (item.key().ends_with("bias")) {
      CHECK(value.eq(0).all().item<bool>());
    } else {
      CHECK(value.abs().max().item<double>() <= 0.04);
      CHECK_FALSE(value.equal(other.named_parameters()[item.key()]));
    }
  }
  const auto token = model(course_sizes())->named_parameters()["bert.embeddings.token.weight"];
  CHECK(token.mean().item<double>() == Approx(0).margin(1e-4));
  // A normal cut off at two standard deviations has 0.8796 of its spread.
  CHECK(token.std().item<double>() == Approx(0.02 * 0.8796).epsilon(0.005));
}

TEST_CASE("the output bias starts where it is set") {
  BertConfig config = small_config("pre", 0.2);
  config.mlm_bias = true;
  const auto bert = model(config);
  std::vector<double> given;
  for (int i = 0; i < 40; ++i) given.push_back(-0.1 * i);
  bert->mlm_head().set_output_bias(given);
  const auto bias = bert->named_parameters()["mlm.bias"];
  CHECK(bias[0].item<float>() == 0.0f);
  CHECK(bias[39].item<float>() == Approx(-3.9));
}

TEST_CASE("an input longer than the positions is an error that says both") {
  const auto bert = model(small_config("post", 0.2));
  const Rows given = rows(25);
  CHECK_THROWS_WITH(bert->encode(given.ids, given.segments),
                    "the input has 25 pieces, the model reads at most 24");
}

}  // namespace minibert
