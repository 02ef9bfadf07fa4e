// The parts of a record that an arm with init_from takes, and the ones it refuses: keys that follow
// from the data, unfinished runs, the mean of two models, an output layer in another unit.
#include "task/start.h"

#include <catch2/catch.hpp>

#include "data/resolve_files.h"
#include "task/trial.h"
#include "task/weights.h"

namespace minibert {
namespace {

using testing::Files;
using testing::Scratch;
using testing::Trial;

const nlohmann::json kStartBert = {{"kind", "bert"},   {"d_model", 16}, {"n_heads", 2},
                                   {"d_ff", 32},       {"n_layers", 1}, {"dropout", 0},
                                   {"head_dropout", 0}};

Files start_table(const std::string& rows) {
  TableLayout table;
  table.text = {"text"};
  table.label = "label";
  return {"table", table, "label\ttext\n" + rows, "label\ttext\n" + rows};
}

Files start_reviews() { return start_table("good\t정말 좋은 영화\nbad\t정말 나쁜 영화\n"); }

Files start_marks() { return start_table("90\t정말 좋은 날\n10\t정말 나쁜 책\n50\t그냥 책\n"); }

Files start_alternatives() {
  TableLayout table;
  table.text = {"a"};
  table.label = "label";
  table.choices = {"1", "2"};
  const std::string rows =
      "a\t1\t2\tlabel\n비가 왔다\t길이 젖었다\t길이 말랐다\t1\n해가 났다\t길이 젖었다\t길이 "
      "말랐다\t2\n";
  return {"table", table, rows, rows};
}

nlohmann::json start_bert_with(const char* key, const char* value) {
  nlohmann::json model = kStartBert;
  model[key] = value;
  return model;
}

// A trial's model as a finished run whose weights are larger by `more`, so that they are those of no fresh model.
RunRecord start_record(const Trial& trial, float more) {
  RunRecord record;
  record.status = "finished";
  record.config = {{"task", std::string(trial.kind.name())}, {"model", trial.made->model_config()}};
  record.tokenizer_model = testing::tokenizer().bytes();
  record.weights = to_record(weights_of(trial.made->module()));
  for (NamedTensor& one : record.weights)
    for (float& value : one.values) value += more;
  return record;
}

// An arm of a trial that starts from a record; `said`: what it tells.
std::unique_ptr<Arm> started(const Trial& trial, const std::string& path,
                             const nlohmann::json& patch = nullptr, const std::string& mean = "",
                             std::string* said = nullptr) {
  ArmConfig config = trial.config;
  config.init_from = path;
  config.model = patch;
  config.mean.run = mean;
  const auto say = [said](const std::string& line) {
    if (said != nullptr) *said += line + "\n";
  };
  return trial.kind.make_arm({.config = config, .say = say}, *trial.data);
}

}  // namespace

TEST_CASE("what follows from the data is refused in a patch of a record as in a whole model") {
  const Scratch folder;
  const std::string path = folder / "start.h5";
  const Files reviews = start_reviews(), marks = start_marks();
  const std::string entity = "서\tB-LC\n울\tI-LC\n";
  const Files sentences("tags", {}, entity, entity);
  const Files ways = start_alternatives();
  Trial numbers("regression", marks, start_bert_with("output_unit", "deviation")),
      labels("classification", reviews, kStartBert), choice("choice", ways, kStartBert),
      tags("tagging", sentences, kStartBert);

  save_record(start_record(labels, 0.5F), path);
  const auto refused = [&](const Trial& trial, const nlohmann::json& patch,
                           const std::string& why) {
    INFO(patch.dump());
    CHECK_THROWS_WITH(started(trial, path, patch), "arm own: model." + why);
  };
  const std::string follows = "found a number, expected none: it follows from the data",
                    follow = "found a list, expected none: they follow from the data",
                    alone = ", which is for numbers alone (task regression)";
  refused(labels, {{"output_deviation", 5}}, "output_deviation: " + follows);
  refused(numbers, {{"output_mean", 3}}, "output_mean: " + follows);
  for (const Trial* trial : {&labels, &choice})
    refused(*trial, {{"output_unit", "deviation"}}, "output_unit: found \"deviation\"" + alone);
  const nlohmann::json named = {{"labels", {"a", "b"}}};
  refused(labels, named, "labels: " + follow);
  refused(tags, named, "labels: " + follow);

  // A record's own labels and units are no keys of the arm's file.
  CHECK(started(labels, path)->model_config().at("labels") == nlohmann::json{"bad", "good"});
  save_record(start_record(numbers, 0.5F), path);
  CHECK_NOTHROW(started(labels, path));
  const auto arm = started(numbers, path, {{"output_unit", "deviation"}});
  CHECK(arm->model_config().at("output_mean") == 50);
  save_record(start_record(tags, 0.5F), path);
  CHECK(started(tags, path)->model_config().at("labels").size() == 3);
}

TEST_CASE("a run that has not finished starts no arm and is in no mean, and it is told why") {
  const Scratch folder;
  const std::string path = folder / "start.h5", unfinished = folder / "unfinished.h5";
  const Files reviews = start_reviews();
  Trial trial("classification", reviews, kStartBert);
  RunRecord record = start_record(trial, 0.5F);
  save_record(record, path);
  record.status = "interrupted";
  record.weights.clear();
  save_record(record, unfinished);
  const std::string why =
      unfinished +
      ": /weights: is empty (the run has not finished: the same command goes on with it)";
  CHECK_THROWS_WITH(started(trial, unfinished), why);
  CHECK_THROWS_WITH(started(trial, path, nullptr, unfinished), why);
}

TEST_CASE("a mean is of one model: what makes another function of equal weights is refused") {
  const Scratch folder;
  const std::string path = folder / "start.h5", other = folder / "other.h5";
  const Files reviews = start_reviews();
  Trial trial("classification", reviews, kStartBert);
  save_record(start_record(trial, 0.5F), path);
  const auto mean_with = [&](const char* key, const nlohmann::json& value) {
    RunRecord record = start_record(trial, 1.5F);
    record.config["model"][key] = value;
    save_record(record, other);
    return started(trial, path, nullptr, other);
  };
  const std::string where = "mean.run: " + other + ": model.";
  CHECK_THROWS_WITH(mean_with("n_heads", 4), where + "n_heads: found 4, expected init_from's 2");
  CHECK_THROWS_WITH(mean_with("activation", "relu"),
                    where + "activation: found \"relu\", expected init_from's \"gelu_tanh\"");
  CHECK_THROWS_WITH(mean_with("mlm_tied", false),
                    where + "mlm_tied: found false, expected init_from's true");
  CHECK_THROWS_WITH(mean_with("pooling", "mean"),
                    where + "pooling: found \"mean\", expected init_from's \"cls\"");
  CHECK_THROWS_WITH(mean_with("output_mean", 7),
                    where + "output_mean: found 7, expected init_from's null");
  // As many labels, of which the first output says another.
  CHECK_THROWS_WITH(
      mean_with("labels", {"good", "bad"}),
      where + "labels: found [\"good\",\"bad\"], expected init_from's [\"bad\",\"good\"]");
  RunRecord foreign = start_record(trial, 1.5F);
  foreign.tokenizer_model += "x";
  save_record(foreign, other);
  CHECK_THROWS_WITH(
      started(trial, path, nullptr, other),
      "mean.run: " + other + " was trained with another tokenizer, expected init_from's");

  // How the weights were learnt is another thing.
  const auto arm = mean_with("dropout", 0.3);
  const NamedTensors fresh = weights_of(trial.made->module()), mean = weights_of(arm->module());
  REQUIRE(mean.size() == fresh.size());
  for (size_t i = 0; i < mean.size(); ++i) {
    INFO(mean[i].first);
    CHECK(mean[i].second.allclose(fresh[i].second + 1));
  }
}

TEST_CASE("an output layer comes along where it counts as the arm's does; else it is told") {
  const Scratch folder;
  const std::string path = folder / "start.h5";
  const Files reviews = start_reviews(), marks = start_marks(),
              few = start_table("3\t정말 좋은 날\n1\t정말 나쁜 책\n"), ways = start_alternatives();
  const nlohmann::json by_deviation = start_bert_with("output_unit", "deviation");
  Trial labels("classification", reviews, kStartBert), ones("regression", marks, kStartBert),
      deviations("regression", marks, by_deviation), others("regression", few, by_deviation),
      choice("choice", ways, kStartBert);
  // `told`: why the arm's own output layer stays as it begins; empty: it is the record's.
  const auto check = [&](const Trial& from, const Trial& to, const nlohmann::json& patch,
                         const std::string& told) {
    const RunRecord record = start_record(from, 0.5F);
    save_record(record, path);
    std::string said;
    const auto arm = started(to, path, patch, "", &said);
    const NamedTensors taken = from_record(record.weights), own = weights_of(to.made->module()),
                       found = weights_of(arm->module());
    REQUIRE(found.size() == taken.size());
    for (size_t i = 0; i < found.size(); ++i) {
      const bool stays = !told.empty() && found[i].first.starts_with("sequence.output.");
      INFO(found[i].first << " " << told);
      CHECK(found[i].second.equal(stays ? own[i].second : taken[i].second));
    }
    CHECK(said == (told.empty() ? "" : path + ": the output layer is not loaded: " + told + "\n"));
  };
  const nlohmann::json unit = {{"output_unit", "deviation"}};
  const std::string other_unit = "it has another unit than the arm's (model.output_unit)";
  check(labels, labels, nullptr, "");
  check(ones, ones, nullptr, "");
  check(deviations, deviations, unit, "");
  check(deviations, ones, nullptr, other_unit);
  check(ones, deviations, unit, other_unit);
  check(others, deviations, unit, other_unit);
  check(labels, choice, nullptr, "it was trained for the task classification, expected choice");
  check(ones, choice, nullptr, "it was trained for the task regression, expected choice");
  check(choice, ones, nullptr, "it was trained for the task choice, expected regression");
  check(choice, choice, nullptr, "");
}

namespace {

// Row `row` of an output layer [C, D] with bias [C] of that name, the bias last.
torch::Tensor row_of(const NamedTensors& weights, const std::string& layer, int64_t row) {
  torch::Tensor found, bias;
  for (const auto& [name, tensor] : weights) {
    if (name == layer + ".weight") found = tensor[row];
    if (name == layer + ".bias") bias = tensor[row].view({1});
  }
  return torch::cat({found, bias});
}

// That an arm of `to` takes the rows of a run of `from`, whose labels are called `stored`, by these names, and tells
// `told` behind the record's name.
void check_rows(const Trial& from, const Trial& to, const std::string& layer,
                const std::vector<std::string>& stored, const std::string& told) {
  INFO(nlohmann::json(stored).dump());
  const Scratch folder;
  const std::string path = folder / "start.h5";
  RunRecord record = start_record(from, 0.5F);
  REQUIRE(record.config["model"]["labels"].size() == stored.size());
  record.config["model"]["labels"] = stored;
  for (NamedTensor& one : record.weights)  // every row another
    if (one.name == layer + ".bias")
      for (size_t row = 0; row < one.values.size(); ++row)
        one.values[row] += static_cast<float>(row);
  save_record(record, path);
  std::string said;
  const auto arm = started(to, path, nullptr, "", &said);
  const std::vector<std::string> labels = arm->model_config().at("labels");
  const NamedTensors found = weights_of(arm->module()), own = weights_of(to.made->module()),
                     taken = from_record(record.weights);
  for (size_t row = 0; row < labels.size(); ++row) {
    INFO(labels[row]);
    const auto at = std::ranges::find(stored, labels[row]) - stored.begin();
    const bool is_new = at == static_cast<ptrdiff_t>(stored.size());
    const auto row_here = static_cast<int64_t>(row);
    CHECK(row_of(found, layer, row_here)
              .equal(is_new ? row_of(own, layer, row_here) : row_of(taken, layer, at)));
  }
  CHECK(said == (told.empty() ? "" : path + ": " + told + "\n"));
}

}  // namespace

TEST_CASE("rows of labels are taken by their names, and what one side lacks is told") {
  const Files reviews = start_reviews(),
              three = start_table("good\t정말 좋은 영화\nbad\t정말 나쁜 영화\nsoso\t그냥 영화\n");
  Trial two("classification", reviews, kStartBert), more("classification", three, kStartBert);
  const std::string layer = "sequence.output";
  check_rows(two, two, layer, {"bad", "good"}, "");
  check_rows(two, two, layer, {"good", "bad"}, "");
  check_rows(
      two, two, layer, {"부정", "긍정"},
      "the output layer is not loaded: its labels 부정, 긍정 are none of the arm's, bad, good");
  check_rows(two, two, layer, {"good", "neutral"},
             "the output layer's rows of good are loaded by their labels; new: bad; left "
             "out: neutral");
  check_rows(two, more, layer, {"bad", "good"},
             "the output layer's rows of bad, good are loaded by their labels; new: soso");
  check_rows(more, two, layer, {"soso", "good", "bad"},
             "the output layer's rows of bad, good are loaded by their labels; left out: soso");

  const Files marks = start_marks();
  Trial numbers("regression", marks, kStartBert);
  const Scratch folder;
  const std::string path = folder / "start.h5";
  save_record(start_record(numbers, 0.5F), path);
  std::string said;
  started(two, path, nullptr, "", &said);
  CHECK(said ==
        path +
            ": the output layer is not loaded: it has no labels, expected the arm's bad, good\n");
}

TEST_CASE("rows of tags are taken by their names") {
  const std::string entity = "서\tB-LC\n울\tI-LC\n도\tO\n";
  const Files sentences("tags", {}, entity, entity);
  Trial tags("tagging", sentences, kStartBert);
  const std::vector<std::string> own = tags.made->model_config().at("labels");
  REQUIRE(own == std::vector<std::string>{"O", "B-LC", "I-LC"});
  check_rows(tags, tags, "tag", {"I-LC", "O", "B-LC"}, "");
  check_rows(tags, tags, "tag", {"B-지명", "I-지명", "O"},
             "the output layer's rows of O are loaded by their labels; new: B-LC, I-LC; left "
             "out: B-지명, I-지명");
}

TEST_CASE("rows of several labels a text are taken by their names, from columns or cells") {
  TableLayout cells;
  cells.text = {"text"};
  cells.label = "label";
  cells.label_separator = "comma";
  const std::string sets =
      "label\ttext\nsad,new\t정말 좋은 영화\nglad,sad\t그냥 영화\nglad\t나쁜 책\n";
  TableLayout columns;
  columns.text = {"text"};
  columns.label_columns = {"sad", "glad"};
  const std::string marks = "sad\tglad\ttext\n1\t0\t정말 좋은 영화\n0\t0\t그냥 영화\n0\t1\t책\n";
  Files three("table", cells, sets, sets), two("table", columns, marks, marks);
  for (Files* files : {&three, &two}) {  // as files of one's own, which alone may have several
    const std::vector<std::string> train = {files->folder / "train.tsv"},
                                   test = {files->folder / "test.tsv"};
    files->data =
        resolve_files({.train = train, .dev = test, .test = test, .table = *files->data.set.table});
  }
  Trial more("multilabel", three, kStartBert), fewer("multilabel", two, kStartBert);
  REQUIRE(more.made->model_config().at("labels") == nlohmann::json{"glad", "new", "sad"});
  const std::string layer = "sequence.output", by = "are loaded by their labels; ";
  check_rows(more, more, layer, {"sad", "glad", "new"}, "");
  check_rows(more, fewer, layer, {"new", "sad", "glad"},
             "the output layer's rows of glad, sad " + by + "left out: new");
  check_rows(fewer, more, layer, {"sad", "glad"},
             "the output layer's rows of glad, sad " + by + "new: new");
  check_rows(fewer, more, layer, {"슬픔", "glad"},
             "the output layer's rows of glad " + by + "new: new, sad; left out: 슬픔");
  check_rows(
      fewer, fewer, layer, {"슬픔", "기쁨"},
      "the output layer is not loaded: its labels 슬픔, 기쁨 are none of the arm's, glad, sad");
}

}  // namespace minibert
