// Question answering learns a small set by heart; its floors, several right answers, overlap segments.
#include <catch2/catch.hpp>

#include "task/qa/qa_task.h"
#include "task/trial.h"
#include "task/weights.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Files;
using testing::Trial;

nlohmann::json question(const std::string& id, const std::string& text,
                        const std::vector<std::pair<std::string, int>>& answers) {
  nlohmann::json out = {{"id", id}, {"question", text}, {"answers", nlohmann::json::array()}};
  for (const auto& [answer, start] : answers)
    out["answers"].push_back({{"text", answer}, {"answer_start", start}});
  return out;
}

std::string questions(const std::string& prefix) {
  const nlohmann::json paragraphs = {
      {{"context", "세종 대왕은 1443년 훈민정음을 만들었다. 수도는 한양 이었다."},
       {"qas",
        {question(prefix + "1", "훈민정음을 누가 만들었나?", {{"세종", 0}, {"세종 대왕", 0}}),
         question(prefix + "2", "훈민정음을 만든 해는 몇 년인가?", {{"1443년", 7}})}}},
      {{"context", "서울 은 한국의 수도이다. 인구는 천만 명이다."},
       {"qas", {question(prefix + "3", "한국의 수도는 어디인가?", {{"서울", 0}})}}}};
  return nlohmann::json{{"data", {{{"title", prefix}, {"paragraphs", paragraphs}}}}}.dump();
}

// Questions of the dev split have ids of their own: those of the test split are left out of it.
struct QuestionFiles : Files {
  QuestionFiles() : Files("korquad", {}, questions("train"), questions("test")) {
    testing::write_bytes(folder / "dev.tsv", questions("dev"));
  }
};

const nlohmann::json kBert = {{"kind", "bert"}, {"d_model", 16},       {"n_heads", 2}, {"d_ff", 32},
                              {"n_layers", 1},  {"max_positions", 64}, {"dropout", 0}};
const nlohmann::json kLstm = {{"kind", "lstm"}, {"d_model", 16}};

nlohmann::json features(bool overlap) {
  return {{"features", {{"max_length", 64}, {"max_question", 24}, {"overlap", overlap}}}};
}

}  // namespace

TEST_CASE("spans are learnt with and without segments that tell the overlap") {
  const QuestionFiles set;
  for (const nlohmann::json& model : {kBert, kLstm}) {
    for (const bool overlap : {false, true}) {
      CAPTURE(model.dump(), overlap);
      Trial trial("korquad", set, model, features(overlap));
      CHECK(trial.learn().metrics.at("exact_match") == 100);
      CHECK(trial.made->model_config().at("segments") == (overlap ? 4 : 2));
    }
  }
}

TEST_CASE("answers without a piece are left out of training") {
  QaSettings settings;
  settings.features.max_length = 64, settings.features.max_question = 24;
  QaSplit all = encode_questions(read_korquad("experiments/sample/train.json"),
                                 testing::tokenizer(), settings.features, 1);
  all.examples.resize(6);
  for (QaExample& example : all.examples) example.start = 3, example.end = 4;
  all.examples[1].end = 2;
  all.examples[2].start = 0, all.examples[2].end = UINT32_MAX;
  const auto split = std::make_shared<const QaSplit>(all);
  const ModelConfig config = testing::tiny_bert();
  const auto model = std::make_shared<QaModel>(config, /*answer_lengths=*/8);
  CHECK(QaTask(model, split, split, settings, {}, torch::kCPU, 1).discarded() == 2);
}

TEST_CASE("an encoder of two segments starts one of four, the new ones as the last") {
  const QuestionFiles set;
  Trial plain("korquad", set, kBert, features(false));
  RunRecord record;
  record.status = "finished";
  record.config = {{"task", "korquad"}, {"model", plain.made->model_config()}};
  record.config["model"]["vocab_size"] = testing::tokenizer().size();
  record.tokenizer_model = testing::tokenizer().bytes();
  record.weights = to_record(weights_of(plain.made->module()));
  const testing::Scratch folder;
  const std::string path = folder / "start.h5";
  save_record(record, path);

  Trial wide("korquad", set, kBert, features(true));
  ArmConfig config = wide.config;
  config.init_from = path;
  config.model = nullptr;
  const auto arm = wide.kind.make_arm({.config = config}, *wide.data);
  const auto before = plain.made->module().named_parameters()["bert.embeddings.segment.weight"];
  const auto after = arm->module().named_parameters()["bert.embeddings.segment.weight"];
  REQUIRE(after.size(0) == 4);
  for (int64_t row = 0; row < 4; ++row) CHECK(after[row].equal(before[std::min<int64_t>(row, 1)]));
}

TEST_CASE("any of several right answers counts, and all stand in the predictions") {
  const QuestionFiles set;
  Trial floor("korquad", set, {{"kind", "majority"}}, features(false));
  const Evaluation result = floor.learn();
  // One word at the beginning is the most frequent answer of training.
  CHECK(result.predictions->texts.at("prediction") ==
        std::vector<std::string>{"세종", "세종", "서울"});
  CHECK(result.predictions->texts.at("gold").at(0) == "세종\n세종 대왕");
  CHECK(result.predictions->texts.at("cluster").size() == 3);
  CHECK(result.metrics.at("exact_match") == Approx(200.0 / 3));
  CHECK(result.metrics.at("questions") == 3);
}

TEST_CASE("the overlap floor finds what stands beside the question's words, without training") {
  const QuestionFiles set;
  Trial floor("korquad", set, {{"kind", "overlap"}}, features(false));
  const Evaluation result = floor.learn();
  CHECK(result.predictions->texts.at("prediction").at(1) == "1443년");
  CHECK(floor.made->model_config() == nlohmann::json{{"kind", "overlap"}});
}

TEST_CASE("models and features of question answering that do not fit are told") {
  const QuestionFiles set;
  CHECK_THROWS_WITH(Trial("korquad", set, {{"kind", "overlap"}, {"d_model", 8}}, features(false)),
                    Contains("model.d_model: unknown key"));
  CHECK_THROWS_WITH(Trial("korquad", set, {{"kind", "bag"}, {"d_model", 8}}, features(true)),
                    Contains("model.kind: found \"bag\", expected bert or lstm"));
}

TEST_CASE("a split that two titles leave without questions is refused, not measured as 0") {
  QuestionFiles set;
  nlohmann::json all = nlohmann::json::parse(questions("문서0"));
  all["data"].push_back(nlohmann::json::parse(questions("문서1"))["data"][0]);
  testing::write_bytes(set.folder / "train.tsv", all.dump());
  set.data.set.files.resize(1), set.data.files.resize(1);
  set.data.set.files[0].split = "all";
  set.data.set.articles = ArticleSplit{"all", 70, 10, 20};
  Trial trial("korquad", set, kLstm, features(false));
  CHECK(trial.data->examples() ==
        std::map<std::string, size_t>{{"train", 3}, {"dev", 3}, {"test", 0}});
  CHECK(trial.made->evaluate(Split::dev, nullptr).metrics.at("questions") == 3);
  CHECK_THROWS_WITH(trial.made->evaluate(Split::test, nullptr),
                    "the data set has no questions for split \"test\"");
}

}  // namespace minibert
