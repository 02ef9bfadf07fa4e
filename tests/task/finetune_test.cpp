// Every kind of fine-tuning task learns a small set by heart, beats its floor, and comes back from its
// weights alone; what is wrong with the data is one line.
#include <catch2/catch.hpp>
#include <cmath>

#include "task/sequence/objective.h"
#include "task/start.h"
#include "task/trial.h"
#include "task/weights.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Files;
using testing::Trial;

TableLayout layout(std::vector<std::string> text, const std::string& label) {
  TableLayout out;
  out.text = std::move(text);
  out.label = label;
  return out;
}

const std::string kReviews =
    "label\ttext\n1\t정말 좋은 영화\n0\t정말 나쁜 영화\n1\t아주 좋은 음악\n0\t아주 나쁜 음악\n"
    "1\t좋은 이야기였다\n0\t나쁜 이야기였다\n1\t참 좋은 책\n0\t참 나쁜 책\n1\t좋은 날\n";

Files reviews() {
  TableLayout with_labels = layout({"text"}, "label");
  with_labels.labels = {{"0", "bad"}, {"1", "good"}};
  return {"table", with_labels, kReviews, kReviews};
}

const nlohmann::json kBag = {{"kind", "bag"}, {"d_model", 8}, {"head_dropout", 0}};
const nlohmann::json kSmallLstm = {{"kind", "lstm"}, {"d_model", 16}, {"head_dropout", 0}};
const nlohmann::json kSmallBert = {{"kind", "bert"},   {"d_model", 16}, {"n_heads", 2},
                                   {"d_ff", 32},       {"n_layers", 1}, {"dropout", 0},
                                   {"head_dropout", 0}};

}  // namespace

TEST_CASE("classification learns labels with every encoder and either pooling") {
  const Files files = reviews();
  nlohmann::json mean = kSmallBert;
  mean["pooling"] = "mean";
  for (const nlohmann::json& model : {kBag, kSmallLstm, kSmallBert, mean}) {
    CAPTURE(model.dump());
    Trial trial("classification", files, model);
    const Evaluation result = trial.learn();
    CHECK(result.metrics.at("accuracy") == 1);
    CHECK(result.metrics.at("macro_f1") == 1);
    REQUIRE(result.predictions);
    CHECK(result.predictions->texts.at("prediction").at(1) == "bad");
    CHECK(result.predictions->numbers.at("accuracy").size() == 9);
    CHECK(trial.made->model_config().at("labels") == nlohmann::json{"bad", "good"});
  }
}

TEST_CASE("a stored run gives the same predictions without its training data") {
  const Files files = reviews();
  Trial trial("classification", files, kSmallBert);
  const Evaluation result = trial.learn();
  RunRecord record;
  record.config = {{"task", "classification"}, {"model", trial.made->model_config()}};
  record.weights = to_record(weights_of(trial.made->module()));
  const auto again = trial.kind.make_arm(
      {.config = trial.config, .seed = 99, .stored = &record, .stored_file = "own.h5"},
      *trial.data);
  const Evaluation same = again->evaluate(Split::test, nullptr);
  CHECK(same.predictions->numbers.at("probability") ==
        result.predictions->numbers.at("probability"));
}

TEST_CASE("the floor answers with what is most frequent in training") {
  const Files files = reviews();
  Trial trial("classification", files, {{"kind", "majority"}});
  const Evaluation result = trial.learn();
  CHECK(result.metrics.at("accuracy") == Approx(5.0 / 9));
  CHECK(result.metrics.at("matthews") == 0);
  CHECK_THROWS_WITH(Trial("classification", files, {{"kind", "majority"}, {"d_model", 8}}),
                    Contains("model.d_model: unknown key"));
}

