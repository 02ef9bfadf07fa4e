// The engine against LibTorch: the same weights must give the same numbers.
#include <catch2/catch.hpp>
#include <set>

#include "infer/engine/engine.h"
#include "model/ops/attention.h"
#include "model/ops/sequence_convolution.h"
#include "model/pretraining_model.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;

namespace {

// float32 sums in another order, through two layers.
constexpr float kFloatHiddenTolerance = 2e-5f;
constexpr float kFloatLogitTolerance = 2e-4f;
constexpr float kAttentionTolerance = 2e-6f;
constexpr float kTraceTolerance = 2e-5f;
// int8 weights, relative to the logits' standard deviation: narrow models (14-bit activations, some
// weights of two bytes), and others (7-bit activations).
constexpr float kFineLogitError = 0.025f;
constexpr float kCoarseLogitError = 0.035f;
// GEGLU multiplies two rounded numbers with each other.
constexpr float kGegluTimes = 1.6f;

struct TorchModel {
  BertConfig config;
  std::shared_ptr<PretrainingModel> bert;

  TorchModel(const nlohmann::json& model, const std::vector<NamedTensor>& weights) {
    config = bert_from_json(model, "test");
    bert = std::make_shared<PretrainingModel>(config);
    bert->eval();
    torch::NoGradGuard no_grad;
    auto parameters = bert->named_parameters();
    for (const NamedTensor& weight : weights) {
      REQUIRE(parameters.contains(weight.name));
      auto source = torch::from_blob(const_cast<float*>(weight.values.data()), weight.shape);
      REQUIRE(parameters[weight.name].sizes() == source.sizes());
      parameters[weight.name].copy_(source);
    }
  }

  torch::Tensor hidden(const std::vector<int32_t>& ids, const std::vector<uint8_t>& segments) {
    torch::NoGradGuard no_grad;
    const std::vector<int64_t> wide_ids(ids.begin(), ids.end());
    const std::vector<int64_t> wide_segments(segments.begin(), segments.end());
    return bert->encode(torch::tensor(wide_ids).unsqueeze(0),
                        torch::tensor(wide_segments).unsqueeze(0))[0];
  }

  // From the parameters and the definition, because the training head gives the loss alone.
  torch::Tensor logits(const torch::Tensor& hidden_D, const std::vector<int32_t>& ids) {
    torch::NoGradGuard no_grad;
    auto p = bert->named_parameters();
    auto x = hidden_D;
    if (config.mlm_transform) {
      x = torch::gelu(torch::linear(x, p["mlm.transform.weight"], p["mlm.transform.bias"]), "tanh");
      x = torch::layer_norm(x, {config.embedding_size}, p["mlm.norm.weight"], p["mlm.norm.bias"],
                            config.layer_norm_eps);
    }
    const torch::Tensor token_VE = p["bert.embeddings.token.weight"];
    torch::Tensor logits = torch::matmul(token_VE, x);
    if (config.mlm_bias) logits = logits + p["mlm.bias"];
    if (config.mlm_context == 0) return logits;
    torch::Tensor count_V = torch::zeros({config.vocab_size});
    for (const int32_t id : ids)
      if (id > kMask) count_V[id] += 1;
    const auto part = [&](const char* name, const torch::Tensor& input) {
      const std::string full = std::string("mlm.context.") + name;
      return torch::linear(input, p[full + ".weight"], p[full + ".bias"]);
    };
    return logits + count_V.log1p() * torch::matmul(part("key", token_VE), part("query", x));
  }
};

std::vector<int32_t> random_ids(size_t length, uint64_t seed) {
  Rng rng(seed, "ids");
  std::vector<int32_t> ids(length);
  // Without [PAD], which the native model takes for padding.
  for (auto& id : ids)
    id = 1 + static_cast<int32_t>(rng.below(static_cast<uint64_t>(sample_vocabulary() - 1)));
  return ids;
}

// The deviation of weights that make products of about the same size at any width.
double even_std(const nlohmann::json& model) {
  return 1.4 / std::sqrt(model.at("d_model").get<double>());
}

float largest_difference(std::span<const float> ours, const torch::Tensor& theirs) {
  const auto flat = theirs.contiguous().flatten();
  REQUIRE(flat.numel() == static_cast<int64_t>(ours.size()));
  float largest = 0;
  for (size_t i = 0; i < ours.size(); ++i)
    largest = std::max(largest, std::abs(ours[i] - flat.data_ptr<float>()[i]));
  return largest;
}

const std::vector<Shape> kPlain = {
    {"post-norm", nlohmann::json::object()},
    {"pre-norm", {{"norm", "pre"}}},
    {"factorized", {{"embedding_size", 20}, {"mlm_transform", true}}},
    {"shared layers", {{"share_layers", true}, {"n_layers", 3}}},
    {"transform head", {{"mlm_transform", true}, {"mlm_bias", true}}},
    {"output bias", {{"mlm_bias", true}}},
    {"wide", {{"d_model", 260}, {"n_heads", 4}, {"embedding_size", 260}}},
    {"odd sizes", {{"d_model", 33}, {"n_heads", 3}, {"d_ff", 71}, {"embedding_size", 33}}},
    {"everything",
     {{"norm", "pre"},
      {"share_layers", true},
      {"embedding_size", 17},
      {"mlm_transform", true},
      {"mlm_bias", true},
      {"d_model", 36},
      {"n_heads", 2},
      {"d_ff", 130}}},
};

const std::vector<Shape>& architectures() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> list = kPlain;
    list.insert(list.end(), shapes().begin(), shapes().end());
    return list;
  }();
  return all;
}

