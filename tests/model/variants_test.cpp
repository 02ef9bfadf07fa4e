// The BERTs of the course's other chapters: activations, causal attention, dropout of
// probabilities, poolers and decoders of their own, PyTorch's initial weights.
#include <catch2/catch.hpp>
#include <cmath>

#include "gradients.h"
#include "model/ops/attention.h"
#include "model/ops/dropout.h"
#include "model/parameter_count.h"
#include "model/pretraining_model.h"
#include "small_model.h"

namespace minibert {
namespace {

BertConfig bert_base() {
  BertConfig config;
  config.vocab_size = 30522;
  config.d_model = config.embedding_size = 768;
  config.n_heads = 12;
  config.d_ff = 3072;
  config.n_layers = 12;
  config.max_positions = 512;
  config.mlm_transform = config.mlm_bias = config.nsp_bias = true;
  return config;
}

// Two rows of nine pieces; the second one's last three are padding.
torch::Tensor pieces() {
  auto ids = torch::arange(18, torch::kInt64).view({2, 9}) + 7;
  ids[1].slice(0, 6).zero_();
  return ids;
}

torch::Tensor hidden_of(PretrainingModel& model, const torch::Tensor& ids) {
  return model.encode(ids, torch::zeros_like(ids));
}

}  // namespace

TEST_CASE("BERT-base has the parameters that are known of it") {
  CHECK(count(PretrainingModel(bert_base())) == 110'106'428);
}

TEST_CASE("each head has the parameters it says") {
  const int64_t d = 16, v = 40, plain = count(PretrainingModel(small_config("post"), false));
  const auto more = [&](bool sentence_head, auto change) {
    BertConfig changed = small_config("post");
    change(changed);
    return count(PretrainingModel(changed, sentence_head)) - plain;
  };
  CHECK(more(true, [](BertConfig&) {}) == (d + 1) * d + 2 * d);
  CHECK(more(true, [](BertConfig& c) { c.nsp_bias = true; }) == (d + 1) * d + 2 * d + 2);
  CHECK(more(false, [](BertConfig& c) { c.nsp_bias = true; }) == 0);
  CHECK(more(false, [](BertConfig& c) { c.pooler = true; }) == (d + 1) * d);
  CHECK(more(true, [](BertConfig& c) { c.pooler = true; }) == (d + 1) * d + 2 * d);
  CHECK(more(false, [](BertConfig& c) { c.mlm_tied = false; }) == v * d);
  CHECK(more(false, [](BertConfig& c) { c.causal = true, c.activation = "relu"; }) == 0);
}

TEST_CASE("a pooler without a sentence task gives a vector and no logits") {
  BertConfig config = small_config("post");
  CHECK_FALSE(PretrainingModel(config, false).has_pooler());
  config.pooler = true;
  const auto bert = model(config, false);
  CHECK(bert->has_pooler());
  CHECK_FALSE(bert->has_nsp());
  const auto hidden = hidden_of(*bert, pieces());
  const auto parameters = bert->named_parameters();
  const auto expected = torch::tanh(hidden.select(1, 0).mm(parameters["nsp.dense.weight"].t()) +
                                    parameters["nsp.dense.bias"]);
  CHECK(bert->pooler(hidden).allclose(expected, 1e-5, 1e-6));
}

TEST_CASE("from left to right nothing that follows changes a position") {
  for (const char* position : {"table", "relative"}) {
    CAPTURE(position);
    BertConfig config = small_config("post");
    config.causal = true;
    config.position = position;
    const auto bert = model(config, false);
    const auto ids = pieces();
    auto others = ids.clone();
    others[0].slice(0, 5).fill_(3);
    const auto a = hidden_of(*bert, ids), b = hidden_of(*bert, others);
    CHECK(a.slice(1, 0, 5).equal(b.slice(1, 0, 5)));
    CHECK_FALSE(a[0][5].allclose(b[0][5], 1e-3, 1e-3));
    // The head for a whole text reads the last piece.
    const auto pooled = bert->bert().pooled(a, ids);
    CHECK(pooled[0].equal(a[0][8]));
    CHECK(pooled[1].equal(a[1][5]));
  }
}

TEST_CASE("dropout of attention probabilities equals a mask on them, forward and backward") {
  torch::manual_seed(5);
  const auto qkv = torch::randn({2, 9, 3 * 12}), bias = torch::zeros({2, 9});
  const uint64_t key = 77;
  for (const bool some : {false, true}) {
    AttentionTerms terms;
    if (some) terms.queries = torch::tensor({0, 5, 2, 0, 4, 0}, torch::kInt64).view({2, 3});
    const auto plain_p = attention_probabilities(qkv, bias, 3, terms);
    const auto mask = keyed_dropout(torch::ones_like(plain_p), 0.3, key);
    CHECK(mask.eq(0).any().item<bool>());
    const Operation plain = [&](const TensorList& t) {
      const auto p = attention_probabilities(t[0], bias, 3, terms) * mask;
      const auto value = t[0].view({2, 9, 3, 3, 4}).select(2, 2).transpose(1, 2);
      return TensorList{torch::matmul(p, value).transpose(1, 2).reshape({2, -1, 12})};
    };
    const Operation fused = [&](const TensorList& t) {
      AttentionTerms with = terms;
      with.dropout = 0.3, with.dropout_key = key;
      return TensorList{self_attention(t[0], bias, 3, with)};
    };
    require_same(fused, plain, {qkv}, kFloat32Tolerance);
    require_same(fused, plain, {qkv.to(torch::kBFloat16)}, kBfloat16Tolerance);
  }
}

TEST_CASE("attention dropout acts in training alone and follows from the key") {
  BertConfig config = small_config("post");
  config.attention_dropout = 0.4;
  const auto bert = model(config);
  const auto pass = [&](uint64_t key) {
    bert->bert().set_dropout_key(key);
    return hidden_of(*bert, pieces());
  };
  CHECK(pass(1).equal(pass(1)));
  CHECK_FALSE(pass(1).equal(pass(2)));
  bert->eval();
  CHECK(pass(1).equal(pass(2)));
  CHECK(pass(1).equal(hidden_of(*model(small_config("post")), pieces())));
}

TEST_CASE("the logits of masked positions are those of the loss") {
  for (const bool tied : {true, false}) {
    CAPTURE(tied);
    BertConfig config = small_config("post");
    config.mlm_transform = config.mlm_bias = true;
    config.mlm_tied = tied;
    config.mlm_context = tied ? 3 : 0;
    const auto bert = model(config);
    if (tied) torch::nn::init::normal_(bert->named_parameters()["mlm.context.key.weight"]);
    const auto hidden = hidden_of(*bert, pieces());
    const auto positions = torch::tensor({2, 4, 11}, torch::kInt64);
    const auto labels = torch::tensor({9, 30, 12}, torch::kInt64);
    const auto logits = bert->mlm_logits(hidden, positions, pieces());
    REQUIRE(logits.sizes() == at::IntArrayRef({3, 40}));
    CHECK(torch::nn::functional::cross_entropy(logits, labels).item<double>() ==
          Approx(bert->mlm(hidden, positions, labels, pieces()).loss.item<double>()));
  }
}

TEST_CASE("a trace tells every layer's states and attention") {
  for (const char* norm : {"post", "pre"}) {
    CAPTURE(norm);
    BertConfig config = small_config("post");
    config.norm = norm;
    config.local_layers = 1;
    config.position = "relative";
    const auto bert = model(config);
    const auto ids = pieces();
    const EncoderTrace trace = bert->bert().trace(ids, torch::zeros_like(ids));
    REQUIRE(trace.states.size() == 3);
    CHECK(trace.states[2].equal(hidden_of(*bert, ids)));
    REQUIRE(trace.attention.size() == 2);
    CHECK_FALSE(trace.attention[0].defined());
    REQUIRE(trace.attention[1].sizes() == at::IntArrayRef({2, 4, 9, 9}));
    CHECK(trace.attention[1].sum(-1).allclose(torch::ones({2, 4, 9})));
    CHECK(trace.attention[1][1].slice(-1, 6).eq(0).all().item<bool>());  // padding gets nothing
  }
}

TEST_CASE("PyTorch's start: normal embeddings, uniform dense layers") {
  BertConfig config = small_config("post");
  config.vocab_size = 4000;
  config.weight_init = "pytorch";
  config.mlm_transform = config.mlm_bias = true;
  const auto bert = model(config);
  const auto parameters = bert->named_parameters();
  const auto& token = parameters["bert.embeddings.token.weight"];
  CHECK(token.std().item<double>() == Approx(1).margin(0.02));
  CHECK(token.abs().max().item<double>() > 3);  // not cut at two deviations
  for (const char* name : {"bert.layers.1.ffn.inner.weight", "bert.layers.1.ffn.inner.bias",
                           "mlm.transform.weight", "nsp.dense.weight"}) {
    CAPTURE(name);
    const double bound = 1 / std::sqrt(16.0);
    CHECK(parameters[name].abs().max().item<double>() <= bound);
    CHECK(parameters[name].abs().max().item<double>() > 0.8 * bound);
  }
  CHECK(parameters["bert.layers.0.attention_norm.weight"].eq(1).all().item<bool>());
  CHECK(parameters["bert.layers.0.attention_norm.bias"].eq(0).all().item<bool>());
  CHECK(parameters["mlm.bias"].eq(0).all().item<bool>());
}

TEST_CASE("the bonus counts the ordinary pieces of a row's own input, by their logarithm") {
  torch::manual_seed(5);
  ContextBonus bonus(4, 2);
  const auto token = torch::randn({12, 4}), x = torch::randn({2, 4});
  // [MASK] is 6; 9 stands three times in the second row.
  const auto ids = torch::tensor({7, 8, 6, 8, 0, 9, 9, 10, 9, 6}, torch::kInt64).view({2, 5});
  const ContextScores found = bonus(x, token, {ids, torch::tensor({1, 0}, torch::kInt64)});
  const auto weight = [&](const torch::Tensor& pieces, int64_t row) {
    return torch::zeros({12}).scatter_add(0, pieces, found.scores[row]);
  };
  const auto expected = [&](int64_t row, std::vector<float> counts) {
    return torch::log1p(torch::tensor(counts)) *
           bonus.key(token).mv(bonus.query(x[row].unsqueeze(0))[0]);
  };
  CHECK(weight(ids[1], 0).allclose(expected(0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0})));
  CHECK(weight(ids[0], 1).allclose(expected(1, {0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0})));
}

}  // namespace minibert
