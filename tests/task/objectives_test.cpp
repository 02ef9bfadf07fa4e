// Pretraining's objectives besides masked pieces: the next piece, and a teacher's knowledge.
#include <torch/optim/adam.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "core/files.h"
#include "data/instances/instances.h"
#include "model/config.h"
#include "support/scratch.h"
#include "task/pretrain/pretrain_task.h"
#include "task/trial.h"
#include "task/weights.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Scratch;
using testing::tiny_bert;
using testing::tokenizer;

constexpr uint64_t kObjectiveSeed = 5;

std::shared_ptr<const InstanceFile> objective_instances(int length = 48) {
  const Scratch folder;
  create_instances({"experiments/sample/corpus.txt"}, tokenizer(),
                   {.sequence_length = length, .sentence_task = SentenceTask::none, .limit = 20},
                   folder / "instances.h5", 1);
  return std::make_shared<const InstanceFile>(folder / "instances.h5");
}

// A pretraining run as a record: its model with weights from a seed.
RunRecord teacher_record(const BertConfig& config) {
  PretrainingModel model(config, /*sentence_head=*/false);
  model.initialize(kObjectiveSeed);
  RunRecord record;
  record.status = "finished";
  record.arm = "teacher";
  record.tokenizer_model = tokenizer().bytes();
  record.config = {{"task", "pretrain"},
                   {"model", to_json(config)},
                   {"instances", {{"sentence_task", "none"}}},
                   {"arms", {{{"name", "teacher"}}}}};
  record.weights = to_record(weights_of(model));
  return record;
}

}  // namespace

TEST_CASE("with clm every position predicts the piece behind it, from what is before it") {
  const auto file = objective_instances();
  const Batch batch =
      pretrain_batch(*file, {3, 7}, {.objective = Objective::clm}, kObjectiveSeed, 0);
  const auto& positions = batch.targets[kPositions];
  const auto flat = batch.ids.reshape(-1);
  CHECK_FALSE(batch.targets[kQueries].defined());
  CHECK(batch.ids.ne(kMask).all().item<bool>());
  CHECK(positions.numel() == batch.tokens - 2 * 2);  // neither [SEP] nor what is behind it
  CHECK(flat.index_select(0, positions + 1).equal(batch.targets[kLabels]));

  BertConfig config = tiny_bert();
  config.causal = true;
  const auto model = std::make_shared<PretrainingModel>(config, false);
  model->initialize(kObjectiveSeed);
  PretrainTask task(model, {{file, {}, 1, 8}}, file, {.measuring = {.objective = Objective::clm}},
                    torch::kCPU, kObjectiveSeed);
  const StepOutput before = task.step(batch, 1);
  // Later pieces change no earlier guess: the first half alone has the same loss.
  auto half = batch;
  half.targets[kPositions] = half.targets[kMaskedQueries] = positions.slice(0, 0, 10);
  half.targets[kLabels] = batch.targets[kLabels].slice(0, 0, 10);
  const double of_whole = task.step(half, 1).loss.item<double>();
  half.ids = batch.ids.clone();
  half.ids.slice(1, 11).fill_(9);
  CHECK(task.step(half, 1).loss.item<double>() == Approx(of_whole).epsilon(1e-6));
  CHECK(before.metrics.count("lm_loss") == 1);
  CHECK(before.metrics.count("mlm_loss") == 0);
}

TEST_CASE("instances without a sentence task stand beside others and count as nothing for it") {
  const Scratch folder;
  write_file_atomically(folder / "text.txt",
                        "하나의 문장이다.\n\n제목\n첫 문단이다.\n둘째 문단이다.\n");
  create_instances({folder / "text.txt"}, tokenizer(), {.lone_paragraphs = true},
                   folder / "instances.h5", 1);
  const InstanceFile file(folder / "instances.h5");
  REQUIRE(file.size() == 2);
  CHECK_FALSE(pretrain_batch(file, {0}, {}, kObjectiveSeed, 0).targets[kNsp].defined());
  const torch::Tensor mixed = pretrain_batch(file, {0, 1}, {}, kObjectiveSeed, 0).targets[kNsp];
  REQUIRE(mixed.size(0) == 2);
  CHECK(mixed[0].item<int64_t>() == kIgnoredLabel);
  CHECK(mixed[1].item<int64_t>() == file.nsp(1));
}

