// Every way in which a folder in Hugging Face's form is refused, and a record that has no such form.
#include <catch2/catch.hpp>
#include <filesystem>

#include "checkpoint/spoiled_folder.h"
#include "text/tokenizer.h"
#include "text/wordpiece.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;
namespace fs = std::filesystem;

}  // namespace

TEST_CASE("a configuration that our BERT cannot compute is refused by file, key and value") {
  const struct {
    const char* key;
    json value;
    const char* expected;
  } cases[] = {
      {"model_type", "roberta", "found \"roberta\", expected"},
      {"model_type", nullptr, "model_type"},
      {"hidden_act", "silu", "found \"silu\", expected"},
      {"position_embedding_type", "relative_key", "relative_key"},
      {"is_decoder", true, "found true, expected false"},
      {"num_attention_heads", 5, "found 5, expected a divisor of hidden_size 24"},
      {"hidden_size", "wide", "\"wide\""},
      {"num_hidden_layers", nullptr, "num_hidden_layers"},
      {"type_vocab_size", 1, "found 1"},
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
               tensors.push_back({"classifier.bias", {2}, {0, 0}});
             }),
             Catch::StartsWith("found classifier.bias, expected no tensors but"));
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
  for (const char* other : {"pytorch_model.bin", "model.safetensors.index.json"}) {
    const Spoiled sample;
    fs::remove(sample.file("model.safetensors"));
    write_bytes(sample.file(other), "");
    CHECK_THAT(sample.refusal(),
               Catch::StartsWith(sample.file(other) +
                                 ": found these weights, expected one file model.safetensors; this "
                                 "makes it: python3 -c ") &&
                   Contains(sample.folder));
  }
  const Spoiled none;
  fs::remove(none.file("model.safetensors"));
  CHECK(none.refusal() == none.file("model.safetensors") + ": no such file");
  const Spoiled unspoken;
  fs::remove(unspoken.file("spiece.model"));
  CHECK(unspoken.refusal() ==
        unspoken.folder +
            ": has none of vocab.txt, spiece.model and tokenizer.json, expected a vocabulary");
  const Spoiled unsaid;
  fs::remove(unsaid.file("config.json"));
  CHECK_THAT(unsaid.refusal(), Catch::StartsWith(unsaid.file("config.json") + ": "));
  CHECK(message_of([] { import_huggingface("no/such"); }) == "no/such: no such folder");
}

TEST_CASE("rows beyond the vocabulary are left off, and one name of a tied bias is enough") {
  const Spoiled plain;
  const Checkpoint expected = import_huggingface(plain.folder);
  const Spoiled padded;
  padded.weights([](auto& tensors) {
    for (NamedTensor& tensor : tensors) {
      if (tensor.shape.empty() || tensor.shape[0] != 8007) continue;
      tensor.values.resize(tensor.values.size() / 8007 * 8064, 9.0F);
      tensor.shape[0] = 8064;
    }
  });
  padded.config("vocab_size", 8064);
  const Spoiled single;
  single.weights([](auto& tensors) {
    std::erase_if(tensors, [](auto& t) { return t.name == "cls.predictions.bias"; });
  });
  for (const Spoiled* folder : {&padded, &single}) {
    const Checkpoint found = import_huggingface(folder->folder);
    CHECK(found.model.vocab_size == 8007);
    CHECK(weights_sha256(found.weights) == weights_sha256(expected.weights));
  }
}

TEST_CASE("a folder's casing and added pieces are read and written") {
  BertConfig config = small_config();
  config.vocab_size = 12;
  Checkpoint checkpoint = random_checkpoint(config, SentenceTask::none);
  checkpoint.tokenizer =
      "[PAD]\n나는\n[UNK]\n[CLS]\n서울\n[MASK]\n[SEP]\nis\n##s\n##에\n##known\n.\n";
  const Scratch scratch;
  export_to(scratch / "hf", checkpoint);
  // What the vocabulary alone said is said in words, so that other programs do the same.
  CHECK(read_json(scratch / "hf/tokenizer_config.json")["strip_accents"] == true);
  write_bytes(scratch / "hf/tokenizer_config.json", R"({"do_lower_case": false})");
  const auto vocabulary = read_file(scratch / "hf/vocab.txt");
  write_bytes(scratch / "hf/vocab.txt",
              "\xef\xbb\xbf" + vocabulary.substr(0, vocabulary.size() - 2));
  write_bytes(scratch / "hf/added_tokens.json", R"({".": 11})");
  const Checkpoint back = import_huggingface(scratch / "hf");
  CHECK(casing_of(back.tokenizer) == WordPieceCasing{false, false});
  CHECK(vocabulary_of(back.tokenizer) == vocabulary);
  CHECK(Tokenizer::from_bytes(back.tokenizer, "v").encode("나는 서울에.") ==
        std::vector<int32_t>{1, 4, 9, 11});
  export_to(scratch / "again", back);
  CHECK(read_json(scratch / "again/tokenizer_config.json")["do_lower_case"] == false);
  CHECK(read_file(scratch / "again/vocab.txt") == vocabulary);
  write_bytes(scratch / "hf/added_tokens.json", R"({".": 12})");
  CHECK_THAT(message_of([&] { import_huggingface(scratch / "hf"); }),
             Contains("added_tokens.json: .: found the id 12, expected 11"));
}

TEST_CASE("a model that Hugging Face's BERT does not have is not exported") {
  const auto refusal = [](const auto& change, SentenceTask task = SentenceTask::none) {
    BertConfig config = small_config();
    change(config);
    const Scratch scratch;
    return message_of([&] { export_to(scratch / "hf", random_checkpoint(config, task)); });
  };
  const std::string all = ", all that Hugging Face's BERT has";
  CHECK(refusal([](BertConfig& c) { c.norm = "pre"; }) ==
        "random.h5: model.norm: found \"pre\", expected \"post\"" + all);
  CHECK(refusal([](BertConfig& c) { c.embedding_size = 8; }) ==
        "random.h5: model.embedding_size: found 8, expected 24" + all);
  CHECK(refusal([](BertConfig& c) { c.mlm_context = 4; }) ==
        "random.h5: model.mlm_context: found 4, expected 0" + all);
  CHECK(refusal([](BertConfig& c) { c.share_layers = true; }) ==
        "random.h5: model.share_layers: found true, expected false" + all);
  CHECK(refusal([](BertConfig& c) { c.ffn = "geglu", c.activation = "gelu_tanh"; }) ==
        "random.h5: model.ffn: found \"geglu\", expected \"gelu\"" + all);
  CHECK(refusal([](BertConfig& c) { c.mlm_transform = false; }) ==
        "random.h5: model.mlm_transform: found false, expected true, all that Hugging Face's "
        "masked-LM head has");
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
        "a.h5: /config: task: found \"korquad\", expected pretrain");
}

}  // namespace minibert