// One model with one set of weights, in the engine and in LibTorch.
struct Both {
  Both(const nlohmann::json& model, const std::vector<NamedTensor>& weights,
       MbqWeights type = MbqWeights::float32)
      : file(make_mbq(sample_source(model), weights, type)),
        engine(loaded()),
        theirs(model, weights) {}

  AlignedBytes file;
  infer::Model ours;
  infer::Engine engine;
  TorchModel theirs;

 private:
  const infer::Model& loaded() {
    REQUIRE(ours.load(file.span()).ok());
    return ours;
  }
};

}  // namespace

TEST_CASE("float32 weights give LibTorch's hidden states, logits and attention") {
  for (const Shape& item : architectures()) {
    const auto model = small_model(item.changes);
    Both both(model, random_weights(model, 3, even_std(model)));
    infer::Engine& engine = both.engine;
    TorchModel& theirs = both.theirs;
    for (const size_t length : {1u, 2u, 7u, 33u, 64u}) {
      INFO(item.name << ", " << length << " pieces");
      const auto ids = random_ids(length, length);
      std::vector<uint8_t> segments(length, 0);
      for (size_t i = length / 2; i < length; ++i) segments[i] = 1;
      REQUIRE(engine.encode(ids, segments, true).ok());
      const auto hidden = theirs.hidden(ids, segments);
      CHECK(largest_difference(engine.hidden(), hidden) < kFloatHiddenTolerance);
      const auto position = static_cast<int32_t>(length / 2);
      CHECK(largest_difference(engine.logits(position), theirs.logits(hidden[position], ids)) <
            kFloatLogitTolerance);
    }
  }
}

