// The engine with parts switched off and states swapped in.
#include "infer/intervene.h"

#include <catch2/catch.hpp>

#include "infer/explain.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using infer::ChangedResult;
using infer::FillMask;
using infer::FillResult;
using infer::WordScore;

namespace {

const nlohmann::json kPreNorm = {{"norm", "pre"}};
const nlohmann::json kTransformed = {{"norm", "post"}, {"mlm_transform", true}};
const nlohmann::json kLocalFirst = {{"position", "relative"}, {"local_layers", 1}};
const std::string kMaskedText = "고구려는 [MASK]에 세운 나라이다.";

struct ChangedFiller {
  AlignedBytes file;
  FillMask model;
  explicit ChangedFiller(const nlohmann::json& changes)
      : file(random_mbq(small_model(changes), MbqWeights::int8)) {
    REQUIRE(model.load(file.span()).ok());
  }
  FillResult fill(const Intervention& what = {}, const Swap& swap = {}) {
    const auto status = infer::intervene(model, kMaskedText, what, swap);
    INFO(status.message());
    REQUIRE(status.ok());
    FillResult result;
    REQUIRE(model.fill(kMaskedText, 20, &result).ok());
    model.restore();
    return result;
  }
  std::string refusal(const Intervention& what, const Swap& swap = {}) {
    const auto status = infer::intervene(model, kMaskedText, what, swap);
    return status.ok() ? "" : std::string(status.message());
  }
};

bool same(const FillResult& a, const FillResult& b) {
  const auto &left = a.masks.at(0).guesses, &right = b.masks.at(0).guesses;
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const infer::Guess& x, const infer::Guess& y) {
                      return x.id == y.id && x.probability == y.probability;
                    });
}

}  // namespace

TEST_CASE("a model that nothing is changed in any more guesses as before, to the bit") {
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    ChangedFiller filler(shape.changes);
    const FillResult before = filler.fill();
    CHECK_FALSE(same(before, filler.fill({{1}, {}, {}})));
    CHECK(same(before, filler.fill()));
  }
}

TEST_CASE("a pre-norm model without its layers hands on what enters the first") {
  ChangedFiller filler(kPreNorm);
  REQUIRE(infer::intervene(filler.model, kMaskedText, {{0, 1}, {}, {}}, {}).ok());
  std::vector<int32_t> ids;
  std::vector<infer::Token> tokens;
  REQUIRE(filler.model.read(kMaskedText, &tokens).ok());
  for (const auto& token : tokens) ids.push_back(token.id);
  infer::Trace trace;
  REQUIRE(filler.model.trace_ids(ids, &trace).ok());
  const size_t state = ids.size() * 48;
  REQUIRE(trace.states_LSD.size() == 3 * state);
  for (size_t i = 0; i < state; ++i) CHECK(trace.states_LSD[i] == trace.states_LSD[2 * state + i]);
}

TEST_CASE(
    "a text's own state swapped in changes nothing, another text's all of it gives that text") {
  ChangedFiller filler(kPreNorm);
  const FillResult before = filler.fill();
  for (const int32_t stage : {0, 1, 2}) {
    INFO(stage);
    CHECK(same(before, filler.fill({}, {kMaskedText, stage, {}})));
    CHECK(same(before, filler.fill({}, {kMaskedText, stage, {{3, 3}}})));
  }
  // All embeddings are swapped, so that the guesses are the other text's.
  const std::string other = "고구려는 [MASK]에 세운 나라이다!";
  std::vector<infer::Token> here, there;
  REQUIRE(filler.model.read(kMaskedText, &here).ok());
  REQUIRE(filler.model.read(other, &there).ok());
  REQUIRE(here.size() == there.size());
  const FillResult swapped = filler.fill({}, {other, 1, {}});
  FillResult alone;
  REQUIRE(filler.model.fill(other, 20, &alone).ok());
  CHECK(same(swapped, alone));
  CHECK_FALSE(same(swapped, before));
}

TEST_CASE("a changed result has the untouched model's probability of each guess") {
  ChangedFiller filler(kPreNorm);
  const Intervention what{{}, {{1, 2}}, {}};
  FillResult all;
  REQUIRE(filler.model.fill(kMaskedText, 5000, &all).ok());
  const FillResult changed = filler.fill(what);
  ChangedResult result;
  REQUIRE(infer::fill_changed(filler.model, kMaskedText, 20, what, {}, 0, "나라", &result).ok());
  REQUIRE(result.masks.size() == 1);
  REQUIRE(result.masks[0].guesses.size() == 20);
  for (size_t k = 0; k < 20; ++k) {
    const infer::ChangedGuess& guess = result.masks[0].guesses[k];
    CHECK(guess.id == changed.masks[0].guesses[k].id);
    CHECK(guess.probability == changed.masks[0].guesses[k].probability);
    // As score_word() gives it, which rounds otherwise than fill().
    for (const infer::Guess& before : all.masks[0].guesses)
      if (before.id == guess.id) CHECK(guess.before == Approx(before.probability).epsilon(1e-5));
  }
  CHECK(result.masks[0].before[0].id == all.masks[0].guesses[0].id);
  WordScore untouched;
  REQUIRE(infer::score_word(filler.model, kMaskedText, 0, "나라", &untouched).ok());
  REQUIRE(result.word_before.size() == 3);
  CHECK(result.word_before.back().probability == untouched.probability);
  CHECK(result.word.back().probability != untouched.probability);
}

