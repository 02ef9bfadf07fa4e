// Folders in Hugging Face's form: there and back, against an independent forward pass, and every way in
// which one is refused.
#include "checkpoint/huggingface.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "checkpoint/huggingface_names.h"
#include "checkpoint/imported_record.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/samples.h"
#include "core/error.h"
#include "core/files.h"
#include "record/message.h"
#include "record/scratch.h"
#include "setup/shell.h"
#include "task/pretrain/mask_filler.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/stored_encoder.h"
#include "task/text_input.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;
namespace fs = std::filesystem;

// Of float32 here against float64 there.
constexpr double kTolerance = 1e-4;

constexpr char kText[] = "대한민국의 수도는 [MASK]이다.";

void export_to(const std::string& folder, const Checkpoint& checkpoint) {
  export_huggingface(record_of(checkpoint), "random.h5", folder);
}

// What differs between a checkpoint and what is read back of it.
void check_same(const Checkpoint& back, const Checkpoint& checkpoint) {
  CHECK(weights_sha256(back.weights) == weights_sha256(checkpoint.weights));
  CHECK(back.tokenizer == checkpoint.tokenizer);
  CHECK(back.sentence_task == checkpoint.sentence_task);
  CHECK(back.masked_lm == checkpoint.masked_lm);
  ModelConfig ours, theirs;
  ours.bert = checkpoint.model, theirs.bert = back.model;
  CHECK(to_json(theirs) == to_json(ours));
}

double difference(const torch::Tensor& ours, const json& theirs) {
  double largest = 0;
  const torch::Tensor flat = ours.contiguous().view({-1});
  const json list = theirs.is_array() && theirs[0].is_array() ? json() : theirs;
  std::vector<double> values;
  for (const json& row : theirs)
    if (row.is_array())
      for (const json& value : row) values.push_back(value);
    else
      values.push_back(row);
  REQUIRE(flat.numel() == static_cast<int64_t>(values.size()));
  for (int64_t i = 0; i < flat.numel(); ++i)
    largest = std::max(largest, std::abs(flat[i].item<double>() - values[static_cast<size_t>(i)]));
  return largest;
}

// What the independent program makes of an exported folder.
json numpy_outputs(const std::string& folder, const TextInput& input) {
  json given = {{"ids", json::array()}, {"segments", json::array()}};
  for (int64_t i = 0; i < input.ids.numel(); ++i) {
    given["ids"].push_back(input.ids[0][i].item<int64_t>());
    given["segments"].push_back(input.segments[0][i].item<int64_t>());
  }
  return json::parse(python("numpy_bert.py", single_quoted(folder), given.dump()));
}

// A folder with one export whose parts a test then spoils.
struct Spoiled {
  Spoiled() : folder(scratch / "hf") {
    Checkpoint checkpoint = random_checkpoint(small(), SentenceTask::swap);
    export_to(folder, checkpoint);
  }
  static BertConfig small() {
    BertConfig config = small_config();
    config.nsp_bias = true;
    return config;
  }
  std::string file(const std::string& name) const { return folder + "/" + name; }
  void config(const std::string& key, const json& value) const {
    json all = read_json(file("config.json"));
    if (value.is_null())
      all.erase(key);
    else
      all[key] = value;
    write_bytes(file("config.json"), all.dump());
  }
  template <class Change>
  void weights(const Change& change) const {
    const SafetensorsFile stored(file("model.safetensors"));
    std::vector<NamedTensor> tensors;
    for (const auto& [name, entry] : stored.tensors()) tensors.push_back(stored.read(name));
    change(tensors);
    write_safetensors(file("model.safetensors"), tensors);
  }
  std::string refusal() const {
    return message_of([&] { import_huggingface(folder); });
  }
  Scratch scratch;
  std::string folder;
};

NamedTensor& named(std::vector<NamedTensor>& tensors, const std::string& name) {
  for (NamedTensor& tensor : tensors)
    if (tensor.name == name) return tensor;
  throw Error("no tensor " + name);
}

}  // namespace

TEST_CASE("the import of an export is the model, whatever heads it has") {
  BertConfig none = small_config(), pooler = none, pair = none, untied = none, tanh = none;
  pooler.pooler = true;
  pair.nsp_bias = true;
  untied.mlm_tied = false, untied.activation = "relu", untied.segments = 3;
  tanh.activation = "gelu_tanh", tanh.dropout = 0.2, tanh.attention_dropout = 0.3;
  const struct {
    BertConfig config;
    SentenceTask task;
    const char* architecture;
  } cases[] = {{none, SentenceTask::none, "BertForMaskedLM"},
               {pooler, SentenceTask::none, "BertForMaskedLM"},
               {pair, SentenceTask::swap, "BertForPreTraining"},
               {pair, SentenceTask::random_next, "BertForPreTraining"},
               {untied, SentenceTask::none, "BertForMaskedLM"},
               {tanh, SentenceTask::none, "BertForMaskedLM"}};
  for (const auto& one : cases) {
    CAPTURE(one.architecture, one.config.activation, one.config.pooler);
    const Scratch scratch;
    const Checkpoint checkpoint = random_checkpoint(one.config, one.task);
    export_to(scratch / "hf", checkpoint);
    CHECK(read_json(scratch / "hf/config.json").at("architectures")[0] == one.architecture);
    const Checkpoint back = import_huggingface(scratch / "hf");
    CHECK(back.architecture == one.architecture);
    check_same(back, checkpoint);
    // And once more: the folder's files are the same bytes.
    export_to(scratch / "again", back);
    for (const char* name : {"config.json", "model.safetensors", "spiece.model"})
      CHECK(read_file(scratch / "hf/" + name) == read_file(scratch / "again/" + name));
  }
}

