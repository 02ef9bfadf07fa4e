// Every way in which a folder in Hugging Face's form is refused, and a record that has no such form.
#include <catch2/catch.hpp>
#include <filesystem>

#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/spoiled_folder.h"
#include "support/shell.h"
#include "text/byte_words.h"
#include "text/wordpiece_file.h"

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

TEST_CASE(
    "a space goes before a text of RoBERTa's bytes where its settings say so, else "
    "tokenizer.json") {
  const auto read = [](bool of_file, const json& settings) {
    const Scratch scratch;
    json tokenizer = roberta_tokenizer();
    tokenizer["pre_tokenizer"]["add_prefix_space"] = of_file;
    // Of the post-processor it moves the bounds of pieces alone.
    tokenizer["post_processor"] = {{"type", "RobertaProcessing"}, {"add_prefix_space", !of_file}};
    write_bytes(scratch / "tokenizer.json", tokenizer.dump());
    write_bytes(scratch / "tokenizer_config.json", settings.dump());
    const FolderTokenizer made = read_huggingface_tokenizer(scratch.path());
    const bool space = Tokenizer::from_bytes(made.bytes).encode("a").size() == 2;
    return (space ? "Ġa: " : "a: ") + made.treatment;
  };
  const std::string with = "Ġa: a space put before a text, none behind a special piece ";
  const std::string without = "a: no space put before a text ";
  const json asked = {{"add_prefix_space", true}}, none = json::object();
  CHECK(read(true, none) == with + "(as tokenizer.json)");
  CHECK(read(false, none) == without + "(as tokenizer.json)");
  CHECK(read(true, asked) == with + "(as tokenizer.json)");
  CHECK(read(false, asked) == with + "(tokenizer_config.json, not as tokenizer.json)");
  CHECK(read(true, {{"add_prefix_space", false}, {"tokenizer_class", "GPT2TokenizerFast"}}) ==
        without + "(tokenizer_config.json, not as tokenizer.json)");
  // With another class versions of transformers differ.
  json fast = {{"add_prefix_space", true}, {"tokenizer_class", "PreTrainedTokenizerFast"}};
  CHECK(read(true, fast) == with + "(as tokenizer.json)");
  const std::string message = message_of([&] { read(false, fast); });
  CHECK_THAT(message, Contains("tokenizer_config.json: add_prefix_space: found true, expected "
                               "false as in tokenizer.json"));
  CHECK(message.find('\n') == std::string::npos);
  fast["add_prefix_space"] = "yes";
  CHECK_THAT(message_of([&] { read(false, fast); }),
             Contains("add_prefix_space: found \"yes\", expected true or false"));
}

TEST_CASE("flags of RoBERTa's special pieces that would make other pieces here are refused") {
  const auto refusal = [](const char* piece, const json& flags) {
    const Scratch scratch;
    json tokenizer = roberta_tokenizer();
    json token = {{"id", tokenizer["model"]["vocab"][piece]}, {"content", piece}};
    token.update(flags);
    tokenizer["added_tokens"] = json::array({token});
    write_bytes(scratch / "tokenizer.json", tokenizer.dump());
    const std::string message = message_of([&] { read_huggingface_tokenizer(scratch.path()); });
    const std::string place = scratch / "tokenizer.json: added_tokens: \"" + piece + "\": ";
    return message.starts_with(place) ? message.substr(place.size()) : message;
  };
  CHECK(refusal("<mask>", {{"lstrip", true}, {"rstrip", false}, {"normalized", true}}) ==
        "(no error)");
  CHECK(refusal("<s>", {{"lstrip", false}, {"special", true}}) == "(no error)");
  CHECK(refusal("<mask>", {{"lstrip", false}}) == "(no error)");
  CHECK(refusal("</s>", {{"lstrip", true}}) ==
        "lstrip: found true, expected false, as the space before it stays here");
  CHECK(refusal("<mask>", {{"rstrip", true}}) ==
        "rstrip: found true, expected false, as the space behind a special piece stays here");
  CHECK(refusal("<pad>", {{"single_word", true}}) ==
        "single_word: found true, expected false, as pieces are found inside words here");
  CHECK(refusal("<mask>", {{"lstrip", 1}}) == "lstrip: found 1, expected true or false");
}

