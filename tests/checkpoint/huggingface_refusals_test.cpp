// Every way in which a folder in Hugging Face's form is refused, and a record that has no such form.
#include <catch2/catch.hpp>
#include <filesystem>

#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/spoiled_folder.h"
#include "support/shell.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;
namespace fs = std::filesystem;

}  // namespace

TEST_CASE("JSON that is no tokenizer's is refused by file and key") {
  WordPieceFile file;
  file.pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"};
  const json tokenizer = json::parse(to_wordpiece_json(file));
  const auto refusal = [&](const std::string& name, const std::string& bytes) {
    const Scratch scratch;
    write_bytes(scratch / "tokenizer.json", tokenizer.dump());
    write_bytes(scratch / name, bytes);
    const std::string message = message_of([&] { read_huggingface_tokenizer(scratch.path()); });
    REQUIRE_THAT(message, Catch::StartsWith(scratch / name + ": "));
    return message.substr((scratch / name).size() + 2);
  };
  const auto with = [&](const char* key, const json& value) {
    json other = tokenizer;
    other[json::json_pointer(key)] = value;
    return refusal("tokenizer.json", other.dump());
  };
  CHECK_THAT(with("/model", json::array({1})), Catch::StartsWith("model.type: found "));
  CHECK_THAT(with("/model/type", "BPE"), Catch::StartsWith("model.type: found \"BPE\""));
  CHECK_THAT(with("/added_tokens", json::array({5})), Catch::StartsWith("added_tokens: found 5"));
  CHECK_THAT(refusal("tokenizer.json", R"({"model": )"), Catch::StartsWith("not valid JSON"));
  CHECK(refusal("tokenizer_config.json", "[]") == "found array, expected an object");
  CHECK(refusal("tokenizer_config.json", R"({"added_tokens_decoder": {"6": {"content": 5}}})") ==
        "added_tokens_decoder.6: found 5, expected a piece's text");
  CHECK(refusal("tokenizer_config.json", R"({"added_tokens_decoder": [{"content": "x"}]})") ==
        "added_tokens_decoder: found array, expected an object");
  CHECK(refusal("tokenizer_config.json", R"({"do_lower_case": "no"})") ==
        "do_lower_case: found \"no\", expected true or false");
  CHECK(refusal("added_tokens.json", R"(["x"])") == "found array, expected an object");
}

TEST_CASE("what Git LFS keeps in the place of a file is told as such") {
  for (const char* name : {"model.safetensors", "spiece.model"}) {
    const Spoiled sample;
    write_bytes(sample.file(name),
                "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n");
    CHECK(sample.refusal() == sample.file(name) +
                                  ": found a pointer of Git LFS, expected the file that it stands "
                                  "for, which `git lfs pull` in its folder gets");
  }
}

TEST_CASE("an added piece that a SentencePiece model lacks is refused") {
  const Spoiled sample;
  CHECK(sample.refusal() == "(no error)");
  const std::string expected =
      ": found the piece \"<이름>\", expected only special pieces of the vocabulary";
  // transformers lists it in tokenizer.json, its settings or both.
  const json whole = read_json(sample.file("tokenizer.json"));
  json tokenizer = whole;
  tokenizer["added_tokens"].push_back({{"id", 8007}, {"content", "<이름>"}});
  write_bytes(sample.file("tokenizer.json"), tokenizer.dump());
  CHECK(sample.refusal() == sample.file("tokenizer.json") + ": added_tokens" + expected);
  write_bytes(sample.file("tokenizer.json"), whole.dump());
  const json added = {{"6", {{"content", "[MASK]"}}}, {"8007", {{"content", "<이름>"}}}};
  write_bytes(sample.file("tokenizer_config.json"), json{{"added_tokens_decoder", added}}.dump());
  CHECK(sample.refusal() ==
        sample.file("tokenizer_config.json") + ": added_tokens_decoder.8007" + expected);
}

TEST_CASE("pieces of WordPiece with ends of lines in them stay what they are") {
  WordPieceFile file;
  file.pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "A", "\n", "b\r"};
  file.treatment = stored_treatment(file.pieces);
  const Scratch scratch;
  write_bytes(scratch / "tokenizer.json", to_wordpiece_json(file));
  const FolderTokenizer read = read_huggingface_tokenizer(scratch.path());
  const Tokenizer tokenizer = Tokenizer::from_bytes(read.bytes);
  REQUIRE(tokenizer.size() == 8);
  for (int32_t id = 0; id < 8; ++id)
    CHECK(tokenizer.piece(id) == file.pieces[static_cast<size_t>(id)]);
  // No vocab.txt goes out, which could not tell them.
  for (const auto& [name, bytes] : huggingface_tokenizer_files(tokenizer, 32, "x"))
    CHECK(name != "vocab.txt");
}

