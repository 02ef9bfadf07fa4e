// A statistic of some examples is the measure of the examples written out as often as they are drawn.
#include "compare/statistic.h"

#include <catch2/catch.hpp>

#include "compare/intervals.h"
#include "score/entity_score.h"
#include "score/label_score.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::message_of;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

// How often each of five is taken.
const Numbers kTimes = {2, 0, 1, 0, 2};

template <class T>
std::vector<T> written_out(const std::vector<T>& column) {
  std::vector<T> out;
  for (size_t i = 0; i < column.size(); ++i)
    out.insert(out.end(), static_cast<size_t>(kTimes[i]), column[i]);
  return out;
}

Predictions predictions_of(const std::map<std::string, Texts>& texts,
                           const std::map<std::string, Numbers>& numbers) {
  return {.id = {"a", "b", "c", "d", "e"}, .texts = texts, .numbers = numbers};
}

AlignedRun aligned(const Predictions& predictions) { return {"run.h5", predictions}; }

Measure measure_of(Resampled resampled, double scale = 1) {
  return {"correct", "correct", 4, Better::higher, resampled, scale};
}

TEST_CASE("a mean") {
  const Predictions p = predictions_of({}, {{"correct", {1, 0, 1, 1, 0}}});
  const AlignedRun run = aligned(p);
  const auto statistic = statistic_of(measure_of(Resampled::mean, 100), {&run, 1});
  REQUIRE(statistic);
  CHECK(figure_of_sample(*statistic, Numbers(5, 1)) == 60);
  CHECK(figure_of_sample(*statistic, kTimes) == 60);  // of 1, 1, 1, 0, 0
}

TEST_CASE("a mean of examples that count differently is that of what they are made of") {
  const Predictions p =
      predictions_of({}, {{"correct", {0.5, 0.9, 1, 0.2, 0.25}}, {"targets", {2, 10, 1, 5, 4}}});
  const AlignedRun runs[] = {aligned(p), aligned(p)};
  Measure measure = measure_of(Resampled::mean);
  measure.weight = "targets";
  const auto statistic = statistic_of(measure, runs);
  REQUIRE(statistic);
  CHECK(figure_of_sample(*statistic, Numbers(5, 1)) == Approx((1 + 9 + 1 + 1 + 1) / 22.0));
  CHECK(figure_of_sample(*statistic, kTimes) ==
        Approx((1 + 1 + 1 + 1 + 1) / 13.0));  // 2 of a, c, 2 of e
  measure.weight = "others";
  CHECK_FALSE(statistic_of(measure, runs));
}

TEST_CASE("figures of labels") {
  const Texts gold = {"가", "나", "가", "다", "나"};
  const Texts found = {"가", "가", "나", "다", "나"};
  const Predictions p = predictions_of({{"gold", gold}, {"prediction", found}}, {});
  const AlignedRun run = aligned(p);
  const Confusion whole = confusion_of(gold, found);
  const Confusion resampled = confusion_of(written_out(gold), written_out(found));
  const auto f1 = statistic_of(measure_of(Resampled::macro_f1, 100), {&run, 1});
  REQUIRE(f1);
  CHECK(figure_of_sample(*f1, Numbers(5, 1)) == Approx(100 * macro_f1(whole)));
  CHECK(figure_of_sample(*f1, kTimes) == Approx(100 * macro_f1(resampled)));
  const auto mcc = statistic_of(measure_of(Resampled::matthews), {&run, 1});
  REQUIRE(mcc);
  CHECK(figure_of_sample(*mcc, kTimes) == Approx(matthews(resampled)));
}

TEST_CASE("correlations, of which Spearman's keeps the ranks of all examples") {
  const Numbers gold = {1000.5, 3, 2, 5, 4};
  const Numbers found = {900, 2.5, 2.75, 4, 4};
  const Predictions p = predictions_of({}, {{"gold", gold}, {"prediction", found}});
  const AlignedRun run = aligned(p);
  const auto r = statistic_of(measure_of(Resampled::pearson), {&run, 1});
  REQUIRE(r);
  CHECK(figure_of_sample(*r, Numbers(5, 1)) == Approx(pearson(gold, found)));
  CHECK(figure_of_sample(*r, kTimes) == Approx(pearson(written_out(gold), written_out(found))));
  const auto rho = statistic_of(measure_of(Resampled::spearman), {&run, 1});
  REQUIRE(rho);
  CHECK(figure_of_sample(*rho, Numbers(5, 1)) == Approx(spearman(gold, found)));
  CHECK(figure_of_sample(*rho, kTimes) ==
        Approx(pearson(written_out(ranks_of(gold)), written_out(ranks_of(found)))));
}