TEST_CASE("nsp_double_softmax trains the sentence task as the notebook does, through two layers") {
  const Scratch folder;
  create_instances({"experiments/sample/corpus.txt"}, tokenizer(),
                   {.sequence_length = 48, .limit = 20}, folder / "instances.h5", 1);
  const auto file = std::make_shared<const InstanceFile>(folder / "instances.h5");
  const auto model = std::make_shared<PretrainingModel>(tiny_bert());
  model->initialize(kObjectiveSeed);
  torch::Tensor logits_B2, follows_B;
  const auto loss = [&](bool twice) {
    PretrainTask task(model, {{file, {}, 1, 8}}, file, {.nsp_double_softmax = twice}, torch::kCPU,
                      kObjectiveSeed);
    task.begin_epoch(0);
    const Batch batch = task.make_batch(0, {});
    logits_B2 = model->nsp(model->encode(batch.ids, batch.segments, batch.targets[kQueries]));
    follows_B = batch.targets[kNsp];
    return task.step(batch, 0).loss.item<double>();
  };
  const double more = loss(true) - loss(false);
  const auto entropy = [&](const torch::Tensor& of) {
    return torch::nn::functional::cross_entropy(of, follows_B).item<double>();
  };
  CHECK(std::abs(more) > 1e-3);
  CHECK(more == Approx(entropy(logits_B2.softmax(-1)) - entropy(logits_B2)).margin(1e-5));
}

TEST_CASE("dev instances longer than the model reads are told before training") {
  BertConfig config = tiny_bert();
  config.max_positions = 32;
  const auto model = std::make_shared<PretrainingModel>(config, false);
  CHECK_THROWS_WITH(PretrainTask(model, {{objective_instances(24), {}, 1, 4}},
                                 objective_instances(48), {}, torch::kCPU, kObjectiveSeed),
                    Contains("expected at most model.max_positions 32"));
}

