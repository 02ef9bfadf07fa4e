// Sentences with a blank whose soft targets another program has made.
#include "task/pretrain/blanks.h"

#include <torch/optim/adam.h>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "data/instances/instances.h"
#include "support/scratch.h"
#include "task/pretrain/pretrain_task.h"
#include "task/trial.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Scratch;
using testing::tiny_bert;
using testing::tokenizer;
using testing::write_bytes;

constexpr uint64_t kBlankSeed = 5;
constexpr int kBlankSteps = 60;

// Two pieces that begin a word.
const std::vector<std::string>& beginnings() {
  static const std::vector<std::string> found = [] {
    std::vector<std::string> out;
    for (int32_t id = 0; out.size() < 2; ++id)
      if (tokenizer().starts_word(id) && id != tokenizer().lone_space())
        out.push_back(tokenizer().piece(id));
    return out;
  }();
  return found;
}

std::string line_of(const std::string& text, const nlohmann::json& targets) {
  return nlohmann::json{{"text", text}, {"targets", targets}}.dump() + "\n";
}

nlohmann::json two_targets() { return {{beginnings()[0], 0.25}, {beginnings()[1], 0.75}}; }

std::shared_ptr<const InstanceFile> blank_instances(const Scratch& folder) {
  create_instances({"experiments/sample/corpus.txt"}, tokenizer(),
                   {.sequence_length = 48, .sentence_task = SentenceTask::none, .limit = 20},
                   folder / "instances.h5", 1);
  return std::make_shared<const InstanceFile>(folder / "instances.h5");
}

}  // namespace

TEST_CASE("a blank has the mask where the text has it, and its targets by their probability") {
  const Scratch folder;
  write_bytes(folder / "blanks.jsonl", line_of("나는 [MASK]에 간다.", two_targets()) +
                                           line_of("[MASK]", {{beginnings()[0], 1}}));
  const Blanks blanks(folder / "blanks.jsonl", tokenizer(), nullptr);
  REQUIRE(blanks.size() == 2);
  MaskedInstance shown;
  blanks.instance(0, &shown);
  CHECK(shown.ids.size() == blanks.length(0));
  REQUIRE(shown.positions.size() == 1);
  CHECK(shown.ids[static_cast<size_t>(shown.positions[0])] == tokenizer().special().mask);
  CHECK(shown.labels[0] == tokenizer().id(beginnings()[1]));
  CHECK(shown.nsp == kNoSentenceTask);
  CHECK(blanks.targets(0)[1] == tokenizer().id(beginnings()[0]));
  blanks.instance(1, &shown);
  CHECK(shown.ids == std::vector<int32_t>{tokenizer().special().cls, tokenizer().special().mask,
                                          tokenizer().special().sep});
}

TEST_CASE("a line that is no blank is refused by its number") {
  const Scratch folder;
  const std::string good = line_of("[MASK]에 간다.", two_targets());
  nlohmann::json many;
  for (int32_t id = 0; many.size() <= static_cast<size_t>(kKeptPieces); ++id)
    if (tokenizer().starts_word(id)) many[tokenizer().piece(id)] = 0.05;
  const std::vector<std::pair<std::string, std::string>> refused = {
      {line_of("집에 간다.", two_targets()), "text: found 0 [MASK], expected one"},
      {line_of("[MASK] [MASK]", two_targets()), "text: found 2 [MASK], expected one"},
      {line_of("[MASK]", {{"▁없는조각", 1}}), "expected a piece of the vocabulary"},
      {line_of("[MASK]", {{"[MASK]", 1}}), "expected a piece of the vocabulary"},
      {line_of("[MASK]", {{beginnings()[0], 0}}), "found 0, expected more than 0"},
      {line_of("[MASK]", {{beginnings()[0], "a"}}), "found \"a\", expected more than 0"},
      {line_of("[MASK]", nlohmann::json::object()), "found 0 pieces, expected 1 to 16"},
      {line_of("[MASK]", many), "found 17 pieces, expected 1 to 16"},
      {"{\"text\": \"[MASK]\"}\n", "expected {\"text\""},
      {"나는\n", "expected {\"text\""}};
  for (const auto& [line, why] : refused) {
    write_bytes(folder / "blanks.jsonl", good + line);
    CHECK_THROWS_WITH(Blanks(folder / "blanks.jsonl", tokenizer(), nullptr),
                      Contains("blanks.jsonl:2: ") && Contains(why));
  }
  CHECK_THROWS_WITH(Blanks(folder / "none.jsonl", tokenizer(), nullptr),
                    Contains("none.jsonl: cannot be read"));
}