TEST_CASE("heads and layers off and patched states do in the engine what they do in LibTorch") {
  for (const Shape& item : architectures()) {
    const auto model = small_model(item.changes);
    Both both(model, random_weights(model, 3, even_std(model)));
    infer::Engine& engine = both.engine;
    TorchModel& theirs = both.theirs;
    const auto ids = random_ids(33, 5);
    const std::vector<uint8_t> segments(ids.size(), 0);
    const int32_t layers = both.ours.config().n_layers;
    std::vector<float> state(static_cast<size_t>(both.ours.config().d_model));
    for (size_t i = 0; i < state.size(); ++i) state[i] = 0.1f * static_cast<float>(i % 7) - 0.3f;
    REQUIRE(engine.encode(ids, segments).ok());
    const std::vector<float> untouched(engine.hidden().begin(), engine.hidden().end());
    std::vector<Intervention> all = {{{0}, {}, {}}, {{layers - 1}, {}, {}}};
    if (both.ours.config().attention_layers() > 0)
      all.push_back({{}, {{layers - 1, 0}, {layers - 1, 1}}, {}});
    for (int32_t stage = 0; stage <= layers; ++stage) all.push_back({{}, {}, {{stage, 4, state}}});
    for (size_t i = 0; i < all.size(); ++i) {
      INFO(item.name << ", intervention " << i);
      REQUIRE(engine.intervene(all[i]).ok());
      theirs.bert->bert().intervene(all[i]);
      REQUIRE(engine.encode(ids, segments).ok());
      CHECK(largest_difference(engine.hidden(), theirs.hidden(ids, segments)) <
            kFloatHiddenTolerance);
      CHECK_FALSE(std::equal(untouched.begin(), untouched.end(), engine.hidden().begin()));
      // The last layer of a few positions alone.
      const std::vector<float> hidden(engine.hidden().begin(), engine.hidden().end());
      const std::vector<int32_t> wanted = {4, 9};
      REQUIRE(engine.encode(ids, segments, false, wanted).ok());
      const size_t d = state.size();
      CHECK(std::equal(hidden.begin() + 4 * d, hidden.begin() + 5 * d, engine.hidden().begin()));
      CHECK(
          std::equal(hidden.begin() + 9 * d, hidden.begin() + 10 * d, engine.hidden().begin() + d));
    }
    engine.restore();
    REQUIRE(engine.encode(ids, segments).ok());
    CHECK(std::equal(untouched.begin(), untouched.end(), engine.hidden().begin()));
  }
}

TEST_CASE("int8 weights stay near LibTorch's logits") {
  for (const Shape& item : architectures()) {
    const auto model = small_model(item.changes);
    Both both(model, random_weights(model, 3, even_std(model)), MbqWeights::int8);
    infer::Engine& engine = both.engine;
    TorchModel& theirs = both.theirs;
    INFO(item.name);
    const auto ids = random_ids(40, 5);
    const std::vector<uint8_t> segments(40, 0);
    REQUIRE(engine.encode(ids, segments).ok());
    const auto expected = theirs.logits(theirs.hidden(ids, segments)[20], ids);
    const auto found = engine.logits(20);
    const auto ours_tensor =
        torch::from_blob(const_cast<float*>(found.data()), {int64_t(found.size())});
    // The export moves the token embeddings' mean, which shifts all logits by the same number.
    auto difference = ours_tensor - expected;
    difference -= difference.mean();
    const float error =
        difference.pow(2).mean().sqrt().item<float>() / expected.std().item<float>();
    CAPTURE(error);
    const float allowed = both.ours.facts().fine ? kFineLogitError : kCoarseLogitError;
    CHECK(error < allowed * (both.ours.config().geglu ? kGegluTimes : 1));
  }
}

TEST_CASE("kept attention is LibTorch's softmax of the scaled scores") {
  const auto model = small_model({{"n_layers", 1}});
  Both both(model, random_weights(model, 8));
  infer::Engine& engine = both.engine;
  TorchModel& theirs = both.theirs;
  const auto ids = random_ids(19, 4);
  REQUIRE(engine.encode(ids, {}, true).ok());
  torch::NoGradGuard no_grad;
  auto p = theirs.bert->named_parameters();
  const std::vector<int64_t> wide(ids.begin(), ids.end());
  auto x = p["bert.embeddings.token.weight"].index_select(0, torch::tensor(wide)) +
           p["bert.embeddings.position.weight"].slice(0, 0, 19) +
           p["bert.embeddings.segment.weight"][0];
  x = torch::layer_norm(x, {48}, p["bert.embeddings.norm.weight"], p["bert.embeddings.norm.bias"],
                        theirs.config.layer_norm_eps);
  const auto qkv = torch::linear(x, p["bert.layers.0.attention.qkv.weight"],
                                 p["bert.layers.0.attention.qkv.bias"]);
  for (int head = 0; head < 4; ++head) {
    const auto q = qkv.slice(1, head * 12, head * 12 + 12);
    const auto k = qkv.slice(1, 48 + head * 12, 48 + head * 12 + 12);
    const auto expected = torch::softmax(torch::matmul(q, k.t()) / std::sqrt(12.0), -1);
    CHECK(largest_difference(engine.attention(0, head), expected) < kAttentionTolerance);
  }
}