TEST_CASE("a student starts from every other layer of its teacher and learns what it gives") {
  const Scratch folder;
  const std::string path = folder / "teacher.h5";
  save_record(teacher_record(tiny_bert(4)), path);
  const auto file = objective_instances();
  const Batch batch = pretrain_batch(*file, {0, 1, 2, 3}, {}, kObjectiveSeed, 0);
  const auto made = [&](int64_t layers, const DistillationSettings& settings) {
    const auto student = std::make_shared<PretrainingModel>(tiny_bert(layers), false);
    student->initialize(kObjectiveSeed + 1);
    const auto distillation = std::make_shared<const Distillation>(
        settings, path, tiny_bert(layers), tokenizer(), Compute{});
    distillation->start(*student);
    return std::pair(student, distillation);
  };
  const auto loss = [&](PretrainingModel& student, const Distillation& distillation,
                        MlmOutput* mlm) {
    const auto hidden = student.encode(batch.ids, batch.segments, batch.targets[kQueries]);
    return distillation.loss(student, hidden, batch, mlm);
  };
  MlmOutput mlm;

  SECTION("which of half the layers are the first and the third") {
    const auto [student, distillation] = made(2, {});
    const NamedTensors teacher = from_record(load_record(path).weights);
    for (const auto& [name, tensor] : weights_of(*student)) {
      std::string from = name;
      if (const size_t at = from.find("layers.1."); at != std::string::npos)
        from.replace(at, 9, "layers.2.");
      INFO(name);
      const auto found =
          std::ranges::find_if(teacher, [&](const auto& one) { return one.first == from; });
      REQUIRE(found != teacher.end());
      CHECK(tensor.equal(found->second));
    }
    CHECK(distillation->weights_sha256() == weights_sha256(load_record(path).weights));
    const double all = loss(*student, *distillation, &mlm).item<double>();
    CHECK(all > 2 * mlm.loss.item<double>());
  }
  SECTION("and which leaves the masked pieces alone to learn for one who knows it all") {
    const auto [student, distillation] =
        made(4, {.teacher = path, .temperature = 3, .mlm_weight = 0.5});
    const double all = loss(*student, *distillation, &mlm).item<double>();
    CHECK(all == Approx(0.5 * mlm.loss.item<double>()).epsilon(1e-5));
    const auto hidden = student->encode(batch.ids, batch.segments, batch.targets[kQueries]);
    const MlmOutput plain =
        student->mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels], batch.ids);
    CHECK(mlm.loss.item<double>() == Approx(plain.loss.item<double>()).epsilon(1e-5));
    CHECK(mlm.correct.item<int64_t>() == plain.correct.item<int64_t>());
  }
  SECTION("and of a batch without a masked piece it learns the hidden states alone") {
    Batch unmasked = batch;
    unmasked.targets[kMaskedQueries] = batch.targets[kMaskedQueries].slice(0, 0, 0);
    unmasked.targets[kLabels] = batch.targets[kLabels].slice(0, 0, 0);
    unmasked.whole.targets = 0;
    const auto [student, distillation] = made(2, {});
    const auto hidden = student->encode(batch.ids, batch.segments, batch.targets[kQueries]);
    const torch::Tensor one = distillation->loss(*student, hidden, unmasked, &mlm);
    CHECK(std::isfinite(one.item<double>()));
    CHECK(one.item<double>() > 0);
    CHECK(mlm.loss.item<double>() == 0);
    one.backward();
  }
  SECTION("and a step with it brings the student nearer to the teacher") {
    const auto [student, distillation] = made(2, {.teacher = path, .mlm_weight = 0});
    torch::optim::Adam optimizer(student->parameters(), 0.003);
    const double first = loss(*student, *distillation, &mlm).item<double>();
    for (int i = 0; i < 30; ++i) {
      optimizer.zero_grad();
      loss(*student, *distillation, &mlm).backward();
      optimizer.step();
    }
    CHECK(loss(*student, *distillation, &mlm).item<double>() < 0.8 * first);
  }
  SECTION("of whose width it need not be where hidden states are not compared") {
    BertConfig wider = tiny_bert(2);
    wider.d_model = wider.embedding_size = 32;
    const auto student = std::make_shared<PretrainingModel>(wider, false);
    student->initialize(kObjectiveSeed + 1);
    const Distillation distillation({.teacher = path, .mlm_weight = 0, .cosine_weight = 0}, path,
                                    wider, tokenizer(), Compute{});
    distillation.start(*student);
    torch::optim::Adam optimizer(student->parameters(), 0.003);
    const double first = loss(*student, distillation, &mlm).item<double>();
    for (int i = 0; i < 30; ++i) {
      optimizer.zero_grad();
      loss(*student, distillation, &mlm).backward();
      optimizer.step();
    }
    CHECK(loss(*student, distillation, &mlm).item<double>() < 0.8 * first);
  }
  SECTION("but has the teacher's tokenizer and else its hidden size") {
    BertConfig wider = tiny_bert(2);
    wider.d_model = wider.embedding_size = 32;
    CHECK_THROWS_WITH(Distillation({}, path, wider, tokenizer(), Compute{}),
                      Contains("model.d_model: found 32, expected the teacher's 16"));
    const Tokenizer other = Tokenizer::from_bytes(
        train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1200}, true));
    CHECK_THROWS_WITH(Distillation({}, path, tiny_bert(2), other, Compute{}),
                      Contains("was trained with another tokenizer"));
  }
  SECTION("which guesses masked pieces, of instances as long") {
    RunRecord record = teacher_record(tiny_bert(4));
    record.data = {{"encoder_only", true}};
    save_record(record, path);
    CHECK_THROWS_WITH(Distillation({}, path, tiny_bert(2), tokenizer(), Compute{}),
                      Contains(path + " has no trained masked-LM head"));
    CHECK_NOTHROW(Distillation({.teacher = path, .soft_weight = 0}, path, tiny_bert(2), tokenizer(),
                               Compute{}));
    record.data = {};
    record.config["arms"][0]["train"]["objective"] = "clm";
    save_record(record, path);
    CHECK_THROWS_WITH(Distillation({}, path, tiny_bert(2), tokenizer(), Compute{}),
                      Contains("with objective \"clm\", expected \"mlm\""));
    record.config["arms"][0].erase("train");
    save_record(record, path);
    const Distillation distillation({}, path, tiny_bert(2), tokenizer(), Compute{});
    const int64_t most = tiny_bert(4).max_positions;
    CHECK_NOTHROW(distillation.check_length(most));
    CHECK_THROWS_WITH(distillation.check_length(most + 1),
                      Contains(path + " reads at most " + std::to_string(most) + " pieces"));
  }
}

}  // namespace minibert