TEST_CASE("regression learns numbers, choice the better alternative") {
  TableLayout pairs = layout({"a"}, "score");
  pairs.pair = "b";
  const std::string alike =
      "a\tb\tscore\n좋은 날\t좋은 날\t5\n좋은 날\t나쁜 책\t0.5\n참 좋은 책\t참 좋은 책\t4.5\n"
      "나쁜 영화\t좋은 음악\t1\n";
  Trial numbers("regression", Files("table", pairs, alike, alike), kSmallLstm);
  const Evaluation number = numbers.learn();
  CHECK(number.metrics.at("pearson") > 0.95);
  CHECK(number.predictions->numbers.at("gold").at(1) == 0.5);
  // The second pair has the first one's text.
  CHECK(number.predictions->texts.at("cluster") ==
        std::vector<std::string>{"test-1", "test-1", "test-3", "test-4"});

  TableLayout choices = layout({"a"}, "label");
  choices.choices = {"1", "2"};
  const std::string ways =
      "a\t1\t2\tlabel\n비가 왔다\t길이 젖었다\t길이 말랐다\t1\n"
      "해가 났다\t길이 젖었다\t길이 말랐다\t2\n비가 많이 왔다\t길이 말랐다\t길이 젖었다\t2\n";
  Trial choice("choice", Files("table", choices, ways, ways), kSmallLstm);
  const Evaluation chosen = choice.learn();
  CHECK(chosen.metrics.at("accuracy") == 1);
  CHECK(chosen.predictions->texts.at("prediction") == std::vector<std::string>{"1", "2", "2"});
  CHECK(chosen.predictions->texts.at("cluster") == chosen.predictions->id);
  CHECK_FALSE(chosen.metrics.contains("macro_f1"));
}

TEST_CASE("numbers that are far from 1 are learnt in their own deviation") {
  std::string marks = "label\ttext\n";
  for (const auto& [number, text] :
       {std::pair("90", "정말 좋은 날"), std::pair("10", "정말 나쁜 책"),
        std::pair("85", "참 좋은 음악"), std::pair("15", "참 나쁜 영화"),
        std::pair("50", "그냥 책")})
    marks += std::string(number) + "\t" + text + "\n";
  const Files files("table", layout({"text"}, "label"), marks, marks);
  nlohmann::json by_deviation = kSmallLstm;
  by_deviation["output_unit"] = "deviation";
  Trial trial("regression", files, by_deviation);
  const Evaluation first = trial.made->evaluate(Split::test, nullptr);
  for (const double found : first.predictions->numbers.at("prediction"))
    CHECK(found == Approx(50).margin(40));  // the mean, as far as the weights say nothing
  const Evaluation learnt = trial.learn();
  CHECK(learnt.metrics.at("squared_error") < 10);
  CHECK(learnt.predictions->numbers.at("gold").at(0) == 90);
  CHECK(learnt.predictions->numbers.at("prediction").at(0) == Approx(90).margin(10));

  // The record says what the output counts, and needs no training data to give the same numbers.
  const nlohmann::json model = trial.made->model_config();
  CHECK(model.at("output_mean") == 50);
  CHECK(model.at("output_deviation").get<double>() == Approx(std::sqrt(1130.0)));
  RunRecord record;
  record.config = {{"task", "regression"}, {"model", model}};
  record.weights = to_record(weights_of(trial.made->module()));
  const auto numbers_of = [&] {
    return trial.kind
        .make_arm({.config = trial.config, .seed = 99, .stored = &record, .stored_file = "own.h5"},
                  *trial.data)
        ->evaluate(Split::test, nullptr)
        .predictions->numbers.at("prediction");
  };
  CHECK(numbers_of() == learnt.predictions->numbers.at("prediction"));
  // Programs that know nothing of it are given weights that count ones.
  trial.kind.fold_output_units(&record);
  for (const char* key : {"output_mean", "output_deviation", "output_unit"})
    CHECK_FALSE(record.config.at("model").contains(key));
  const std::vector<double> plain = numbers_of();
  for (size_t i = 0; i < plain.size(); ++i)
    CHECK(plain[i] == Approx(learnt.predictions->numbers.at("prediction")[i]).margin(1e-3));

  CHECK_FALSE(Trial("regression", files, kSmallLstm).made->model_config().contains("output_unit"));
  CHECK_FALSE(Trial("regression", files, kSmallLstm).made->model_config().contains("output_mean"));
  nlohmann::json given = by_deviation;
  given["output_mean"] = 3;
  CHECK_THROWS_WITH(Trial("regression", files, given),
                    Contains("model.output_mean: found a number, expected none"));
  CHECK_THROWS_WITH(Trial("classification", reviews(), by_deviation),
                    Contains("model.output_unit: found \"deviation\", which is for numbers alone"));
  // Seconds since 1970, which float32 has in steps of 128.
  std::string seconds = marks;
  for (const auto& [mark, second] :
       {std::pair("90", "1700000290"), std::pair("10", "1700000010"), std::pair("85", "1700000285"),
        std::pair("15", "1700000015"), std::pair("50", "1700000150")})
    seconds.replace(seconds.find("\n" + std::string(mark)) + 1, 2, second);
  const Files times("table", layout({"text"}, "label"), seconds, seconds);
  const Evaluation timed = Trial("regression", times, by_deviation).learn();
  CHECK(timed.predictions->numbers.at("prediction").at(0) == Approx(1700000290).margin(40));
  CHECK(timed.metrics.at("squared_error") < 40 * 40);
  // Equal numbers have no deviation.
  const std::string same = "label\ttext\n7\t좋은 날\n7\t나쁜 책\n";
  const Files equal("table", layout({"text"}, "label"), same, same);
  CHECK(Trial("regression", equal, by_deviation).learn().metrics.at("squared_error") < 0.1);
}