TEST_CASE("it is told where transformers keeps the space before RoBERTa's mask, which goes here") {
  const auto told = [](bool lstrip) {
    const Scratch scratch;
    json tokenizer = roberta_tokenizer();
    tokenizer["added_tokens"] = {
        {{"id", tokenizer["model"]["vocab"]["<mask>"]}, {"content", "<mask>"}, {"lstrip", lstrip}}};
    write_bytes(scratch / "tokenizer.json", tokenizer.dump());
    return read_huggingface_tokenizer(scratch.path()).treatment;
  };
  CHECK_THAT(told(false), Contains("; the space before a mask left out, which transformers keeps"));
  CHECK_THAT(told(true), !Contains("mask left out"));
}

TEST_CASE("settings that name another of RoBERTa's pieces as a special one are refused") {
  const Scratch scratch;
  write_bytes(scratch / "tokenizer.json", roberta_tokenizer().dump());
  const auto refusal = [&](const json& settings) {
    write_bytes(scratch / "tokenizer_config.json", settings.dump());
    return message_of([&] { read_huggingface_tokenizer(scratch.path()); });
  };
  CHECK(refusal({{"cls_token", "<s>"}, {"sep_token", {{"content", "</s>"}}}}) == "(no error)");
  CHECK(refusal({{"mask_token", {{"content", "<pad>"}}}}) ==
        scratch / "tokenizer_config.json: mask_token: found \"<pad>\", expected \"<mask>\"");
  CHECK(refusal({{"mask_token", 4}}) ==
        scratch / "tokenizer_config.json: mask_token: found 4, expected a text");
}

TEST_CASE("ids of RoBERTa's pieces that no table has are refused before a weight is read") {
  const Scratch scratch;
  const auto refusal = [&](const char* piece, const json& id) {
    json other = roberta_tokenizer();
    other["model"]["vocab"][piece] = id;
    write_bytes(scratch / "tokenizer.json", other.dump());
    return message_of([&] { read_huggingface_tokenizer(scratch.path()); });
  };
  const auto expected = [&](const std::string& found) {
    return scratch / "tokenizer.json: " + found + ", expected an id below 65535";
  };
  CHECK(refusal("a", 65534) == "(no error)");
  CHECK(refusal("<s>", -100000000) == expected("\"<s>\": found -100000000"));
  CHECK(refusal("a", -1) == expected("\"a\": found -1"));
  CHECK(refusal("a", 65535) == expected("\"a\": found 65535"));
  CHECK(refusal("a", UINT64_MAX) == expected("\"a\": found 18446744073709551615"));
  CHECK(refusal("a", "1") == expected("\"a\": found \"1\""));
  const json taken = roberta_tokenizer()["model"]["vocab"]["b"];
  CHECK(refusal("a", taken) ==
        scratch / "tokenizer.json: the id " + taken.dump() + " is of \"a\" and of \"b\"");
}

TEST_CASE("RoBERTa's merges.txt is read with either end of a line, and its faults have its name") {
  const Scratch scratch;
  json vocabulary = roberta_tokenizer()["model"]["vocab"];
  const size_t next = vocabulary.size();
  vocabulary["ab"] = next;
  write_bytes(scratch / "vocab.json", vocabulary.dump());
  const auto read = [&](const std::string& merges) {
    write_bytes(scratch / "merges.txt", merges);
    return read_huggingface_tokenizer(scratch.path());
  };
  const FolderTokenizer plain = read("#version: 0.2\na b\n");
  CHECK(plain.rows.size() == 256 + 7 + 1);
  CHECK(read("#version: 0.2\r\na b\r\n").bytes == plain.bytes);
  CHECK(plain.treatment == "no space put before a text (as RoBERTa's)");
  write_bytes(scratch / "tokenizer_config.json", R"({"add_prefix_space": true})");
  CHECK(read("a b\n").treatment ==
        "a space put before a text, none behind a special piece (tokenizer_config.json)");
  const auto refusal = [&](const std::string& merges) { return message_of([&] { read(merges); }); };
  CHECK(refusal("a bb\n") == scratch / "merges.txt: \"a bb\": the vocabulary lacks a half");
  CHECK(refusal("ab\n") == scratch / "merges.txt: found \"ab\", expected \"left right\"");
  CHECK(refusal("a \xff\n") == scratch / "merges.txt: not valid UTF-8");
  write_bytes(scratch / "vocab.json", "[1]");
  CHECK(refusal("a b\n") == scratch / "vocab.json: found array, expected an object");
}

