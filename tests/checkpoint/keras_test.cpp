// The course's Keras weights: files that h5py makes in their layout, and what the course's model computes
// from them.
#include "checkpoint/keras.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "checkpoint/samples.h"
#include "core/error.h"
#include "model/pretraining_model.h"
#include "support/message.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "task/pretrain/stored_pretraining.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;

constexpr double kKerasTolerance = 1e-4;

const json kInput = {{"ids", {5, 4003, 812, 4, 99, 7, 4}}, {"segments", {0, 0, 0, 0, 1, 1, 1}}};

// A file with the sample tokenizer's 8,007 pieces, and what the course's model makes of kInput.
struct KerasSample {
  explicit KerasSample(const json& options) : path(scratch / "bert.hdf5") {
    json all = {{"pieces", 8007}};
    if (!options.contains("break")) all.update(kInput);
    all.update(options);
    const std::string out =
        python("keras_bert.py", single_quoted(path) + " " + single_quoted(all.dump()));
    if (!out.empty()) expected = json::parse(out);
    tokenizer = scratch / "spiece.model";
    write_bytes(tokenizer, sample_tokenizer());
  }
  Checkpoint read(int64_t heads = 0) const { return import_keras(path, {heads, tokenizer}); }
  Scratch scratch;
  std::string path, tokenizer;
  json expected;
};

torch::Tensor row(const json& numbers) {
  return torch::tensor(numbers.get<std::vector<int64_t>>(), torch::kInt64).unsqueeze(0);
}

double largest_difference(const torch::Tensor& ours, const json& theirs) {
  const auto rows = theirs.get<std::vector<std::vector<double>>>();
  double largest = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto expected = torch::tensor(rows[i], torch::kFloat64);
    const auto found = ours[static_cast<int64_t>(i)].to(torch::kFloat64);
    largest = std::max(largest, (found - expected).abs().max().item<double>());
  }
  return largest;
}

}  // namespace

TEST_CASE("the course's weights compute here what the course's model computes from them") {
  for (const json& options :
       {json::object(), json{{"fused", true}}, json{{"nested", true}, {"variable", true}},
        json{{"sentence", false}}}) {
    CAPTURE(options.dump());
    const KerasSample sample(options);
    const Checkpoint checkpoint = sample.read();
    CHECK(checkpoint.model.vocab_size == 8007);
    CHECK(checkpoint.model.d_model == 128);
    CHECK(checkpoint.model.n_heads == 2);  // of 64, as in the course
    CHECK(checkpoint.model.d_ff == 96);
    CHECK(checkpoint.model.n_layers == 2);
    CHECK(checkpoint.model.max_positions == 24);
    CHECK(checkpoint.model.layer_norm_eps == 1e-3);
    const bool sentence = options.value("sentence", true);
    CHECK((checkpoint.sentence_task == SentenceTask::swap) == sentence);
    const RunRecord record = record_of(checkpoint);
    const auto model = load_pretrained(record, "keras.h5");
    torch::NoGradGuard no_grad;
    const auto ids = row(kInput.at("ids"));
    const auto hidden = model->encode(ids, row(kInput.at("segments")));
    CHECK(largest_difference(hidden[0], sample.expected.at("hidden")) < kKerasTolerance);
    const auto logits = model->mlm_logits(hidden, torch::arange(ids.numel()), ids);
    CHECK(largest_difference(logits, sample.expected.at("logits")) < kKerasTolerance);
    if (!sentence) continue;
    const auto follows = model->nsp(hidden).softmax(-1)[0];
    for (int64_t i : {0, 1})
      CHECK(follows[i].item<double>() ==
            Approx(sample.expected.at("sentence")[static_cast<size_t>(i)].get<double>())
                .margin(kKerasTolerance));
  }
}

TEST_CASE("heads of another size can be named, and must divide the width") {
  const KerasSample sample(json{{"sentence", false}});
  CHECK(sample.read(4).model.n_heads == 4);
  CHECK(message_of([&] { sample.read(3); }) ==
        "--heads: found 3, expected a divisor of d_model 128");
}

TEST_CASE("a file that is not the course's model is refused by layer and weight") {
  const auto refusal = [](const char* spoilt) {
    const KerasSample sample(json{{"break", spoilt}});
    const std::string message = message_of([&] { sample.read(); });
    CHECK(message.find('\n') == std::string::npos);
    REQUIRE_THAT(message, Catch::StartsWith(sample.path + ": "));
    return message.substr(sample.path.size() + 2);
  };
  const std::string layer_1 = "/bert/bert/encoder_layer_1/";
  CHECK(refusal("missing weight") == "/bert: has 36 weights, expected more");
  CHECK(refusal("extra weight") ==
        layer_1 + "more/bias:0: is left over, expected 37 weights in /bert");
  CHECK(
      refusal("order") ==
      "/bert/bert/encoder_layer_0/multi_head_attention/dense/bias:0: expected a weight whose name "
      "ends in \"/kernel:0\" here");
  CHECK(refusal("shape") ==
        "/bert/bert/encoder_layer_0/feed_forward/dense_5/kernel:0: found shape [96,129], expected "
        "[96,128]");
  CHECK(
      refusal("rank") ==
      "/bert/bert/encoder_layer_0/feed_forward/dense_5/kernel:0: found shape [128,96,1], expected "
      "[96,128]");
  const std::string positions = "/bert/bert/position_embedding/embedding/embeddings:0: ";
  CHECK(refusal("no rows") == positions + "found shape [0,128], expected [-1,128]");
  CHECK(refusal("type") == positions + "holds float64, expected float32");
  CHECK_THAT(refusal("too large"), Catch::StartsWith(positions));
  CHECK(refusal("not finite") ==
        "/bert/bert/position_embedding/embedding/embeddings:0: found a value that is not finite");
  CHECK(refusal("another layer") ==
        "/dense: found a layer with 1 weights, expected none but \"bert\" and \"pooled_nsp\" of a "
        "pretraining model, or \"bert\" and a dense layer of one that answers questions");
  CHECK(refusal("no bert") == "layer_names: has no layer \"bert\", expected the course's model");
  CHECK(refusal("no names") == "/ attribute layer_names: missing");
}

TEST_CASE("a file of Keras 3 is refused with what makes Keras 2 write it") {
  const Scratch scratch;
  const auto refusal = [&](const std::string& path) {
    const std::string message = message_of([&] { import_keras(path, {}); });
    REQUIRE_THAT(message, Catch::StartsWith(path + ": found a file of Keras 3, expected"));
    CHECK_THAT(message, Contains("TF_USE_LEGACY_KERAS=1"));
  };
  const KerasSample named(json{{"break", "keras 3 names"}}), groups(json{{"break", "keras 3"}});
  refusal(named.path);   // NAME.h5
  refusal(groups.path);  // NAME.weights.h5
  write_bytes(scratch / "x.keras", std::string("PK\x03\x04", 4));
  refusal(scratch / "x.keras");
}

TEST_CASE("a tokenizer of another size and what is no HDF5 file are refused") {
  const KerasSample sample(json{{"pieces", 50}, {"ids", {1}}, {"segments", {0}}});
  CHECK(message_of([&] { sample.read(); }) == sample.tokenizer +
                                                  ": found 8007 pieces, expected 50 as " +
                                                  sample.path + " has rows of token embeddings");
  const Scratch scratch;
  write_bytes(scratch / "x.hdf5", "not HDF5");
  CHECK_THAT(message_of([&] { import_keras(scratch / "x.hdf5", {}); }),
             Catch::StartsWith(scratch / "x.hdf5" + ": "));
}

}  // namespace minibert
