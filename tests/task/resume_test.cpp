// LSTM, BERT and pretraining: stopped anywhere and restored into a new trainer, a run ends with the
// same bits as one that was not stopped.
#include <catch2/catch.hpp>
#include <set>

#include "data/instances/instances.h"
#include "support/scratch.h"
#include "task/gru.h"
#include "task/pretrain/pretrain_task.h"
#include "task/qa/qa_task.h"
#include "task/trial.h"

namespace minibert {
namespace {

using testing::Scratch;
using testing::tokenizer;

constexpr const char* kTextFile = "experiments/sample/corpus.txt";
constexpr uint64_t kResumeSeed = 11;

BertConfig tiny_bert() {
  BertConfig config;
  config.vocab_size = tokenizer().size();
  config.d_model = config.embedding_size = 16;
  config.n_heads = 2;
  config.d_ff = 32;
  config.n_layers = 2;
  config.max_positions = 96;
  return config;
}

TrainConfig training(const std::string& monitor) {
  TrainConfig config;
  config.epochs = 3;
  config.batch_size = 8;
  config.monitor = monitor;
  config.schedule = "linear";
  config.warmup = 0.2;
  config.clip_norm = 1;
  config.log_every = 4;
  config.optimizer = {.type = "adamw", .lr = 3e-3, .weight_decay = 0.01};
  return config;
}

ModelConfig small_model(const std::string& kind) {
  if (kind == "bert") return tiny_bert();
  if (kind == "gru") return testing::GruConfig{.vocab_size = tokenizer().size(), .d_model = 16};
  return {LstmConfig{.vocab_size = tokenizer().size(), .d_model = 16}, kind};
}

std::unique_ptr<Task> question_task(const std::string& kind) {
  static const auto split = [] {
    QaSettings settings;
    settings.features.max_length = 96;
    QaSplit all = encode_questions(read_korquad("experiments/sample/train.json"), tokenizer(),
                                   settings.features, 1);
    all.examples.resize(44);
    return std::make_shared<const QaSplit>(std::move(all));
  }();
  QaSettings settings;
  settings.features.max_length = 96;
  settings.features.stride = 32;
  const auto model = std::make_shared<QaModel>(small_model(kind), 0);
  model->initialize(kResumeSeed);
  model->encoder().set_compute_type(torch::kBFloat16);
  return std::make_unique<QaTask>(model, split, split, settings, training("f1"), torch::kCPU,
                                  kResumeSeed);
}

// Two phases of other lengths and masking rates; `n_seq` instances of the sample text.
std::shared_ptr<const InstanceFile> packed_instances(int n_seq) {
  const Scratch folder;
  InstanceSettings settings;
  settings.sequence_length = n_seq;
  settings.limit = 36;
  create_instances({kTextFile}, tokenizer(), settings, folder / "instances.h5", 1);
  return std::make_shared<const InstanceFile>(folder / "instances.h5");
}

constexpr double kSteady = 0;  // masks: no other share at the end

std::unique_ptr<PretrainTask> pretraining(double first_end = kSteady, double second_end = kSteady,
                                          size_t phases = 2) {
  static const auto first = packed_instances(48), second = packed_instances(96);
  BertConfig config = tiny_bert();
  config.norm = "pre";
  config.mlm_transform = config.mlm_bias = true;
  const auto model = std::make_shared<PretrainingModel>(config);
  model->initialize(kResumeSeed);
  const MaskSettings mask;
  std::vector<PretrainPhase> all{{first, {.probability = 0.3}, 2, 8}, {second, mask, 1, 5}};
  all[0].mask_probability_end = first_end, all[1].mask_probability_end = second_end;
  all.resize(phases);
  return std::make_unique<PretrainTask>(
      model, all, first, PretrainOptions{.measuring = {.mask = mask}}, torch::kCPU, kResumeSeed);
}

// A whole epoch's masked pieces, where training stands at its steps.
std::vector<double> masked_by_step(PretrainTask& task, int64_t epoch, int64_t steps_before,
                                   int64_t steps) {
  std::vector<double> shares;
  task.begin_epoch(epoch);
  for (int64_t i = 0; i < task.batch_count(epoch); ++i) {
    const int64_t step = steps_before + i;
    task.set_position({step, steps, static_cast<double>(step) / static_cast<double>(steps)});
    const Batch batch = task.make_batch(i, {});
    shares.push_back(static_cast<double>(batch.whole.targets) /
                     static_cast<double>(batch.whole.tokens));
  }
  return shares;
}

struct Result {
  NamedTensors weights;
  std::vector<std::pair<int64_t, Metrics>> train, dev;
  int64_t steps = 0;
};

// Runs to the end; at each of `stops` the state goes through JSON text and memory into a new task
// and trainer.
template <class MakeTask>
Result run(const MakeTask& make_task, const TrainConfig& config, const std::set<int64_t>& stops) {
  struct Observer : TrainObserver {
    Result* result;
    int64_t stop = -1, step = 0;
    void on_step(const Progress& progress) override { step = progress.step; }
    void on_train_metrics(int64_t at, const Metrics& m) override {
      result->train.emplace_back(at, m);
    }
    void on_dev_metrics(int64_t, int64_t at, const Metrics& m, bool) override {
      result->dev.emplace_back(at, m);
    }
    bool wants_stop() override { return step == stop; }
  };
  Result result;
  auto task = make_task();
  auto trainer = std::make_unique<Trainer>(*task, config, torch::kCPU, kResumeSeed);
  Observer observer;
  observer.result = &result;
  for (const int64_t stop : stops) {
    observer.stop = stop;
    REQUIRE_FALSE(trainer->run(observer));
    REQUIRE(trainer->steps() == stop);
    const std::string numbers = trainer->numbers().dump();
    const NamedTensors state = trainer->snapshot();
    task = make_task();
    trainer = std::make_unique<Trainer>(*task, config, torch::kCPU, kResumeSeed);
    trainer->restore(nlohmann::json::parse(numbers), state);
  }
  observer.stop = -1;
  REQUIRE(trainer->run(observer));
  trainer->load_selected();
  for (const auto& item : task->module().named_parameters())
    result.weights.emplace_back(item.key(), item.value().detach().clone());
  result.steps = trainer->steps();
  return result;
}

template <class MakeTask>
void check_resume(const MakeTask& make_task, const TrainConfig& config) {
  const Result whole = run(make_task, config, {});
  const int64_t epoch = whole.dev.at(0).first;
  // After the first step, within an epoch, at its end before the evaluation, after it, at the last.
  const Result resumed = run(make_task, config, {1, epoch / 2 + 1, epoch, epoch + 1, whole.steps});
  CHECK(resumed.steps == whole.steps);
  CHECK(resumed.train == whole.train);
  CHECK(resumed.dev == whole.dev);
  REQUIRE(resumed.weights.size() == whole.weights.size());
  const auto start = make_task();
  size_t i = 0, moved = 0;
  for (const auto& item : start->module().named_parameters()) {
    INFO(item.key());
    CHECK(resumed.weights[i].second.equal(whole.weights[i].second));
    moved += !whole.weights[i++].second.equal(item.value());
  }
  CHECK(moved > whole.weights.size() / 2);
  const Result again = run(make_task, config, {});
  for (i = 0; i < whole.weights.size(); ++i)
    CHECK(again.weights[i].second.equal(whole.weights[i].second));
}

}  // namespace

TEST_CASE("an LSTM's training goes on bit for bit") {
  check_resume([] { return question_task("lstm_qa"); }, training("f1"));
}

TEST_CASE("a BERT's training in bfloat16 goes on bit for bit") {
  check_resume([] { return question_task("bert"); }, training("f1"));
}

TEST_CASE("a kind of model of the test's own goes on bit for bit") {
  check_resume([] { return question_task("gru"); }, training("f1"));
}

TEST_CASE("pretraining in two phases goes on bit for bit") {
  check_resume([] { return pretraining(); }, training("mlm_accuracy"));
}

TEST_CASE("pretraining with every other optimizer, schedule, mean and mask goes on bit for bit") {
  TrainConfig config = training("none");
  config.schedule = "trapezoid";
  config.cooldown = 0.4;
  config.average_from = 0.3;
  config.optimizer.type = "muon";
  config.optimizer.cautious_decay = true;
  check_resume([] { return pretraining(0.1, 0.4); }, config);
  config.max_steps = 14;
  check_resume([] { return pretraining(0.1, 0.4); }, config);
}

TEST_CASE("the share of masked pieces moves by step within each phase, to the end that is known") {
  const auto task = pretraining(0.05, 0.4);
  CHECK(task->follows_position());
  const std::vector<double> first = masked_by_step(*task, 0, 0, 18),
                            second = masked_by_step(*task, 1, 5, 18),
                            third = masked_by_step(*task, 2, 10, 18);
  CHECK(first.front() > 0.22);
  CHECK(second.front() < 0.2);
  CHECK(second.back() < 0.09);
  CHECK(third.front() < 0.16);
  CHECK(third.back() > 0.3);
  // A limit within the phase: the share comes to its end there.
  CHECK(masked_by_step(*task, 0, 0, 5).back() < 0.12);
  CHECK_FALSE(pretraining()->follows_position());
  CHECK(masked_by_step(*pretraining(0.3), 1, 5, 18) == masked_by_step(*pretraining(), 1, 5, 18));
}

TEST_CASE("a padded position never wins, however bad the real ones are") {
  for (const char* kind : {"bert", "lstm_qa"}) {
    CAPTURE(kind);
    QaModel model(small_model(kind), 0);
    model.initialize(kResumeSeed);
    torch::NoGradGuard no_grad;
    model.eval();
    model.named_parameters()["qa.bias"].fill_(-1e6);
    auto ids = torch::full({2, 20}, 9, torch::kInt64);
    ids[1].slice(0, 6).zero_();
    const auto logits = model.logits(ids, torch::zeros_like(ids));
    CHECK(logits.argmax(1)[1].max().item<int64_t>() < 6);
    CHECK(logits[1].slice(0, 6).eq(-1e9).all().item<bool>());
  }
}

TEST_CASE("pretraining phases follow one another with batches of their own") {
  const auto task = pretraining();
  CHECK(task->epochs() == 3);
  CHECK(task->batch_count(0) == 5);
  CHECK(task->batch_count(2) == 8);
  task->begin_epoch(2);
  const Batch batch = task->make_batch(0, {});
  CHECK(batch.examples <= 5);
  const torch::Tensor positions = batch.targets.at(kPositions), labels = batch.targets.at(kLabels);
  CHECK(labels.size(0) == positions.size(0));
  CHECK(batch.tokens == batch.ids.ne(0).sum().item<int64_t>());
  const auto seen = batch.ids.reshape(-1).index_select(0, positions);
  CHECK(seen.eq(kMask).sum().item<double>() > 0.5 * static_cast<double>(seen.numel()));
  CHECK(labels.ge(kFirstOrdinaryPiece).logical_or(labels.eq(kUnk)).all().item<bool>());
}

TEST_CASE("a phase has its own share of masked pieces, by word or by piece") {
  const auto file = packed_instances(96);
  // Masked positions of the first epoch's batches, and how many of them have a neighbour in their
  // own word that can be seen.
  const auto count = [&](double probability, double single_piece_share) {
    PretrainTask task(std::make_shared<PretrainingModel>(tiny_bert()),
                      {{file, {.probability = probability}, 1, 36, single_piece_share}}, file, {},
                      torch::kCPU, kResumeSeed);
    task.begin_epoch(0);
    const Batch batch = task.make_batch(0, {});
    const auto flat = batch.ids.reshape(-1);
    std::set<int64_t> masked;
    const torch::Tensor positions = batch.targets.at(kPositions);
    for (int64_t i = 0; i < positions.numel(); ++i) masked.insert(positions[i].item<int64_t>());
    int64_t partial = 0;
    for (const int64_t at : masked) {
      if (at + 1 >= flat.numel() || masked.count(at + 1) != 0) continue;
      const auto next = flat[at + 1].item<int32_t>();
      partial += next >= kFirstOrdinaryPiece && !tokenizer().starts_word(next);
    }
    return std::pair(static_cast<double>(masked.size()), partial);
  };
  const auto [words, partial_words] = count(0.15, 0);
  const auto [more, partial_more] = count(0.3, 0);
  const auto [pieces, partial_pieces] = count(0.15, 1);
  CHECK(more > 1.8 * words);
  CHECK(partial_words == 0);
  CHECK(partial_more == 0);
  CHECK(pieces == Approx(words).epsilon(0.1));
  CHECK(partial_pieces > static_cast<int64_t>(0.2 * pieces));
}

TEST_CASE("an instance longer than the model's positions is an error that names its file") {
  BertConfig config = tiny_bert();
  config.max_positions = 40;
  const auto file = packed_instances(96);
  CHECK_THROWS_WITH(PretrainTask(std::make_shared<PretrainingModel>(config), {{file, {}, 1, 8}},
                                 file, {}, torch::kCPU, 1),
                    Catch::Matchers::Contains("instances.h5: an instance has") &&
                        Catch::Matchers::Contains("expected at most model.max_positions 40"));
}

}  // namespace minibert