TEST_CASE("an exported folder computes in NumPy what the record computes here") {
  BertConfig pair = small_config(), untied = small_config(), tanh = small_config();
  pair.nsp_bias = true;
  untied.mlm_tied = false, untied.activation = "relu", untied.pooler = true;
  tanh.activation = "gelu_tanh", tanh.layer_norm_eps = 1e-3;
  for (const auto& [config, task] : {std::pair{pair, SentenceTask::random_next},
                                     {untied, SentenceTask::none},
                                     {tanh, SentenceTask::none}}) {
    CAPTURE(config.activation);
    const Scratch scratch;
    const Checkpoint checkpoint = random_checkpoint(config, task);
    const RunRecord record = record_of(checkpoint);
    export_to(scratch / "hf", checkpoint);
    const StoredEncoder encoder(record, "random.h5");
    const TextInput input = text_input(encoder.tokenizer(), kText, "서울은 크다.", 32);
    const json theirs = numpy_outputs(scratch / "hf", input);
    const torch::Tensor hidden = encoder.hidden(input.ids, input.segments);
    CHECK(difference(hidden, theirs.at("hidden")) < kTolerance);
    const torch::Tensor pooled = encoder.pooled(hidden, input.ids);
    CHECK(pooled.defined() == theirs.contains("pooled"));
    if (pooled.defined()) CHECK(difference(pooled, theirs.at("pooled")) < kTolerance);
    const auto model = load_pretrained(record, "random.h5");
    if (task != SentenceTask::none) {
      torch::NoGradGuard no_grad;
      const auto follows =
          model->nsp(model->encode(input.ids, input.segments)).softmax(-1)[0][1].item<double>();
      CHECK(std::abs(follows - theirs.at("follows").get<double>()) < kTolerance);
    }
  }
}

TEST_CASE("fill-mask of an imported record guesses as the NumPy forward pass does") {
  const Scratch scratch;
  const Checkpoint checkpoint = random_checkpoint(small_config(), SentenceTask::none);
  export_to(scratch / "hf", checkpoint);
  const RunRecord record = record_of(import_huggingface(scratch / "hf"));
  const infer::FillResult result = MaskFiller(record, "random.h5").fill(kText, 8007);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model);
  const TextInput input = text_input(tokenizer, kText);
  REQUIRE(result.masks.size() == 1);
  const infer::MaskGuesses& mask = result.masks[0];
  const auto logits = numpy_outputs(scratch / "hf", input)
                          .at("logits")
                          .at(static_cast<size_t>(mask.position))
                          .get<std::vector<double>>();
  // Softmax over the pieces that fit: after a space those that begin a word.
  double total = 0;
  size_t fitting = 0, best = 0;
  for (size_t id = 7; id < logits.size(); ++id) {
    const std::string& piece = tokenizer.piece(static_cast<int32_t>(id));
    if (!piece.starts_with("▁") || piece == "▁") continue;
    if (fitting++ == 0 || logits[id] > logits[best]) best = id;
    total += std::exp(logits[id]);
  }
  REQUIRE(mask.guesses.size() == fitting);
  CHECK(mask.guesses[0].id == static_cast<int32_t>(best));
  for (const infer::Guess& guess : mask.guesses)
    CHECK(std::abs(guess.probability - std::exp(logits[static_cast<size_t>(guess.id)]) / total) <
          kTolerance);
}

