// Notes of a run's record beside its figures.
#include "record/run_notes.h"

#include <catch2/catch.hpp>

#include "support/sample_record.h"

namespace minibert {
namespace {

using Notes = std::vector<std::string>;
using Texts = std::vector<std::string>;

RunRecord trained() {
  RunRecord record = testing::sample_record();
  record.summary["steps"] = 30;
  record.config["arms"][0]["train"] = {{"monitor", "f1"}};
  record.metrics["dev/f1"] = {{10, 20, 30}, {41.5, 42, 41.5}};
  return record;
}

Notes notes_of(const Texts& gold, const Texts& prediction) {
  RunRecord record = trained();
  record.predictions->texts = {{"gold", gold}, {"prediction", prediction}};
  return prediction_notes(record);
}

TEST_CASE("a loss that was 0 at every step and a figure that never moved are told") {
  RunRecord record = trained();
  CHECK(training_notes(record).empty());
  record.metrics["train/mlm_loss"] = {{10, 20}, {0, 0}};
  CHECK(training_notes(record) == Notes{"learnt nothing: train/mlm_loss was 0 at every step, so no "
                                        "example had a target"});
  record.metrics["train/mlm_loss"].value[1] = 1e-9;
  record.metrics["dev/f1"] = {{10, 20, 30}, {12.5, 12.5, 12.5}};
  CHECK(training_notes(record) == Notes{"its dev f1 was 12.5 after each of 3 epochs"});
  record.metrics["dev/f1"] = {{10, 20}, {12.5, 12.5}};
  CHECK(training_notes(record).empty());
}

TEST_CASE("predictions of one class or of none are told, where the right ones differ") {
  CHECK(prediction_notes(trained()).empty());
  CHECK(notes_of({"bad", "good", "bad"}, {"bad", "good", "good"}).empty());
  CHECK(notes_of({"bad", "good", "bad"}, {"good", "good", "good"}) ==
        Notes{"predicts \"good\" for all 3 examples"});
  CHECK(notes_of({"good", "good"}, {"good", "good"}).empty());
  CHECK(notes_of({"a|b", "b", ""}, {"", "", ""}) == Notes{"predicts nothing for all 3 examples"});
  CHECK(notes_of({"O B-PS I-PS", "O"}, {"O O O", "O"}) ==
        Notes{"predicts nothing for all 2 examples"});
  CHECK(notes_of({"O", "X"}, {"O", "O"}) == Notes{"predicts \"O\" for all 2 examples"});
  CHECK(notes_of({"", ""}, {"", ""}) ==
        Notes{"is measured by nothing: none of 2 examples has a target"});
}

TEST_CASE("a run that trains nothing has no notes") {
  RunRecord record = trained();
  record.summary["steps"] = 0;
  record.metrics["train/loss"] = {{10, 20}, {0, 0}};
  record.predictions->texts = {{"gold", {"a", "b"}}, {"prediction", {"a", "a"}}};
  CHECK(training_notes(record).empty());
  CHECK(prediction_notes(record).empty());
}

}  // namespace
}  // namespace minibert
