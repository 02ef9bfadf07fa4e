// Figures of labels and numbers against scikit-learn 1.2 and SciPy 1.10, and by hand at the edges.
#include "score/label_score.h"

#include <catch2/catch.hpp>
#include <limits>

#include "score/label_set.h"
#include "score/label_set_score.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::message_of;
using Labels = std::vector<std::string>;

TEST_CASE("a set of labels is sorted, with each once, and reads back") {
  CHECK(as_label_set({"나", "가", "나"}) == "가|나");
  CHECK(labels_of("가|나") == Labels{"가", "나"});
  CHECK(as_label_set({}).empty());
  CHECK(labels_of("").empty());
}

TEST_CASE("figures of sets: Jaccard by hand, average precision as scikit-learn's manual has it") {
  CHECK(jaccard(label_set_counts("가|나", "나|다")) == Approx(1.0 / 3));
  CHECK(jaccard(label_set_counts("", "")) == 1);
  CHECK(jaccard(label_set_counts("가", "")) == 0);
  CHECK(average_precision(std::vector{0.1, 0.4, 0.35, 0.8}, std::vector<uint8_t>{0, 0, 1, 1}) ==
        Approx(0.8333333333333333));
  // Equal scores are one step, whatever stands first.
  CHECK(average_precision(std::vector{0.5, 0.5, 0.5}, std::vector<uint8_t>{1, 0, 0}) ==
        Approx(1.0 / 3));
  CHECK(average_precision(std::vector{0.5}, std::vector<uint8_t>{0}) == 0);
  // A diverged model gives any number, but it returns.
  const double none = std::numeric_limits<double>::quiet_NaN();
  CHECK(average_precision(std::vector{none, none}, std::vector<uint8_t>{1, 0}) <= 1);
}

TEST_CASE("accuracy, macro-F1 and Matthews' coefficient are those of scikit-learn") {
  struct Case {
    const char* name;
    Labels gold, prediction;
    double accuracy, macro_f1, matthews;
  };
  const Case cases[] = {
      {"the example of f1_score's manual",
       {"0", "1", "2", "0", "1", "2"},
       {"0", "2", "1", "0", "0", "1"},
       2.0 / 6,
       0.26666666666666666,
       0},
      {"the example of matthews_corrcoef's manual",
       {"+", "+", "+", "-"},
       {"+", "-", "+", "+"},
       0.5,
       1.0 / 3,
       -0.3333333333333333},
      {"a label that is only predicted counts",
       {"긍정", "부정", "중립", "부정", "부정", "중립", "긍정", "긍정", "부정", "중립", "부정",
        "긍정"},
       {"긍정", "부정", "부정", "부정", "중립", "중립", "긍정", "부정", "부정", "모름", "부정",
        "긍정"},
       0.6666666666666666,
       0.49610389610389605,
       0.5106382978723404},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    const Confusion confusion = confusion_of(one.gold, one.prediction);
    CHECK(accuracy(confusion) == Approx(one.accuracy).epsilon(1e-12));
    CHECK(macro_f1(confusion) == Approx(one.macro_f1).epsilon(1e-12));
    CHECK(matthews(confusion) == Approx(one.matthews).margin(1e-12));
  }
}

TEST_CASE("labels are counted by true and predicted one") {
  const Confusion confusion = confusion_of({"나", "가", "나"}, {"가", "가", "다"});
  CHECK(confusion.labels == Labels{"가", "나", "다"});
  CHECK(confusion.counts == std::vector<double>{1, 0, 0, 1, 0, 1, 0, 0, 0});
  CHECK(macro_f1(confusion, "다") == Approx((2.0 / 3 + 0) / 2));
  CHECK(message_of([] { confusion_of({"가"}, {}); }) ==
        "0 predictions, expected one for each of 1 examples");
}

TEST_CASE("labels at the edges have figures too") {
  struct Case {
    const char* name;
    Labels gold, prediction;
    double accuracy, macro_f1, matthews;
  };
  const Case cases[] = {
      {"nothing", {}, {}, 0, 0, 0},
      {"all right", {"가", "나"}, {"가", "나"}, 1, 1, 1},
      {"two labels exchanged", {"가", "나"}, {"나", "가"}, 0, 0, -1},
      {"one label, all right", {"가", "가"}, {"가", "가"}, 1, 1, 0},
      {"always the same guess", {"가", "나", "나"}, {"나", "나", "나"}, 2.0 / 3, 0.4, 0},
      {"one label is true", {"가", "가", "가"}, {"가", "나", "가"}, 2.0 / 3, 0.4, 0},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    const Confusion confusion = confusion_of(one.gold, one.prediction);
    CHECK(accuracy(confusion) == Approx(one.accuracy));
    CHECK(macro_f1(confusion) == Approx(one.macro_f1));
    CHECK(matthews(confusion) == Approx(one.matthews).margin(1e-12));
  }
}

TEST_CASE("correlations are those of SciPy") {
  const std::vector<double> x = {4.2, 1.0, 3.5, 2.2, 0.0, 5.0, 3.5, 1.8};
  const std::vector<double> y = {3.9, 1.2, 3.9, 2.0, 0.4, 4.1, 2.7, 2.0};
  CHECK(pearson(x, y) == Approx(0.965342297810756).epsilon(1e-12));
  CHECK(spearman(x, y) == Approx(0.9757754965005869).epsilon(1e-12));
  CHECK(ranks_of(y) == std::vector<double>{6.5, 2, 6.5, 3.5, 1, 8, 5, 3.5});
  std::vector<double> far = x;
  for (double& value : far) value = 1e6 + value;
  CHECK(pearson(far, y) == Approx(0.965342297810756).epsilon(1e-8));
}

TEST_CASE("correlations at the edges") {
  const std::vector<double> rising = {1, 2, 3};
  const std::vector<double> constant = {0.1, 0.1, 0.1};
  const std::vector<double> curved = {1, 4, 9};
  const std::vector<double> one = {1};
  const std::vector<double> none;
  CHECK(pearson(rising, rising) == Approx(1));
  CHECK(pearson(rising, constant) == 0);
  CHECK(pearson(constant, rising) == 0);
  CHECK(spearman(rising, constant) == 0);
  CHECK(spearman(rising, curved) == Approx(1));
  CHECK(pearson(one, one) == 0);
  CHECK(pearson(none, none) == 0);
  CHECK(message_of([&] { pearson(rising, one); }) ==
        "1 predictions, expected one for each of 3 examples");
}

}  // namespace
}  // namespace minibert