TEST_CASE("a blank that overlaps an evaluation text with its likeliest piece is left out") {
  const Scratch folder;
  std::string word = beginnings()[1];
  word.erase(0, std::string("▁").size());
  write_bytes(folder / "blanks.jsonl", line_of("나는 [MASK]에 간다.", two_targets()) +
                                           line_of("너는 [MASK]에 간다.", two_targets()));
  TextOverlap overlap;
  overlap.add("나는 " + word + "에 간다!");
  overlap.finish();
  const Blanks blanks(folder / "blanks.jsonl", tokenizer(), &overlap);
  CHECK(blanks.size() == 1);
  CHECK(blanks.excluded() == 1);
}

TEST_CASE("blanks stand beside instances, and a model learns their targets") {
  const Scratch folder;
  write_bytes(folder / "blanks.jsonl", line_of("나는 [MASK]에 간다.", two_targets()));
  const auto blanks = std::make_shared<const Blanks>(folder / "blanks.jsonl", tokenizer(), nullptr);
  const auto file = blank_instances(folder);
  const auto blank = static_cast<uint32_t>(file->size());
  CHECK(lengths_of(*file, blanks.get()).size() == file->size() + 1);
  CHECK(lengths_of(*file, blanks.get()).back() == blanks->length(0));
  const BatchSettings with{.blanks = blanks.get()};
  const auto model = std::make_shared<PretrainingModel>(tiny_bert(), false);
  model->initialize(kBlankSeed);
  PretrainTask task(model, {{file, {}, 1, 8}}, file, {.blanks = blanks}, torch::kCPU, kBlankSeed);

  SECTION("an instance's label is its only target, so that its loss is what it was") {
    const Batch hard = pretrain_batch(*file, {0, 1}, {}, kBlankSeed, 0);
    const Batch soft = pretrain_batch(*file, {0, 1}, with, kBlankSeed, 0);
    CHECK(hard.ids.equal(soft.ids));
    CHECK_FALSE(hard.targets[kTaughtPieces].defined());
    CHECK(soft.targets[kTaughtProbabilities].sum().item<double>() ==
          Approx(hard.targets[kLabels].size(0)));
    CHECK(task.step(soft, 1).loss.item<double>() ==
          Approx(task.step(hard, 1).loss.item<double>()).epsilon(1e-5));
  }
  SECTION("the blank's probabilities become those of its targets") {
    const Batch batch = pretrain_batch(*file, {blank}, with, kBlankSeed, 0);
    REQUIRE(batch.targets[kLabels].size(0) == 1);
    torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-2));
    for (int step = 0; step < kBlankSteps; ++step) {
      optimizer.zero_grad();
      task.step(batch, static_cast<uint64_t>(step)).loss.backward();
      optimizer.step();
    }
    torch::NoGradGuard no_grad;
    const torch::Tensor hidden = model->encode(batch.ids, batch.segments, batch.targets[kQueries]);
    const torch::Tensor p =
        model->mlm_logits(hidden, batch.targets[kMaskedQueries], batch.ids).softmax(1)[0];
    CHECK(p[tokenizer().id(beginnings()[0])].item<double>() == Approx(0.25).margin(0.05));
    CHECK(p[tokenizer().id(beginnings()[1])].item<double>() == Approx(0.75).margin(0.05));
  }
  SECTION("an epoch reads every instance and the blank once") {
    task.begin_epoch(0);
    int64_t examples = 0, of_blanks = 0;
    for (int64_t i = 0; i < task.batch_count(0); ++i) {
      const Batch batch = task.make_batch(i, {});
      examples += batch.whole.examples;
      of_blanks += batch.targets[kTaughtProbabilities].eq(0.25).any(1).sum().item<int64_t>();
    }
    CHECK(examples == static_cast<int64_t>(file->size()) + 1);
    CHECK(of_blanks == 1);
  }
}

}  // namespace minibert