TEST_CASE("JSON that is no tokenizer's is refused by file and key") {
  const auto refusal = [](const std::string& file, const std::string& bytes) {
    const Scratch scratch;
    write_bytes(scratch / "tokenizer.json", roberta_tokenizer().dump());
    write_bytes(scratch / file, bytes);
    const std::string message = message_of([&] { read_huggingface_tokenizer(scratch.path()); });
    REQUIRE_THAT(message, Catch::StartsWith(scratch / file + ": "));
    return message.substr((scratch / file).size() + 2);
  };
  const auto with = [&](const char* key, const json& value) {
    json other = roberta_tokenizer();
    other[json::json_pointer(key)] = value;
    return refusal("tokenizer.json", other.dump());
  };
  CHECK(with("/model", json::array({1})) == "model: found array, expected an object");
  CHECK(with("/model", nullptr) == "model: found null, expected an object");
  CHECK(with("/pre_tokenizer/add_prefix_space", "no") ==
        "pre_tokenizer: add_prefix_space: found \"no\", expected true or false");
  CHECK(with("/added_tokens/0/content", 5) == "added_tokens: content: found 5, expected a text");
  CHECK_THAT(refusal("tokenizer.json", R"({"model": )"), Catch::StartsWith("not valid JSON"));
  CHECK(refusal("tokenizer_config.json", R"({"added_tokens_decoder": {"261": {"content": 5}}})") ==
        "added_tokens_decoder.261: content: found 5, expected a text");
  CHECK(refusal("tokenizer_config.json", R"({"added_tokens_decoder": [{"content": "x"}]})") ==
        "added_tokens_decoder: found array, expected an object");
  CHECK(refusal("added_tokens.json", R"(["x"])") == "found array, expected an object");
  for (const auto& [index, expected] :
       {std::pair{R"([1])", "the file: found [1], expected an object"},
        {R"({"weight_map": "x"})", "weight_map: found \"x\", expected an object"}}) {
    const Spoiled sample;
    fs::remove(sample.file("model.safetensors"));
    write_bytes(sample.file("model.safetensors.index.json"), index);
    CHECK(sample.refusal() == sample.file("model.safetensors.index.json") + ": " + expected);
  }
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

TEST_CASE("added pieces that a SentencePiece model lacks are told") {
  const Spoiled sample;
  CHECK_FALSE(import_huggingface(sample.folder).told.contains("added_pieces_left_out"));
  const json added = {{"6", {{"content", "[MASK]"}}}, {"8007", {{"content", "<이름>"}}}};
  const json settings = {{"added_tokens_decoder", added}};
  write_bytes(sample.file("tokenizer_config.json"), settings.dump());
  const char* expected = "<이름>: a text that has one is read in parts";
  CHECK(import_huggingface(sample.folder).told.at("added_pieces_left_out") == expected);
  // So are those that newer transformers lists in tokenizer.json alone.
  fs::remove(sample.file("tokenizer_config.json"));
  json tokenizer = read_json(sample.file("tokenizer.json"));
  tokenizer["added_tokens"].push_back({{"id", 8007}, {"content", "<이름>"}});
  write_bytes(sample.file("tokenizer.json"), tokenizer.dump());
  CHECK(import_huggingface(sample.folder).told.at("added_pieces_left_out") == expected);
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
  CHECK(read("albert", json::object()).activation == "gelu_tanh");
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
       {std::pair("electra", "gelu"), {"roberta", "gelu"}, {"bert", "relu"}, {"albert", "relu"}})
    CHECK(head_refusal(family, activation) == "(no error)");
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
            ": has none of vocab.txt, spiece.model, tokenizer.json, and vocab.json with "
            "merges.txt, expected a vocabulary");
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