TEST_CASE("the engine knows every key of BERT, and passes over those of training alone") {
  BertConfig bert;
  bert.mlm_transform = true;
  const nlohmann::json model = to_json(bert);
  infer::ModelConfig read;
  CHECK(infer::parse_config(model.dump(), {}, &read).ok());
  std::set<std::string> passed;
  for (const auto& [key, value] : model.items()) {
    nlohmann::json other = model;
    other[key] = nlohmann::json::array();  // what no key has
    const infer::Status status = infer::parse_config(other.dump(), {}, &read);
    if (status.ok())
      passed.insert(key);
    else
      CHECK_THAT(status.message(), Catch::Matchers::StartsWith("model." + key + ": found"));
  }
  CHECK(passed == std::set<std::string>{"attention_dropout", "attention_init", "dropout",
                                        "init_std", "nsp_bias", "pooler", "position_init",
                                        "weight_init"});
}

TEST_CASE("a trace holds what a shaped model computes in LibTorch") {
  const auto model = small_model({{"norm", "pre"},
                                  {"position", "relative"},
                                  {"local_layers", 1},
                                  {"conv", 3},
                                  {"ffn", "geglu"},
                                  {"head_gate", true}});
  Both both(model, random_weights(model, 8));
  infer::Engine& engine = both.engine;
  TorchModel& theirs = both.theirs;
  const int64_t length = 19, d = 48, heads = 4, f = 96;
  const auto ids = random_ids(length, 4);
  infer::Trace trace;
  REQUIRE(engine.trace(ids, &trace).ok());
  CHECK(trace.position_SE.empty());
  REQUIRE(trace.states_LSD.size() == 3 * length * d);
  REQUIRE(trace.units_LSF.size() == 2 * length * f);

  torch::NoGradGuard no_grad;
  auto p = theirs.bert->named_parameters();
  const auto no_padding = torch::zeros({1, length});
  // Returns the input of a sublayer of layer i for a state.
  const auto normed = [&](size_t state, const std::string& norm) {
    const auto x = torch::from_blob(trace.states_LSD.data() + state * length * d, {length, d});
    return torch::layer_norm(x, {d}, p[norm + ".weight"], p[norm + ".bias"],
                             theirs.config.layer_norm_eps);
  };
  const auto linear = [&](const torch::Tensor& x, const std::string& name) {
    return torch::linear(x, p[name + ".weight"], p[name + ".bias"]);
  };
  const auto value = linear(normed(0, "bert.layers.0.attention_norm"), "bert.layers.0.local.value");
  const auto conv = p["bert.layers.0.local.conv"];
  auto taps = torch::zeros({length, 7});
  for (int64_t s = 0; s < length; ++s)
    for (int64_t k = 0; k < 7; ++k)
      if (s + k >= 3 && s + k - 3 < length) taps[s][k] = (conv[k] * value[s + k - 3]).norm();
  CHECK(largest_difference(trace.taps_LSK, taps) < kTraceTolerance);

  const std::string attention = "bert.layers.1.attention";
  const auto x = normed(1, "bert.layers.1.attention_norm");
  const auto qkv = sequence_convolution(linear(x, attention + ".qkv").unsqueeze(0),
                                        p[attention + ".conv"], no_padding)[0];
  CHECK(largest_difference(trace.qkv_AS3D, qkv) < kTraceTolerance);
  const auto offsets = relative_offsets(p[attention + ".offsets"], length);
  CHECK(largest_difference(trace.offsets_AHO, offsets) == 0);
  const auto gates = torch::sigmoid(linear(x, attention + ".gate"));
  CHECK(largest_difference(trace.gates_ASH, gates) < kTraceTolerance);
  CHECK(engine.attention(0, 0).empty());
  for (int head = 0; head < heads; ++head) {
    const auto part = [&](int64_t kind) {
      return qkv.slice(1, kind * d + head * 12, kind * d + head * 12 + 12);
    };
    auto scores = torch::matmul(part(0), part(1).t()) / std::sqrt(12.0);
    for (int64_t from = 0; from < length; ++from)
      scores[from] += offsets[head].slice(0, length - 1 - from, 2 * length - 1 - from);
    CHECK(largest_difference(engine.attention(1, head), torch::softmax(scores, -1)) <
          kTraceTolerance);
  }
}
