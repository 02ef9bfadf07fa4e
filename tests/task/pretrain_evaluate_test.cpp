// How a pretrained model is measured: its figures, those of each kind of target, and its predictions.
#include "task/pretrain/pretrain_evaluate.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "data/instances/instances.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/pretrain_task.h"
#include "task/trial.h"

namespace minibert {
namespace {

using testing::Scratch;
using testing::tokenizer;

constexpr uint64_t kSeed = 5;

std::shared_ptr<PretrainingModel> model(uint64_t seed = kSeed) {
  auto made = std::make_shared<PretrainingModel>(testing::tiny_bert());
  made->initialize(seed);
  made->eval();
  return made;
}

std::shared_ptr<const InstanceFile> instances() {
  const Scratch folder;
  create_instances({"experiments/sample/corpus.txt"}, tokenizer(),
                   {.sequence_length = 48, .limit = 60}, folder / "instances.h5", 1);
  return std::make_shared<const InstanceFile>(folder / "instances.h5");
}

PretrainMeasuring measuring() { return {.mask = {.probability = 0.3}, .tokenizer = &tokenizer()}; }

// All instances as one batch, masked as evaluate_pretraining does.
Batch whole(const InstanceFile& file) {
  std::vector<uint32_t> all(file.size());
  std::iota(all.begin(), all.end(), 0U);
  return pretrain_batch(file, all, {.mask = measuring().mask}, kSeed, 0);
}

// A model's evaluation, and the batch of all instances as it sees them.
struct Measured {
  explicit Measured(const InstanceFile& file)
      : found(
            evaluate_pretraining(*bert, file, measuring(), kSeed, torch::kCPU, nullptr, 8).metrics),
        batch(whole(file)),
        hidden(bert->encode(batch.ids, batch.segments, batch.targets[kQueries])) {}
  std::shared_ptr<PretrainingModel> bert = model();
  Metrics found;
  Batch batch;
  torch::Tensor hidden;
};

double weighted(const Predictions& predictions, const char* column, const char* weight) {
  const auto &values = predictions.numbers.at(column), &weights = predictions.numbers.at(weight);
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) /
         std::accumulate(weights.begin(), weights.end(), 0.0);
}

}  // namespace

TEST_CASE("figures are those of one batch of all instances") {
  torch::NoGradGuard no_grad;
  const auto file = instances();
  const auto& [bert, found, batch, hidden] = Measured(*file);
  const MlmOutput mlm =
      bert->mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels], batch.ids);
  const auto targets = static_cast<double>(batch.targets[kLabels].numel());
  CHECK(found.at("mlm_loss") == Approx(mlm.loss.item<double>()).epsilon(1e-5));
  CHECK(found.at("mlm_accuracy") == Approx(mlm.correct.item<double>() / targets));
  const auto logits = bert->nsp(hidden);
  CHECK(
      found.at("nsp_accuracy") ==
      Approx(logits.argmax(-1).eq(batch.targets[kNsp]).to(torch::kFloat64).mean().item<double>()));
  CHECK(found.at("nsp_loss") ==
        Approx(torch::nn::functional::cross_entropy(logits, batch.targets[kNsp]).item<double>())
            .epsilon(1e-5));
  CHECK(found.at("instances") == 60);
}

