// Small files that other programs wrote, with what they compute from them (tests/peers/files, which
// `make peers REMAKE=1` writes anew): transformers, its tokenizers, and Keras.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <functional>

#include "checkpoint/huggingface.h"
#include "checkpoint/imported_record.h"
#include "checkpoint/keras.h"
#include "checkpoint/samples.h"
#include "checkpoint/spoiled_folder.h"
#include "core/files.h"
#include "core/sha256.h"
#include "model/pretraining_model.h"
#include "support/scratch.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/stored_encoder.h"
#include "task/text_input.h"

namespace minibert {
namespace {

using nlohmann::json;
using namespace testing;
namespace fs = std::filesystem;

const std::string kPeerFiles = "tests/peers/files/";
constexpr double kPeerTolerance = 1e-4;  // of float32 in two programs

double distance(const torch::Tensor& ours, const json& theirs) {
  std::vector<double> values;
  const std::function<void(const json&)> add = [&](const json& part) {
    if (part.is_array())
      for (const json& one : part) add(one);
    else
      values.push_back(part.get<double>());
  };
  add(theirs);
  const torch::Tensor found = ours.to(torch::kFloat64).flatten();
  REQUIRE(found.numel() == static_cast<int64_t>(values.size()));
  return (found - torch::tensor(values, torch::kFloat64)).abs().max().item<double>();
}

torch::Tensor numbers(const json& rows) {
  const auto values = rows.get<std::vector<std::vector<int64_t>>>();
  std::vector<torch::Tensor> out;
  for (const auto& row : values) out.push_back(torch::tensor(row, torch::kInt64));
  return torch::stack(out);
}

void check_folder(const std::string& folder) {
  CAPTURE(folder);
  const Checkpoint checkpoint = import_huggingface(folder);
  const RunRecord record = record_of(checkpoint);
  const StoredEncoder encoder(record, "peer.h5");
  const auto model = load_pretrained(record, "peer.h5");
  torch::NoGradGuard no_grad;
  for (const json& one : read_json(folder + "/expected.json")) {
    const std::string text = one.at("text");
    CAPTURE(text);
    const TextInput input = text_input(encoder.tokenizer(), text);
    std::vector<std::string> pieces;
    int64_t mask = -1;
    for (int64_t i = 0; i < input.ids.size(1); ++i) {
      const auto id = static_cast<int32_t>(input.ids[0][i].item<int64_t>());
      if (id == encoder.tokenizer().special().mask) mask = i;
      pieces.push_back(encoder.tokenizer().piece(id));
    }
    REQUIRE(json(pieces) == one.at("pieces"));
    const torch::Tensor hidden = model->encode(input.ids, input.segments);
    CHECK(distance(encoder.hidden(input.ids, input.segments), one.at("hidden")) < kPeerTolerance);
    if (one.contains("follows"))  // its head's first logit says that the second text follows
      CHECK(distance(model->nsp(hidden).softmax(-1)[0][1], json{one.at("follows")}) <
            kPeerTolerance);
    if (!one.contains("logits")) continue;
    REQUIRE(checkpoint.masked_lm);
    const torch::Tensor logits =
        model->mlm_logits(hidden, torch::tensor({mask}, torch::kInt64), input.ids)[0];
    CHECK(one.at("logits").size() == static_cast<size_t>(logits.numel()));
    for (const auto& [piece, logit] : one.at("logits").items()) {
      const int32_t id = encoder.tokenizer().id(piece);
      CHECK(std::abs(logits[id].item<double>() - logit.get<double>()) < kPeerTolerance);
    }
  }
}

// `file`: "keras/mini_bert.hdf5".
Checkpoint from_keras(const std::string& file) {
  return import_keras(kPeerFiles + file, {0, kPeerFiles + "electra_vocab_and_settings/vocab.txt"});
}
// Returns Keras' results for the file.
json keras_computes(const std::string& file) {
  return read_json(kPeerFiles + file.substr(0, file.find('.')) + ".json");
}

}  // namespace

TEST_CASE("folders that transformers wrote compute here what they compute there") {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kPeerFiles))
    if (fs::exists(entry.path() / "expected.json")) check_folder(entry.path().string()), ++count;
  CHECK(count == 4);
}

TEST_CASE("an import tells how text is treated, which rows and heads it leaves out") {
  const auto told = [](const char* name) { return import_huggingface(kPeerFiles + name).told; };
  CHECK(told("electra_vocab_and_settings").at("text") ==
        "case kept, accents kept (tokenizer_config.json)");
  CHECK(told("electra_vocab_and_settings")
            .at("heads_left_out")
            .get<std::string>()
            .starts_with("discriminator_predictions."));
  CHECK(told("bert_padded").contains("rows_left_out"));
  CHECK_FALSE(told("distilbert").contains("rows_left_out"));
}

TEST_CASE("texts are cut as the tokenizers library cuts them with the exported tokenizer.json") {
  const json expected = read_json(kPeerFiles + "sentencepiece_bpe.json");
  const Scratch scratch;
  export_huggingface(load_record("results/kowiki_mini_bert/full/mini_bert_1m-s1.h5"), "a.h5",
                     scratch / "hf");
  // Else the file that texts were cut with is another: `make peers REMAKE=1`.
  CHECK(sha256_hex(read_file(scratch / "hf/tokenizer.json")) == expected.at("sha256"));
  const Tokenizer tokenizer = Tokenizer::from_bytes(sample_tokenizer());
  for (const json& one : expected.at("texts")) {
    CAPTURE(one.at("text"));
    std::vector<int32_t> ids;
    const TextInput input = text_input(tokenizer, one.at("text").get<std::string>());
    for (const InputPiece& piece : input.pieces) ids.push_back(piece.id);
    CHECK(ids == one.at("ids").get<std::vector<int32_t>>());
  }
}

TEST_CASE("what the course's pretraining model saves in Keras computes here what it does there") {
  const std::string file = "keras/mini_bert.hdf5";
  const json expected = keras_computes(file);
  const RunRecord record = record_of(from_keras(file));
  const auto model = load_pretrained(record, "peer.h5");
  const torch::Tensor ids = numbers(expected.at("ids"));
  torch::NoGradGuard no_grad;
  const torch::Tensor hidden = model->encode(ids, numbers(expected.at("segments")));
  const torch::Tensor logits = model->mlm_logits(hidden, torch::arange(ids.numel()), ids)
                                   .view({ids.size(0), ids.size(1), -1});
  CHECK(distance(logits.softmax(-1), expected.at("mlm")) < kPeerTolerance);
  // Its sentence head ends in two softmax layers.
  CHECK(distance(model->nsp(hidden).softmax(-1).softmax(-1), expected.at("nsp")) < kPeerTolerance);
}

}  // namespace minibert