TEST_CASE("tagging learns entities and beats the most frequent tag of a piece") {
  // The same pieces are of two types, and what stands before them tells which.
  const std::string text =
      "세\tB-PS\n종\tI-PS\n \tO\n서\tB-LC\n울\tI-LC\n \tO\n갔\tO\n다\tO\n\n"
      "나\tO\n라\tO\n \tO\n서\tB-OG\n울\tI-OG\n \tO\n크\tO\n다\tO\n\n";
  std::string often;
  for (int i = 0; i < 6; ++i) often += text;
  const Files files("tags", {}, often, text);
  Trial trial("tagging", files, kSmallLstm);
  const Evaluation result = trial.learn();
  CHECK(result.metrics.at("entities") == 3);
  CHECK(result.metrics.at("character_macro_f1") > 0.5);
  CHECK(result.predictions->texts.at("gold").at(1) == "O O B-OG I-OG O O");
  CHECK(trial.made->model_config().at("labels").at(0) == "O");
  Trial floor("tagging", files, {{"kind", "majority"}});
  CHECK(floor.learn().metrics.at("entity_macro_f1") < result.metrics.at("entity_macro_f1"));
}

TEST_CASE("a target that is no index of what there is to choose from is refused, not counted") {
  CHECK_THROWS_WITH(choice_objective().most_frequent({0, 1}, 1, 1),
                    "found the target 1, expected an index below 1");
  CHECK_THROWS_WITH(label_objective().most_frequent({0, 2}, 1, 2),
                    "found the target 2, expected an index below 2");
  CHECK_THROWS_WITH(label_objective().most_frequent({-1}, 1, 2),
                    "found the target -1, expected an index below 2");
  CHECK(choice_objective().most_frequent({1, 0, 1}, 2, 1).argmax().item<int64_t>() == 1);
}

TEST_CASE("the seed stands wherever a path has its place") {
  CHECK(named_record("runs/{seed}/a-s{seed}.h5", 12) == "runs/12/a-s12.h5");
  CHECK(named_record("runs/a.h5", 12) == "runs/a.h5");
}

TEST_CASE("labels that do not fit are told in one line") {
  TableLayout open = layout({"text"}, "label");
  const auto classify = [&](const TableLayout& with, const std::string& train,
                            const std::string& test) {
    return Trial("classification", Files("table", with, train, test), kBag).said;
  };
  TableLayout listed = open;
  listed.labels = {{"a", "a"}, {"b", "b"}, {"c", "c"}};
  CHECK_THROWS_WITH(classify(listed, "label\ttext\na\t글\nb\t말\n", "label\ttext\nc\t글\n"),
                    Contains("own: the labels c are only in dev or test"));
  CHECK(classify(listed, "label\ttext\na\t글\nb\t말\n", "label\ttext\na\t글\n") ==
        "note: the labels b are only in training");
  CHECK_THROWS_WITH(
      Trial("choice", Files("table", open, kReviews, kReviews), kBag),
      Contains("own: its rows have no alternatives to choose from, expected some for this task"));
  CHECK_THROWS_WITH(
      Trial("regression", Files("table", open, "label\ttext\n1.5\t글\nx\t말\n", kReviews), kBag)
          .learn(),
      Contains(":3: found the label \"x\", expected a number"));
  CHECK_THROWS_WITH(
      Trial("tagging", Files("tags", {}, "박\tB-PS\n", "박\tB-LC\n"), kSmallLstm),
      Contains(":1: found the tag \"B-LC\", expected one that training has: O, B-PS"));
  CHECK_THROWS_WITH(Trial("tagging", reviews(), kSmallLstm), Contains("has no tagged sentences"));
  for (const std::string task : {"classification", "tagging"}) {
    nlohmann::json model = kSmallLstm;
    model["labels"] = {"O", "B-PS"};
    CHECK_THROWS_WITH(Trial(task, reviews(), model),
                      Contains("model.labels") && Contains("they follow from the data"));
  }
}

}  // namespace minibert
