// Which heads a folder in Hugging Face's form has: its weights say it, whatever its config.json names; tied and untied
// output layers; weights in several files.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "checkpoint/spoiled_folder.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;

enum class ElectraHead { generator, discriminator, both, none };

// Makes the sample an ELECTRA of another kind than its config.json, which names no class, would say.
void make_electra(const Spoiled& sample, ElectraHead head) {
  sample.config("model_type", "electra");
  sample.config("architectures", nullptr);
  const bool generator = head == ElectraHead::generator || head == ElectraHead::both;
  const bool discriminator = head == ElectraHead::discriminator || head == ElectraHead::both;
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
    if (!discriminator) return;
    const std::vector<float> values(24 * 24);
    tensors.push_back({"discriminator_predictions.dense.weight", {24, 24}, values});
    tensors.push_back({"discriminator_predictions.dense_prediction.bias", {1}, {0}});
  });
}

const std::vector<float>& named_values(Checkpoint& checkpoint, const std::string& name) {
  return named(checkpoint.weights, name).values;
}

std::string told_weights(const Checkpoint& checkpoint) {
  return checkpoint.told.at("weights").get<std::string>();
}

}  // namespace

TEST_CASE(
    "an ELECTRA is the generator or the discriminator that its weights say, whatever class is "
    "named") {
  const json wrong = json::array({"ElectraForPreTraining"}),
             right = json::array({"ElectraForMaskedLM"});
  SECTION("a generator") {
    const Spoiled sample;
    Checkpoint before = import_huggingface(sample.folder);
    make_electra(sample, ElectraHead::generator);
    for (const json& named : {json(), right, wrong}) {
      sample.config("architectures", named);
      Checkpoint generator = import_huggingface(sample.folder);
      CHECK(generator.architecture == "ElectraForMaskedLM");
      CHECK(generator.masked_lm);
      CHECK(told_weights(generator) ==
            std::string("of an ELECTRA generator") +
                (named == wrong ? "; config.json names ElectraForPreTraining" : ""));
      for (const char* name : {"mlm.transform.weight", "mlm.norm.bias", "mlm.bias"})
        CHECK(named_values(generator, name) == named_values(before, name));
    }
  }
  SECTION("a discriminator") {
    const Spoiled sample;
    make_electra(sample, ElectraHead::discriminator);
    for (const json& named : {json(), right, wrong}) {
      sample.config("architectures", named);
      const Checkpoint discriminator = import_huggingface(sample.folder);
      CHECK(discriminator.architecture == "ElectraModel");
      CHECK_FALSE(discriminator.masked_lm);
      CHECK(told_weights(discriminator) ==
            std::string("of an ELECTRA discriminator, which guesses no pieces") +
                (named == right ? "; config.json names ElectraForMaskedLM" : ""));
      CHECK(discriminator.told.at("heads_left_out") ==
            "discriminator_predictions.dense.weight, "
            "discriminator_predictions.dense_prediction.bias");
    }
  }
  SECTION("neither") {
    const Spoiled sample;
    make_electra(sample, ElectraHead::none);
    const Checkpoint encoder = import_huggingface(sample.folder);
    CHECK_FALSE(encoder.masked_lm);
    CHECK(told_weights(encoder) == "of an ELECTRA's encoder, a generator's or a discriminator's");
  }
}

TEST_CASE("the activation of an ELECTRA is looked at for the head that the weights have") {
  for (const char* named : {"", "ElectraForPreTraining", "ElectraForMaskedLM"}) {
    CAPTURE(named);
    const json architectures = *named == 0 ? json() : json::array({named});
    const Spoiled generator, discriminator;
    make_electra(generator, ElectraHead::generator);
    make_electra(discriminator, ElectraHead::discriminator);
    for (const Spoiled* sample : {&generator, &discriminator}) {
      sample->config("architectures", architectures);
      sample->config("hidden_act", "relu");
    }
    CHECK(generator.refusal() == generator.file("config.json") +
                                     ": hidden_act: found \"relu\", expected \"gelu\", all that "
                                     "ELECTRA's generator head has");
    CHECK(discriminator.refusal() == "(no error)");
  }
}

TEST_CASE("an ELECTRA with both heads, or half of one, is refused") {
  const Spoiled both, half;
  make_electra(both, ElectraHead::both);
  CHECK(both.refusal() ==
        both.file("model.safetensors") +
            ": found the heads generator_predictions and discriminator_predictions, expected one, "
            "as the encoder is of one model");
  make_electra(half, ElectraHead::generator);
  half.weights([](std::vector<NamedTensor>& tensors) {
    std::erase_if(tensors, [](const NamedTensor& tensor) {
      return tensor.name.starts_with("generator_predictions.dense.");
    });
  });
  CHECK(half.refusal() == half.file("model.safetensors") +
                              ": lacks generator_predictions.dense.weight, "
                              "generator_predictions.dense.bias, expected by config.json");
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

TEST_CASE("weights in several files that an index names are those of one file") {
  const Spoiled sample;
  const std::string whole = weights_sha256(import_huggingface(sample.folder).weights);
  const SafetensorsFile stored(sample.file("model.safetensors"));
  std::vector<NamedTensor> parts[2];
  json index = {{"metadata", {{"total_size", 1}}}, {"weight_map", json::object()}};
  const std::string names[] = {"model-00001-of-00002.safetensors",
                               "model-00002-of-00002.safetensors"};
  for (const auto& [name, entry] : stored.tensors()) {
    const size_t part = index["weight_map"].size() % 2;
    parts[part].push_back(stored.read(name));
    index["weight_map"][name] = names[part];
  }
  for (const size_t part : {0, 1}) write_safetensors(sample.file(names[part]), parts[part]);
  std::filesystem::remove(sample.file("model.safetensors"));
  write_bytes(sample.file("model.safetensors.index.json"), index.dump());
  const Checkpoint back = import_huggingface(sample.folder);
  CHECK(weights_sha256(back.weights) == whole);
  CHECK(std::ranges::count(back.files, sample.file(names[1])) == 1);
  std::filesystem::remove(sample.file(names[1]));
  CHECK_THAT(sample.refusal(), Catch::StartsWith(sample.file(names[1]) + ": "));
}

}  // namespace minibert