TEST_CASE(
    "targets are told apart by what is shown, by their place in the word and by what is seen") {
  torch::NoGradGuard no_grad;
  const auto file = instances();
  const auto& [bert, found, batch, hidden] = Measured(*file);
  const auto& labels = batch.targets[kLabels];
  const auto& positions = batch.targets[kPositions];
  const int64_t length = batch.ids.size(1);
  std::map<std::string, std::vector<int64_t>> places;
  for (int64_t i = 0; i < labels.numel(); ++i) {
    const int64_t at = positions[i].item<int64_t>(), row = at / length, place = at % length;
    const auto gold = labels[i].item<int64_t>(), shown = batch.ids[row][place].item<int64_t>();
    places[shown == kMask ? "masked" : shown == gold ? "kept" : "random"].push_back(i);
    const auto pieces = file->pieces(static_cast<size_t>(row));
    const auto begins = [&](int64_t p) {
      return p >= static_cast<int64_t>(pieces.size()) || tokenizer().is_special(pieces[p]) ||
             tokenizer().starts_word(pieces[p]);
    };
    const bool first = begins(place) || tokenizer().is_special(pieces[place - 1]);
    places[first               ? (begins(place + 1) ? "whole" : "first")
           : begins(place + 1) ? "last"
                               : "middle"]
        .push_back(i);
    const auto alike = batch.ids[row].eq(gold).sum().item<int64_t>() - (shown == gold);
    places[alike > 0 ? "seen" : "unseen"].push_back(i);
  }
  CHECK(places.size() == 9);
  for (const auto& [kind, numbers] : places) {
    CAPTURE(kind, numbers.size());
    const auto chosen = torch::tensor(numbers, torch::kInt64);
    const MlmOutput mlm = bert->mlm(hidden, batch.targets[kMaskedQueries].index_select(0, chosen),
                                    labels.index_select(0, chosen), batch.ids);
    CHECK(found.at("mlm_loss_" + kind) == Approx(mlm.loss.item<double>()).epsilon(1e-5));
    CHECK(found.at("mlm_accuracy_" + kind) ==
          Approx(mlm.correct.item<double>() / static_cast<double>(numbers.size())));
  }
}

TEST_CASE("predictions of two models pair by instance, and give their figures again") {
  const auto file = instances();
  const Evaluation one =
      evaluate_pretraining(*model(), *file, measuring(), kSeed, torch::kCPU, nullptr, 8);
  const Evaluation other =
      evaluate_pretraining(*model(kSeed + 1), *file, measuring(), kSeed, torch::kCPU, nullptr, 16);
  const Predictions& p = *one.predictions;
  CHECK(p.id == other.predictions->id);
  CHECK(std::set<std::string>(p.id.begin(), p.id.end()).size() == file->size());
  CHECK(p.texts.at("gold") == other.predictions->texts.at("gold"));
  CHECK_FALSE(p.texts.at("prediction") == other.predictions->texts.at("prediction"));
  CHECK(weighted(p, "mlm_loss", "targets") == Approx(one.metrics.at("mlm_loss")));
  CHECK(weighted(p, "mlm_accuracy", "targets") == Approx(one.metrics.at("mlm_accuracy")));
  CHECK(weighted(p, "loss_per_byte", "bytes") == Approx(one.metrics.at("loss_per_byte")));
  CHECK(weighted(p, "mlm_accuracy_masked", "masked_targets") ==
        Approx(one.metrics.at("mlm_accuracy_masked")));
  const std::vector<std::string>& cluster = p.texts.at("cluster");
  CHECK(cluster.front() == "0");
  CHECK(std::set<std::string>(cluster.begin(), cluster.end()).size() < cluster.size());

  const Scratch folder;
  RunRecord record;
  record.status = "finished";
  record.predictions = p;
  record.summary = one.metrics;
  save_record(record, folder / "run.h5");
  const ShellResult checked =
      shell("/usr/bin/python3 tests/compare/check_predictions.py " + (folder / "run.h5"));
  INFO(checked.output);
  CHECK(checked.status == 0);
  for (const char* name : {"mlm_accuracy", "mlm_loss", "loss_per_byte", "nsp_accuracy"})
    CHECK(checked.output.find(std::string(name) + ": stored") != std::string::npos);
}

TEST_CASE("a person is shown an instance with its masks, and what was guessed for each") {
  const auto file = instances();
  const Evaluation found = evaluate_pretraining(*model(), *file, measuring(), kSeed, torch::kCPU);
  const std::string all = shown_instance(*file, 3, measuring(), kSeed, *found.predictions);
  const size_t last = all.rfind('\n');
  const std::string shown = all.substr(0, last), order = all.substr(last + 1);
  const std::string truth = file->nsp(3) == 1 ? "true" : "false";
  const bool right = found.predictions->numbers.at("nsp_accuracy")[3] == 1;
  CHECK(order == "    B follows A: " + truth + " → " +
                     (right             ? truth
                      : truth == "true" ? "false"
                                        : "true") +
                     (right ? " ✓" : " ✗"));
  INFO(shown);
  CHECK(shown.starts_with("[CLS]"));
  CHECK(shown.find("[MASK]") != std::string::npos);
  const auto arrows = [&](const char* mark) {
    size_t count = 0;
    for (size_t at = 0; (at = shown.find(mark, at)) != std::string::npos; ++at) ++count;
    return static_cast<double>(count);
  };
  CHECK(arrows(" → ") == found.predictions->numbers.at("targets")[3]);
  CHECK(arrows("✓") + arrows("✗") == arrows(" → "));
}

