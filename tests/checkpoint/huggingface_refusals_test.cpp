// Every way in which a folder in Hugging Face's form is refused, and a record that has no such form.
#include <catch2/catch.hpp>
#include <filesystem>

#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/spoiled_folder.h"
#include "text/byte_words.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;
namespace fs = std::filesystem;

// RoBERTa's tokenizer.json, with a piece a byte and no merges.
json roberta_tokenizer() {
  json vocabulary = {{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}, {"<mask>", 4}};
  for (const uint8_t byte : byte_symbols())
    vocabulary[byte_letters(std::string(1, static_cast<char>(byte)))] = vocabulary.size();
  return {{"added_tokens", {{{"id", 0}, {"content", "<s>"}}}},
          {"normalizer", nullptr},
          {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
          {"decoder", {{"type", "ByteLevel"}}},
          {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", json::array()}}}};
}

}  // namespace

TEST_CASE("RoBERTa's bytes are read as its tokenizer.json says, or refused by key") {
  const Scratch scratch;
  const auto read = [&](const json& tokenizer) {
    write_bytes(scratch / "tokenizer.json", tokenizer.dump());
    return read_huggingface_tokenizer(scratch.path());
  };
  CHECK(read(roberta_tokenizer()).rows.size() == 256 + 7);
  CHECK(read(roberta_tokenizer()).added_left_out.empty());
  json added = roberta_tokenizer();
  added["added_tokens"].push_back({{"id", 261}, {"content", "<이름>"}});
  CHECK(read(added).added_left_out == std::vector<std::string>{"<이름>"});
  const std::pair<json::json_pointer, json> cases[] = {
      {json::json_pointer("/normalizer"), {{"type", "NFKC"}}},
      {json::json_pointer("/pre_tokenizer"), nullptr},
      {json::json_pointer("/pre_tokenizer/use_regex"), false},
      {json::json_pointer("/model/ignore_merges"), true},
      {json::json_pointer("/model/byte_fallback"), true}};
  for (const auto& [key, value] : cases) {
    CAPTURE(key.to_string());
    json other = roberta_tokenizer();
    other[key] = value;
    const std::string message = message_of([&] { read(other); });
    CHECK_THAT(message, Contains("tokenizer.json: " + key.to_string().substr(1, 5)));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("a configuration that our BERT cannot compute is refused by file, key and value") {
  const struct {
    const char* key;
    json value;
    const char* expected;
  } cases[] = {
      {"model_type", "xlnet", "found \"xlnet\", expected"},
      {"model_type", nullptr, "model_type"},
      {"hidden_act", "silu", "found \"silu\", expected"},
      {"position_embedding_type", "relative_key", "relative_key"},
      {"is_decoder", true, "found true, expected false"},
      {"num_attention_heads", 5, "found 5, expected a divisor of hidden_size 24"},
      {"hidden_size", "wide", "\"wide\""},
      {"num_hidden_layers", nullptr, "num_hidden_layers"},
      {"type_vocab_size", 0, "found 0"},
      {"vocab_size", 119547, "found 119547"},
      {"sentence_task", "both", "found \"both\""},
  };
  for (const auto& one : cases) {
    const Spoiled sample;
    sample.config(one.key, one.value);
    const std::string message = sample.refusal();
    CAPTURE(message);
    CHECK_THAT(message, Catch::StartsWith(sample.file("config.json") + ": ") && Contains(one.key) &&
                            Contains(one.expected));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("tensors that are missing, left over or of another shape are named") {
  const Spoiled sample;
  const std::string at = sample.file("model.safetensors") + ": ";
  const auto with = [&](const auto& change) {
    const Spoiled fresh;
    fresh.weights(change);
    std::string message = fresh.refusal();
    const std::string place = fresh.file("model.safetensors") + ": ";
    REQUIRE_THAT(message, Catch::StartsWith(place));
    return message.substr(place.size());
  };
  const std::string query = "bert.encoder.layer.1.attention.self.query.weight";
  CHECK(with([&](auto& tensors) {
          std::erase_if(tensors, [&](auto& t) { return t.name == query; });
        }) == "lacks " + query + ", expected by config.json");
  CHECK_THAT(with([&](auto& tensors) {
               std::erase_if(tensors,
                             [&](auto& t) { return t.name.find("layer.0.") != std::string::npos; });
             }),
             Contains(" and 11 more, expected by config.json"));
  CHECK_THAT(with([&](auto& tensors) {
               tensors.push_back({"cls.other.bias", {2}, {0, 0}});
             }),
             Catch::StartsWith("found cls.other.bias, expected no tensors but"));
  CHECK(with([&](auto& tensors) {
          named(tensors, query).shape = {12, 48};
        }) == "tensor " + query + ": found shape [12,48], expected [24,24] of config.json");
  CHECK_THAT(with([&](auto& tensors) {
               tensors.push_back(named(tensors, "bert.embeddings.word_embeddings.weight"));
               tensors.back().name = "cls.predictions.decoder.weight";
               tensors.back().values[5] += 1;
             }),
             Contains("cls.predictions.decoder.weight: differs from "
                      "bert.embeddings.word_embeddings.weight, expected the same with "
                      "tie_word_embeddings"));
  CHECK_THAT(with([&](auto& tensors) {
               tensors.push_back(named(tensors, "bert.embeddings.LayerNorm.weight"));
               tensors.back().name = "bert.embeddings.LayerNorm.gamma";
             }),
             Contains("found it under two names"));
  sample.config("vocab_size", 8000);
  CHECK(sample.refusal() == sample.file("spiece.model") +
                                ": found 8007 pieces, expected 8000 as vocab_size of config.json "
                                "says");
}

TEST_CASE("weights in other files and folders without a part are refused with what to do") {
  for (const char* other : {"pytorch_model.bin", "pytorch_model.bin.index.json"}) {
    const Spoiled sample;
    fs::remove(sample.file("model.safetensors"));
    write_bytes(sample.file(other), "");
    CHECK_THAT(
        sample.refusal(),
        Catch::StartsWith(sample.file(other) +
                          ": found these weights, expected model.safetensors; this makes it: "
                          "python3 -c ") &&
            Contains(sample.folder));
  }
  const Spoiled outside;
  fs::remove(outside.file("model.safetensors"));
  write_bytes(outside.file("model.safetensors.index.json"),
              R"({"weight_map": {"a": "../model.safetensors"}})");
  CHECK(outside.refusal() ==
        outside.file("model.safetensors.index.json") + ": weight_map: a: expected a file's name");
  const Spoiled none;
  fs::remove(none.file("model.safetensors"));
  CHECK(none.refusal() == none.file("model.safetensors") + ": no such file");
  const Spoiled unspoken;
  fs::remove(unspoken.file("spiece.model"));
  fs::remove(unspoken.file("tokenizer.json"));
  CHECK(unspoken.refusal() ==
        unspoken.folder +
            ": has none of vocab.txt, spiece.model and tokenizer.json, expected a vocabulary");
  const Spoiled unsaid;
  fs::remove(unsaid.file("config.json"));
  CHECK_THAT(unsaid.refusal(), Catch::StartsWith(unsaid.file("config.json") + ": "));
  CHECK(message_of([] { import_huggingface("no/such"); }) == "no/such: no such folder");
}

TEST_CASE("what no folder can be made of is refused by file and key") {
  const Scratch scratch;
  write_bytes(scratch / "file", "");
  const Checkpoint plain = random_checkpoint(small_config(), SentenceTask::none);
  CHECK(message_of([&] { export_to(scratch.path(), plain); }) ==
        scratch.path() + ": found something there, expected a new or an empty folder");
  RunRecord record = record_of(plain);
  record.weights.pop_back();
  CHECK_THAT(message_of([&] { export_huggingface(record, "a.h5", scratch / "hf"); }),
             Contains("is missing, expected by the model"));
  record.config["task"] = "korquad";
  CHECK(message_of([&] { export_huggingface(record, "a.h5", scratch / "hf"); }) ==
        "a.h5: /weights/qa.weight: is missing, expected by the model");
  record.config["model"]["kind"] = "lstm";
  CHECK(message_of([&] { export_huggingface(record, "a.h5", scratch / "hf"); }) ==
        "a.h5: model.kind: found \"lstm\", expected \"bert\"");
}

}  // namespace minibert
