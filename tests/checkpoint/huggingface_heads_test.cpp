// Which heads a folder in Hugging Face's form has: its weights say it, whatever its config.json names; tied and untied
// output layers.
#include <algorithm>
#include <catch2/catch.hpp>

#include "checkpoint/spoiled_folder.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;

enum class ElectraHead { generator, discriminator };

// Makes the sample an ELECTRA, whose config.json names BERT's class.
void make_electra(const Spoiled& sample, ElectraHead head) {
  sample.config("model_type", "electra");
  const bool generator = head == ElectraHead::generator;
  sample.weights([&](std::vector<NamedTensor>& tensors) {
    const std::pair<std::string, std::string> beginnings[] = {
        {"bert.", "electra."},
        {"cls.predictions.transform.", "generator_predictions."},
        {"cls.predictions.bias", "generator_lm_head.bias"}};
    std::erase_if(tensors, [&](const NamedTensor& tensor) {
      return tensor.name.starts_with("bert.pooler.") ||
             tensor.name.starts_with("cls.seq_relationship.") ||
             tensor.name.starts_with("cls.predictions.decoder.") ||
             (!generator && tensor.name.starts_with("cls."));
    });
    for (NamedTensor& tensor : tensors)
      for (const auto& [old, now] : beginnings)
        if (tensor.name.starts_with(old)) tensor.name.replace(0, old.size(), now);
    if (generator) return;
    const std::vector<float> values(24 * 24);
    tensors.push_back({"discriminator_predictions.dense.weight", {24, 24}, values});
    tensors.push_back({"discriminator_predictions.dense_prediction.bias", {1}, {0}});
  });
}

const std::vector<float>& named_values(Checkpoint& checkpoint, const std::string& name) {
  return named(checkpoint.weights, name).values;
}

}  // namespace

TEST_CASE("an ELECTRA is the generator or the discriminator that its weights say") {
  const Spoiled sample;
  Checkpoint before = import_huggingface(sample.folder);
  make_electra(sample, ElectraHead::generator);
  Checkpoint generator = import_huggingface(sample.folder);
  CHECK(generator.architecture == "ElectraForMaskedLM");
  CHECK(generator.masked_lm);
  for (const char* name : {"mlm.transform.weight", "mlm.norm.bias", "mlm.bias"})
    CHECK(named_values(generator, name) == named_values(before, name));
  sample.config("hidden_act", "relu");
  CHECK(sample.refusal() == sample.file("config.json") +
                                ": hidden_act: found \"relu\", expected \"gelu\", all that "
                                "ELECTRA's generator head has");
  const Spoiled other;
  make_electra(other, ElectraHead::discriminator);
  const Checkpoint discriminator = import_huggingface(other.folder);
  CHECK(discriminator.architecture == "ElectraModel");
  CHECK_FALSE(discriminator.masked_lm);
  CHECK(discriminator.told.at("heads_left_out") ==
        "discriminator_predictions.dense.weight, discriminator_predictions.dense_prediction.bias");
  other.config("hidden_act", "relu");
  CHECK(other.refusal() == "(no error)");
}

TEST_CASE("an ELECTRA with half of a head is refused") {
  const Spoiled half;
  make_electra(half, ElectraHead::generator);
  half.weights([](std::vector<NamedTensor>& tensors) {
    std::erase_if(tensors, [](const NamedTensor& tensor) {
      return tensor.name.starts_with("generator_predictions.dense.");
    });
  });
  CHECK_THAT(half.refusal(), Contains("found generator_lm_head.bias, "
                                      "generator_predictions.LayerNorm.bias, "
                                      "generator_predictions.LayerNorm.weight, expected no"));
}

TEST_CASE("an output layer that is untied has its own weight and the bias that it adds") {
  const Spoiled sample;
  sample.config("tie_word_embeddings", false);
  CHECK(sample.refusal() == sample.file("model.safetensors") +
                                ": lacks cls.predictions.decoder.weight, expected by config.json");
  std::vector<float> weight, bias;
  sample.weights([&](std::vector<NamedTensor>& tensors) {
    tensors.push_back(named(tensors, "bert.embeddings.word_embeddings.weight"));
    tensors.back().name = "cls.predictions.decoder.weight";
    tensors.back().values[5] += 1;
    weight = tensors.back().values;
    // Untied, newer transformers does not train the other bias, which no sum has.
    std::ranges::fill(named(tensors, "cls.predictions.bias").values, 0.0F);
    bias = named(tensors, "cls.predictions.decoder.bias").values;
  });
  Checkpoint untied = import_huggingface(sample.folder);
  CHECK_FALSE(untied.model.mlm_tied);
  CHECK(named_values(untied, "mlm.decoder.weight") == weight);
  CHECK(named_values(untied, "mlm.bias") == bias);
  sample.config("tie_word_embeddings", true);
  CHECK_THAT(sample.refusal(),
             Contains("differs from cls.predictions.bias, expected the same bias"));
}

}  // namespace minibert