TEST_CASE("entities") {
  const Texts gold = {"B-PS I-PS O", "B-LC O", "O B-OG", "O", "B-PS B-LC"};
  const Texts found = {"B-PS I-PS O", "B-PS O", "B-OG O", "B-LC", "B-PS O"};
  const Predictions p = predictions_of({{"gold", gold}, {"prediction", found}}, {});
  const AlignedRun run = aligned(p);
  const auto f1 = statistic_of(measure_of(Resampled::entity_macro_f1), {&run, 1});
  REQUIRE(f1);
  CHECK(figure_of_sample(*f1, Numbers(5, 1)) == Approx(entity_macro_f1(gold, found)));
  CHECK(figure_of_sample(*f1, kTimes) ==
        Approx(entity_macro_f1(written_out(gold), written_out(found))));
}

TEST_CASE("sets of labels") {
  const Texts gold = {"가|나", "", "나", "다", "가"}, found = {"가", "", "가|나", "나", "가"};
  const Predictions p = predictions_of({{"gold", gold}, {"prediction", found}}, {});
  const AlignedRun run = aligned(p);
  const auto micro = statistic_of(measure_of(Resampled::set_micro_f1), {&run, 1});
  const auto macro = statistic_of(measure_of(Resampled::set_macro_f1), {&run, 1});
  REQUIRE(micro);
  REQUIRE(macro);
  // 가: 2 right of 2 true and 3 given; 나: 1, 2, 2; 다: 0, 1, 0.
  CHECK(figure_of_sample(*micro, Numbers(5, 1)) == Approx(2 * 3 / (5.0 + 5)));
  CHECK(figure_of_sample(*macro, Numbers(5, 1)) == Approx((4 / 5.0 + 2 / 4.0 + 0) / 3));
}

TEST_CASE("over several runs it is the mean of theirs") {
  const Predictions one = predictions_of(
      {{"gold", {"가", "나", "가", "다", "나"}}, {"prediction", {"가", "가", "나", "다", "나"}}},
      {});
  const Predictions two = predictions_of(
      {{"gold", {"가", "나", "가", "다", "나"}}, {"prediction", {"가", "나", "가", "다", "나"}}},
      {});
  const std::vector<AlignedRun> runs = {aligned(one), aligned(two)};
  const auto both = statistic_of(measure_of(Resampled::macro_f1), runs);
  const auto first = statistic_of(measure_of(Resampled::macro_f1), {runs.data(), 1});
  REQUIRE(both);
  REQUIRE(first);
  CHECK(figure_of_sample(*both, kTimes) == Approx((figure_of_sample(*first, kTimes) + 1) / 2));
}

TEST_CASE("no statistic where a column is missing or is of the other type") {
  const Predictions p = predictions_of({{"gold", Texts(5, "가")}, {"correct", Texts(5, "1")}},
                                       {{"prediction", Numbers(5, 1)}, {"gold2", Numbers(5, 1)}});
  const AlignedRun run = aligned(p);
  for (const Resampled resampled :
       {Resampled::none, Resampled::mean, Resampled::macro_f1, Resampled::matthews,
        Resampled::pearson, Resampled::spearman, Resampled::entity_macro_f1,
        Resampled::set_micro_f1, Resampled::set_macro_f1})
    CHECK_FALSE(statistic_of(measure_of(resampled), {&run, 1}));
}

TEST_CASE("an evaluation's interval is no wider than what its measure can be") {
  const Predictions p = predictions_of(
      {},
      {{"correct", {1, 1, 1, 1, 0}}, {"gold", {1, 2, 3, 4, 5}}, {"prediction", {1, 2, 3, 5, 4}}});
  for (const double scale : {1.0, 100.0}) {
    const Measure measure = measure_of(Resampled::mean, scale);
    const Interval found = intervals_of(p, {&measure, 1}).at("correct");
    CHECK(found.difference == Approx(0.8 * scale));
    CHECK(found.low > 0);
    CHECK(found.high == scale);
  }
  Measure loss = measure_of(Resampled::mean);
  loss.better = Better::lower;
  const Predictions losses = predictions_of({}, {{"correct", {4, 5, 6, 4, 5}}});
  const Interval of_loss = intervals_of(losses, {&loss, 1}).at("correct");
  CHECK(of_loss.difference == Approx(4.8));
  CHECK(of_loss.high > 4.8);
  const Measure measure = measure_of(Resampled::pearson);
  const Interval found = intervals_of(p, {&measure, 1}).at("correct");
  CHECK(found.high == 1);
  CHECK(found.low >= -1);
}

TEST_CASE("tags that are none are named with run and example") {
  const Predictions p =
      predictions_of({{"gold", Texts(5, "O")}, {"prediction", {"O", "O", "PS", "O", "O"}}}, {});
  const AlignedRun run = aligned(p);
  CHECK(message_of([&] {
          statistic_of(measure_of(Resampled::entity_macro_f1), {&run, 1});
        }) == "run.h5: /predictions: 'c': tag 'PS', expected O, B-<type> or I-<type>");
}

}  // namespace
}  // namespace minibert