TEST_CASE("a key of null, and an activation that is missing, is what transformers takes for it") {
  const auto config_of = [](const char* family, const json& more) {
    json config = {
        {"model_type", family},          {"vocab_size", 100},      {"hidden_size", 24},
        {"num_attention_heads", 3},      {"num_hidden_layers", 2}, {"intermediate_size", 40},
        {"max_position_embeddings", 32}, {"embedding_size", 8}};
    config.update(more);
    return config;
  };
  const auto read = [&](const char* family, const json& more) {
    return read_huggingface_config("config.json", config_of(family, more)).config;
  };
  const BertConfig plain = read("bert", json::object());
  CHECK(plain.activation == "gelu");
  CHECK(read("roberta", json::object()).activation == "gelu");
  const BertConfig nulls = read("bert", {{"position_embedding_type", nullptr},
                                         {"is_decoder", nullptr},
                                         {"add_cross_attention", nullptr},
                                         {"tie_word_embeddings", nullptr},
                                         {"layer_norm_eps", nullptr},
                                         {"hidden_act", nullptr}});
  CHECK(to_json(nulls) == to_json(plain));
  CHECK_THAT(message_of([&] {
               read("bert", {{"hidden_size", nullptr}});
             }),
             Contains("config.json: hidden_size: is missing"));
  // RoBERTa's positions stand behind padding's, and some are left.
  CHECK(read("roberta", {{"max_position_embeddings", 10}}).max_positions == 8);
  CHECK(message_of([&] {
          read("roberta", {{"max_position_embeddings", 8}, {"pad_token_id", 8}});
        }) ==
        "config.json: max_position_embeddings: found 8, expected at least 17 with this "
        "pad_token_id");
  // Two heads compute gelu, whatever the layers do; an encoder without one may have any activation.
  const auto head_refusal = [&](const char* family, const char* activation) {
    const json config = config_of(family, {{"hidden_act", activation}});
    return message_of([&] {
      check_masked_lm_activation("config.json", config,
                                 read_huggingface_config("config.json", config));
    });
  };
  const std::string expected =
      "config.json: hidden_act: found \"relu\", expected \"gelu\", all that ";
  CHECK(read("electra", {{"hidden_act", "relu"}}).activation == "relu");
  CHECK(head_refusal("electra", "relu") == expected + "ELECTRA's generator head has");
  CHECK(head_refusal("roberta", "relu") == expected + "RoBERTa's masked-LM head has");
  for (const auto& [family, activation] :
       {std::pair("electra", "gelu"), {"roberta", "gelu"}, {"bert", "relu"}})
    CHECK(head_refusal(family, activation) == "(no error)");
}

TEST_CASE("a configuration that our BERT cannot compute is refused by file, key and value") {
  const struct {
    const char* key;
    json value;
    const char* expected;
  } cases[] = {
      {"model_type", "albert",
       "found \"albert\", expected one of: bert, electra, roberta, distilbert"},
      {"model_type", "minibert", "found \"minibert\", expected"},
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
  const Spoiled several;
  fs::rename(several.file("model.safetensors"), several.file("model.safetensors.index.json"));
  CHECK(several.refusal() == several.file("model.safetensors.index.json") +
                                 ": found these weights, expected model.safetensors");
  const Spoiled none;
  fs::remove(none.file("model.safetensors"));
  CHECK(none.refusal() == none.file("model.safetensors") + ": no such file");
  const Spoiled unspoken;
  fs::remove(unspoken.file("spiece.model"));
  fs::remove(unspoken.file("tokenizer.json"));
  CHECK(unspoken.refusal() ==
        unspoken.folder +
            ": has none of vocab.txt, tokenizer.json and spiece.model, expected a vocabulary");
  const Spoiled unsaid;
  fs::remove(unsaid.file("config.json"));
  CHECK_THAT(unsaid.refusal(), Catch::StartsWith(unsaid.file("config.json") + ": "));
  CHECK(message_of([] { import_huggingface("no/such"); }) == "no/such: no such folder");
}

TEST_CASE("the command that converts weights holds on with any name of their folder") {
  const Spoiled sample;
  const std::string folder = sample.scratch / "it's $HOME [1]";
  fs::rename(sample.folder, folder);
  fs::rename(folder + "/model.safetensors", folder + "/pytorch_model.bin");
  const std::string message = message_of([&] { import_huggingface(folder); });
  const std::string command = message.substr(message.find("python3 -c "));
  // In the place of Python, tells the folder that it is given.
  sample.scratch.script("bin/python3", "printf '%s' \"$3\"");
  const std::string path = "export PATH=" + single_quoted(sample.scratch / "bin") + ":\"$PATH\"; ";
  CHECK(shell(path + command).output == folder);
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
