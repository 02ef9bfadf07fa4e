// Several processes' evaluation equals one's, bit for bit, in every task.
#include <catch2/catch.hpp>

#include "core/rng.h"
#include "data/instances/instances.h"
#include "task/pretrain/pretrain_evaluate.h"
#include "task/trial.h"
#include "train/processes.h"

namespace minibert {
namespace {

using testing::Files;
using testing::has_gloo;
using testing::some_processes;
using testing::together;
using testing::tokenizer;
using testing::Trial;

constexpr int kProcesses = 2;
constexpr int kExamples = 150;  // more than two batches of an evaluation

const nlohmann::json kSpreadBert = {{"kind", "bert"}, {"d_model", 16}, {"n_heads", 2},
                                    {"d_ff", 32},     {"n_layers", 2}, {"max_positions", 256},
                                    {"dropout", 0}};

// Words of a language that has eight, of another number in every example.
std::string words(int example) {
  static const std::vector<std::string> all = {"서울", "부산",     "사람",   "영화",
                                               "좋은", "대한민국", "이었다", "3월"};
  Rng rng(1, "words", static_cast<uint64_t>(example));
  std::string out;
  for (uint64_t i = 0; i <= static_cast<uint64_t>(example) % 13; ++i)
    out += (i > 0 ? " " : "") + all[rng.below(all.size())];
  return out;
}

Files spread_reviews() {
  std::string text = "label\ttext\n";
  for (int i = 0; i < kExamples; ++i)
    text += std::string(i % 3 == 0 ? "good" : "bad") + "\t" + words(i) + "\n";
  TableLayout layout;
  layout.text = {"text"};
  layout.label = "label";
  return {"table", layout, text, text};
}

Files alternatives() {
  std::string text = "a\t1\t2\tlabel\n";
  for (int i = 0; i < kExamples; ++i)
    text += words(i) + "\t" + words(i + 1) + "\t" + words(i + 2) + "\t" +
            std::to_string(i % 2 + 1) + "\n";
  TableLayout layout;
  layout.text = {"a"};
  layout.label = "label";
  layout.choices = {"1", "2"};
  return {"table", layout, text, text};
}

Files tags() {
  std::string text;
  for (int i = 0; i < kExamples; ++i) {
    text += "서\tB-LC\n울\tI-LC\n";
    for (int k = 0; k < i % 13; ++k) text += " \tO\n사\tB-PS\n람\tO\n";
    text += "\n";
  }
  return {"tags", {}, text, text};
}

Files spread_questions() {
  nlohmann::json all = nlohmann::json::array();
  for (int i = 0; i < kExamples; ++i)
    all.push_back({{"id", std::to_string(i)},
                   {"question", words(i)},
                   {"answers", {{{"text", "서울"}, {"answer_start", 0}}}}});
  nlohmann::json paragraphs = nlohmann::json::array();
  for (size_t i = 0; i < all.size(); i += 10)
    paragraphs.push_back({{"context", "서울 은 " + words(static_cast<int>(i))},
                          {"qas", nlohmann::json(all.begin() + static_cast<ptrdiff_t>(i),
                                                 all.begin() + static_cast<ptrdiff_t>(i + 10))}});
  const std::string text =
      nlohmann::json{{"data", {{{"title", "t"}, {"paragraphs", paragraphs}}}}}.dump();
  return {"korquad", {}, text, text};
}

void check_equal(const Evaluation& one, const Evaluation& other) {
  CHECK(one.metrics == other.metrics);
  REQUIRE(one.predictions);
  REQUIRE(other.predictions);
  CHECK(one.predictions->id == other.predictions->id);
  CHECK(one.predictions->texts == other.predictions->texts);
  CHECK(one.predictions->numbers == other.predictions->numbers);
}

}  // namespace

TEST_CASE("a task measured by two processes has the metrics and predictions of one", "[gloo]") {
  if (!has_gloo()) return;
  const std::string task = GENERATE("classification", "choice", "tagging", "korquad");
  CAPTURE(task);
  const Files files = task == "classification" ? spread_reviews()
                      : task == "choice"       ? alternatives()
                      : task == "tagging"      ? tags()
                                               : spread_questions();
  nlohmann::json more = nlohmann::json::object();
  if (task == "korquad") more["features"] = {{"max_length", 64}, {"max_question", 24}};
  Trial alone(task, files, kSpreadBert, more);
  const Evaluation expected = alone.made->evaluate(Split::test, nullptr);
  std::vector<std::unique_ptr<Trial>> trials;
  for (int rank = 0; rank < kProcesses; ++rank)
    trials.push_back(std::make_unique<Trial>(task, files, kSpreadBert, more));
  std::vector<Evaluation> found(kProcesses);
  const auto ends = together(some_processes(kProcesses), [&](Workers& workers) {
    const auto rank = static_cast<size_t>(workers.rank());
    found[rank] = trials[rank]->made->evaluate(Split::test, &workers);
  });
  CHECK(ends == std::vector<std::string>(kProcesses));
  for (const Evaluation& one : found) check_equal(one, expected);
}

TEST_CASE("pretraining measured by two processes has the figures of one, by kind too", "[gloo]") {
  if (!has_gloo()) return;
  const testing::Scratch folder;
  create_instances({"experiments/sample/corpus.txt"}, tokenizer(),
                   {.sequence_length = 48, .limit = 60}, folder / "instances.h5", 1);
  const InstanceFile instances(folder / "instances.h5");
  const auto measure = [&](Workers* workers) {
    PretrainingModel model(testing::tiny_bert());
    model.initialize(5);
    model.eval();
    return evaluate_pretraining(model, instances,
                                {.mask = {.probability = 0.3}, .tokenizer = &tokenizer()}, 5,
                                torch::kCPU, workers, 8);
  };
  const Evaluation expected = measure(nullptr);
  CHECK(expected.metrics.contains("nsp_loss"));
  CHECK(expected.metrics.contains("mlm_loss_unseen"));
  std::vector<Evaluation> found(kProcesses);
  const auto ends = together(some_processes(kProcesses), [&](Workers& workers) {
    found[static_cast<size_t>(workers.rank())] = measure(&workers);
  });
  CHECK(ends == std::vector<std::string>(kProcesses));
  for (const Evaluation& one : found) check_equal(one, expected);
}

}  // namespace minibert
