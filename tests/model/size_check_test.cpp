// How many numbers an encoder has, told without making it, so that a file that asks for too many is refused.
#include "model/size_check.h"

#include <catch2/catch.hpp>

#include "model/encoder.h"
#include "model/model_config.h"
#include "support/message.h"

namespace minibert {
namespace {

BertConfig small_config() {
  BertConfig config;
  config.vocab_size = 100;
  config.d_model = config.embedding_size = 24;
  config.n_heads = 3, config.d_ff = 40, config.n_layers = 2, config.max_positions = 32;
  return config;
}

int64_t made_numbers(const ModelConfig& config) {
  int64_t count = 0;
  for (const torch::Tensor& one : config.make()->parameters()) count += one.numel();
  return count;
}

}  // namespace

TEST_CASE("how many numbers an encoder is, is told without making it") {
  BertConfig unusual = small_config();
  unusual.norm = "pre", unusual.position = "relative", unusual.ffn = "geglu";
  unusual.embedding_size = 16, unusual.local_layers = 1, unusual.conv = 3, unusual.n_layers = 3;
  unusual.head_gate = true, unusual.share_layers = true, unusual.mlm_context = 4;
  unusual.activation = "gelu_tanh", unusual.segments = 3;
  BertConfig gates = unusual;
  gates.share_layers = false;
  for (const BertConfig& config : {small_config(), unusual, gates}) {
    CAPTURE(to_json(config).dump());
    CHECK(encoder_numbers(config) == made_numbers(ModelConfig(config)));
  }
  const LstmConfig lstm{.vocab_size = 20, .d_model = 6, .segments = 3};
  CHECK(encoder_numbers(lstm) == made_numbers(ModelConfig(lstm)));
  const BagConfig bag{.vocab_size = 20, .d_model = 6};
  CHECK(encoder_numbers(bag) == made_numbers(ModelConfig(bag)));
}

TEST_CASE("a configuration that asks for far more than its weights is refused before it is built") {
  const std::vector<NamedTensor> few = {{"a", {2}, {1, 2}}};
  CHECK(testing::message_of([&] { check_size(small_config(), few, "a.h5"); }) == "(no error)");
  BertConfig large = small_config();
  large.n_layers = 96, large.d_ff = 65536;
  CHECK(testing::message_of([&] { check_size(large, few, "a.h5"); }) ==
        "a.h5: /weights: found 2 numbers, expected the " + std::to_string(encoder_numbers(large)) +
            " of the encoder that its configuration names");
}

}  // namespace minibert