TEST_CASE("a word followed through the layers ends where its score is") {
  ChangedFiller filler(kTransformed);
  for (const char* word : {"나라", "고구려는나라에"}) {
    INFO(word);
    std::vector<WordScore> stages;
    REQUIRE(infer::follow_word(filler.model, kMaskedText, 0, word, &stages).ok());
    WordScore score;
    REQUIRE(infer::score_word(filler.model, kMaskedText, 0, word, &score).ok());
    REQUIRE(stages.size() == 3);
    CHECK(stages.back().probability == score.probability);
    REQUIRE(stages.back().pieces.size() == score.pieces.size());
    for (size_t i = 0; i < score.pieces.size(); ++i)
      CHECK(stages.back().pieces[i].rank == score.pieces[i].rank);
    CHECK(stages.front().probability != score.probability);
  }
}

TEST_CASE("a word followed through halves of layers has the whole layers' scores among them") {
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    ChangedFiller filler(shape.changes);
    std::vector<WordScore> stages, halves;
    REQUIRE(infer::follow_word(filler.model, kMaskedText, 0, "나라", &stages).ok());
    REQUIRE(infer::follow_word(filler.model, kMaskedText, 0, "나라", &halves, true).ok());
    REQUIRE(halves.size() == 2 * stages.size() - 1);
    for (size_t i = 0; i < stages.size(); ++i)
      CHECK(halves[2 * i].probability == stages[i].probability);
    CHECK(halves[1].probability != stages[0].probability);
    CHECK(halves[1].probability != stages[1].probability);
    // A layer that is off leaves what entered it, before and after its feed-forward, unless it normalizes.
    if (shape.changes.value("norm", "post") != "pre") continue;
    REQUIRE(infer::intervene(filler.model, kMaskedText, {{0}, {}, {}}, {}).ok());
    REQUIRE(infer::follow_word(filler.model, kMaskedText, 0, "나라", &halves, true).ok());
    CHECK(halves[1].probability == halves[0].probability);
    CHECK(halves[2].probability == halves[0].probability);
  }
}

TEST_CASE("an explanation's path is that of its first guess, to the bit") {
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    ChangedFiller filler(shape.changes);
    infer::Explanation explanation;
    REQUIRE(infer::explain(filler.model, kMaskedText, 3, &explanation).ok());
    const FillResult found = filler.fill();
    const infer::ExplainedMask& mask = explanation.masks.at(0);
    const int32_t first = found.masks[0].guesses[0].id;
    REQUIRE(mask.path.size() == 2 * (mask.stages.size() - 1) + 1);
    CHECK(mask.path.back().rank == 1);
    // As score_word() gives it, which rounds otherwise than fill().
    CHECK(mask.path.back().probability == Approx(mask.stages.back()[0].probability).epsilon(1e-5));
    std::vector<WordScore> halves;
    const std::string word = found.masks[0].guesses[0].text;
    if (!infer::follow_word(filler.model, kMaskedText, 0, word, &halves, true).ok() ||
        halves[0].pieces.size() > 1 || halves[0].pieces[0].id != first)
      continue;  // a piece that no word is divided into
    for (size_t i = 0; i < halves.size(); ++i) {
      CHECK(halves[i].probability == mask.path[i].probability);
      CHECK(halves[i].pieces[0].rank == mask.path[i].rank);
    }
  }
}

TEST_CASE("parts that a model does not have are errors that say what there is") {
  ChangedFiller filler(kLocalFirst);
  CHECK(filler.refusal({{2}, {}, {}}) == "found layer 3, the model has layers 1 to 2");
  CHECK(filler.refusal({{}, {{0, 0}}, {}}) ==
        "found head 1.1, the model has heads 1 to 4 in layers 2 to 2");
  CHECK(filler.refusal({{}, {{1, 4}}, {}}) ==
        "found head 2.5, the model has heads 1 to 4 in layers 2 to 2");
  CHECK(filler.refusal({}, {"나라", 3, {}}) ==
        "found layer 3 to take states from, expected 0 to 2 (0: what enters layer 1)");
  CHECK(filler.refusal({}, {"나라", 1, {}}).find("expected as many, or positions") !=
        std::string::npos);
  CHECK(filler.refusal({}, {"나라", 1, {{9, 1}}}).find("of the other text, expected 0 to") !=
        std::string::npos);
  CHECK(filler.refusal({}, {"나라", 1, {{1, 99}}}).find("found position 99, expected 0 to") !=
        std::string::npos);
  // Nothing of it stays.
  CHECK_FALSE(filler.model.engine().is_patched());
}

TEST_CASE("lists of parts are read as they are written, and nothing else is") {
  Intervention what;
  REQUIRE(read_parts("2,1.3", &what));
  CHECK(what.layers == std::vector<int32_t>{1});
  CHECK(what.heads == std::vector<Intervention::Head>{{0, 2}});
  CHECK(written(what) == "2,1.3");
  for (const char* bad : {"0", "1.0", "a", "1.", ".1", "1.2.3", "-1", "1,,2", "12345678"}) {
    INFO(bad);
    CHECK_FALSE(read_parts(bad, &what));
  }
  Swap swap;
  REQUIRE(read_moves("3,5:6", &swap));
  CHECK(swap.moves == std::vector<std::pair<int32_t, int32_t>>{{3, 3}, {5, 6}});
  CHECK_FALSE(read_moves("3:", &swap));
}