TEST_CASE("pretraining learns: its instances are guessed better after it than before") {
  const auto file = instances();
  const auto learner = model();
  const auto measured = [&] {
    learner->eval();
    return evaluate_pretraining(*learner, *file, measuring(), kSeed, torch::kCPU).metrics;
  };
  const Metrics before = measured();
  PretrainTask task(learner, {{file, {.probability = 0.3}, 6, 12}}, file, {}, torch::kCPU, kSeed);
  TrainConfig config;
  config.optimizer.lr = 5e-3;
  Trainer trainer(task, config, torch::kCPU, kSeed);
  TrainObserver observer;
  REQUIRE(trainer.run(observer));
  const Metrics after = measured();
  CHECK(after.at("mlm_loss") < before.at("mlm_loss") - 0.5);
  CHECK(after.at("mlm_accuracy") > before.at("mlm_accuracy"));
}

TEST_CASE("loss per byte is the loss of all guesses over the bytes of what is guessed") {
  const auto file = instances();
  const std::vector<uint8_t> bytes = piece_bytes(tokenizer());
  CHECK(bytes[static_cast<size_t>(tokenizer().special().unk)] == 3);
  for (const char* word : {"하", "▁이", "▁1"})
    if (tokenizer().id(word) != tokenizer().special().unk)
      CHECK(bytes[static_cast<size_t>(tokenizer().id(word))] ==
            (std::string_view(word).starts_with("▁") ? std::string_view(word).size() - 3
                                                     : std::string_view(word).size()));
  const Metrics metrics =
      evaluate_pretraining(*model(), *file, measuring(), kSeed, torch::kCPU).metrics;
  const Batch batch = whole(*file);
  const auto labels = batch.targets[kLabels];
  double text = 0;
  for (int64_t i = 0; i < labels.numel(); ++i)
    text += bytes[static_cast<size_t>(labels[i].item<int64_t>())];
  CHECK(metrics.at("loss_per_byte") ==
        Approx(metrics.at("mlm_loss") * static_cast<double>(labels.numel()) / text));
}

TEST_CASE("the bytes of a text's pieces are its own without the spaces, whatever the tokenizer") {
  const std::string text = "고양이는 밤에 잘 보고 낮에는 오래 잔다.";
  const auto spaces = static_cast<size_t>(std::ranges::count(text, ' '));
  const Tokenizer byte_bpe = Tokenizer::from_bytes(train_tokenizer(
      {"experiments/sample/corpus.txt"}, {.type = "byte_bpe", .vocab_size = 600}, true));
  for (const Tokenizer& one : {tokenizer(), byte_bpe}) {
    const std::vector<uint8_t> bytes = piece_bytes(one);
    size_t sum = 0;
    for (const int32_t id : one.encode(text)) sum += bytes[static_cast<size_t>(id)];
    CHECK(sum == text.size() - spaces);
  }
}

TEST_CASE("a piece that stands for one byte of a character counts as one byte") {
  const Tokenizer fallback = Tokenizer::from_bytes(train_tokenizer(
      {"experiments/sample/corpus.txt"}, {.vocab_size = 1500, .byte_fallback = true}, true));
  const std::vector<uint8_t> bytes = piece_bytes(fallback);
  const int32_t first = fallback.id("<0xEA>");  // of "ꙮ", which no vocabulary has
  REQUIRE(first != fallback.special().unk);
  CHECK(bytes[static_cast<size_t>(first)] == 1);
  const std::string text = "고양이ꙮ는 밤에 잘 보고 ꙮ";
  const std::vector<int32_t> ids = fallback.encode(text);
  CHECK(std::ranges::count(ids, first) >= 2);
  size_t sum = 0;
  for (const int32_t id : ids) sum += bytes[static_cast<size_t>(id)];
  CHECK(sum == text.size() - static_cast<size_t>(std::ranges::count(text, ' ')));
}

}  // namespace minibert