TEST_CASE(
    "a model with a WordPiece vocabulary goes out and comes back, and fills masks by its ids") {
  Checkpoint checkpoint = random_checkpoint(
      [] {
        BertConfig config = small_config();
        config.vocab_size = 12;
        return config;
      }(),
      SentenceTask::none);
  checkpoint.tokenizer =
      "[PAD]\nthe\n[UNK]\n[CLS]\ncapital\n[MASK]\n[SEP]\nis\n##s\nun\n##known\n.\n";
  const Scratch scratch;
  export_to(scratch / "hf", checkpoint);
  CHECK(read_file(scratch / "hf/vocab.txt") == checkpoint.tokenizer);
  const Checkpoint back = import_huggingface(scratch / "hf");
  check_same(back, checkpoint);
  const MaskFiller filler(record_of(back), "random.h5");
  const infer::FillResult result = filler.fill("The [MASK]s is un[MASK].", 12);
  std::vector<int32_t> ids;
  for (const infer::Token& token : result.tokens) ids.push_back(token.id);
  CHECK(ids == std::vector<int32_t>{3, 1, 5, 2, 7, 9, 5, 11, 6});
  REQUIRE(result.masks.size() == 2);
  CHECK(result.masks[0].guesses.size() == 5);  // the, capital, is, un and the full stop
  CHECK(result.masks[1].guesses.size() == 2);  // ##s, ##known
  const TextInput input =
      text_input(Tokenizer::from_bytes(back.tokenizer), "The [MASK]s is un[MASK].");
  const json logits = numpy_outputs(scratch / "hf", input).at("logits").at(6);
  const double s = logits[8], known = logits[10];
  for (const infer::Guess& guess : result.masks[1].guesses)
    CHECK(guess.probability ==
          Approx(1 / (1 + std::exp(guess.id == 8 ? known - s : s - known))).margin(kTolerance));
}

TEST_CASE("a model without biases on its logits is exported with zeros, which change nothing") {
  BertConfig config = small_config();
  config.mlm_bias = false;
  const Scratch scratch;
  const Checkpoint checkpoint = random_checkpoint(config, SentenceTask::swap);
  export_to(scratch / "hf", checkpoint);
  const Checkpoint back = import_huggingface(scratch / "hf");
  CHECK(back.model.mlm_bias);
  CHECK(back.model.nsp_bias);
  const auto a = MaskFiller(record_of(checkpoint), "a").fill(kText, 5);
  const auto b = MaskFiller(record_of(back), "b").fill(kText, 5);
  for (size_t i = 0; i < 5; ++i) {
    CHECK(a.masks[0].guesses[i].id == b.masks[0].guesses[i].id);
    CHECK(a.masks[0].guesses[i].probability == b.masks[0].guesses[i].probability);
  }
}

TEST_CASE("names of the first checkpoints and copies that transformers stores are read too") {
  const Spoiled sample;
  const Checkpoint before = import_huggingface(sample.folder);
  sample.weights([](std::vector<NamedTensor>& tensors) {
    std::vector<float> positions(32);
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i);
    tensors.push_back({"bert.embeddings.position_ids", {1, 32}, positions});
    tensors.push_back(named(tensors, "bert.embeddings.word_embeddings.weight"));
    tensors.back().name = "cls.predictions.decoder.weight";
    for (NamedTensor& tensor : tensors)
      for (const auto& [now, old] :
           {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}})
        if (tensor.name.ends_with(now))
          tensor.name.replace(tensor.name.size() - std::string(now).size(), std::string::npos, old);
  });
  check_same(import_huggingface(sample.folder), before);
}

TEST_CASE("a BertModel is read as an encoder, from which fill-mask refuses to guess") {
  for (const bool pooler : {true, false}) {
    CAPTURE(pooler);
    const Spoiled sample;
    sample.weights([&](std::vector<NamedTensor>& tensors) {
      std::erase_if(tensors, [&](const NamedTensor& tensor) {
        return tensor.name.starts_with("cls.") ||
               (!pooler && tensor.name.starts_with("bert.pooler."));
      });
      for (NamedTensor& tensor : tensors) tensor.name = tensor.name.substr(5);
    });
    const Checkpoint encoder = import_huggingface(sample.folder);
    CHECK(encoder.architecture == "BertModel");
    CHECK_FALSE(encoder.masked_lm);
    CHECK(encoder.model.pooler == pooler);
    const RunRecord record = record_of(encoder);
    CHECK(message_of([&] { MaskFiller(record, "a.h5"); }) ==
          "a.h5: has no masked-LM head: it was imported from an encoder alone");
    const TextInput input = text_input(Tokenizer::from_bytes(record.tokenizer_model), kText);
    const StoredEncoder stored(record, "a.h5");
    const auto hidden = stored.hidden(input.ids, input.segments);
    CHECK(difference(hidden, numpy_outputs(sample.folder, input).at("hidden")) < kTolerance);
    CHECK(stored.pooled(hidden, input.ids).defined() == pooler);
    // It goes out as it came.
    const Scratch scratch;
    export_huggingface(record, "a.h5", scratch / "hf");
    check_same(import_huggingface(scratch / "hf"), encoder);
  }
}

TEST_CASE("the table of names has every parameter of the model, once") {
  BertConfig config = small_config();
  config.nsp_bias = true, config.mlm_tied = false;
  const PretrainingModel model(config);
  std::map<std::string, std::vector<int64_t>> ours;
  for (const TensorNames& names : huggingface_names(config, {true, true, true}))
    CHECK(ours.emplace(names.ours, names.shape).second);
  CHECK(ours.size() == model.named_parameters().size());
  for (const auto& item : model.named_parameters()) {
    CAPTURE(item.key());
    CHECK(ours.at(item.key()) == item.value().sizes().vec());
  }
}

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
