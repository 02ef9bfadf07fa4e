// Sentences in, guesses out: places of masks, spacing, the filled sentence, errors.
#include <catch2/catch.hpp>

#include "infer/explain.h"
#include "infer/fill_json.h"
#include "infer/intervene.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using infer::FillMask;
using infer::FillResult;

namespace {

struct LoadedFillMask {
  AlignedBytes file{random_mbq(small_model(), MbqWeights::int8)};
  FillMask fill_mask;
  LoadedFillMask() {
    const auto status = fill_mask.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
  FillResult fill(const std::string& text, size_t top_k = 5) {
    FillResult result;
    const auto status = fill_mask.fill(text, top_k, &result);
    INFO(text << ": " << status.message());
    REQUIRE(status.ok());
    return result;
  }
  std::string error(const std::string& text) {
    FillResult result;
    const auto status = fill_mask.fill(text, 5, &result);
    return status.ok() ? "ok" : status.message();
  }
};

bool begins_word(const infer::Guess& guess) { return guess.piece.starts_with(infer::kWordStart); }

}  // namespace

TEST_CASE("a mask is found at its bytes and read as one piece") {
  LoadedFillMask loaded;
  const std::string text = "고구려는 [MASK]에 세운 나라이다.";
  const auto result = loaded.fill(text);
  REQUIRE(result.masks.size() == 1);
  const auto& mask = result.masks[0];
  CHECK(text.substr(mask.begin, mask.end - mask.begin) == "[MASK]");
  REQUIRE(result.tokens.size() > 4);
  CHECK(result.tokens.front().piece == "[CLS]");
  CHECK(result.tokens.back().piece == "[SEP]");
  CHECK(result.tokens[mask.position].id == infer::kMaskId);
  for (const auto& token : result.tokens) CHECK(token.piece != infer::kWordStart);
  CHECK(mask.guesses.size() == 5);
}

TEST_CASE("the space before a mask decides which pieces fit") {
  LoadedFillMask loaded;
  struct Case {
    const char* text;
    std::vector<bool> begins;
  };
  for (const Case& item :
       {Case{"[MASK]는 나라이다.", {true}}, Case{"나라 [MASK] 나라", {true}},
        Case{"나라[MASK] 나라", {false}}, Case{"나라 [MASK][MASK] 나라", {true, false}},
        Case{"나라 [MASK] [MASK]", {true, true}}, Case{"[MASK]", {true}}, Case{"  [MASK]", {true}},
        Case{"([MASK])", {false}}, Case{"나라\u3000[MASK]", {true}},
        Case{"나라\t[MASK]\n", {true}}}) {
    INFO(item.text);
    const auto result = loaded.fill(item.text, 50);
    REQUIRE(result.masks.size() == item.begins.size());
    for (size_t i = 0; i < item.begins.size(); ++i)
      for (const auto& guess : result.masks[i].guesses) {
        CHECK(begins_word(guess) == item.begins[i]);
        CHECK(guess.id >= infer::kFirstOrdinaryId);
        CHECK_FALSE(guess.text.empty());
      }
  }
}

TEST_CASE("probabilities are over the pieces that fit") {
  LoadedFillMask loaded;
  const auto result = loaded.fill("나라 [MASK] 나라", 100000);
  double total = 0;
  for (const auto& guess : result.masks[0].guesses) total += guess.probability;
  CHECK(total == Approx(1).epsilon(1e-4));
  CHECK(result.masks[0].guesses.size() > 100);
}

TEST_CASE("the filled sentence keeps everything but the masks") {
  LoadedFillMask loaded;
  const auto result = loaded.fill("앞 [MASK] 가운데[MASK], 뒤 😀");
  const auto& masks = result.masks;
  CHECK(result.filled ==
        "앞 " + masks[0].guesses[0].text + " 가운데" + masks[1].guesses[0].text + ", 뒤 😀");
}

TEST_CASE("texts that cannot be filled are errors") {
  LoadedFillMask loaded;
  std::string too_long = "[MASK]";
  for (int i = 0; i < 100; ++i) too_long += " 나라";
  CHECK(loaded.error("") == "the text is empty");
  CHECK(loaded.error(" \t\n ") == "the text is empty");
  CHECK(loaded.error("마스크가 없는 글") == "the text has no [MASK]");
  CHECK(loaded.error("\xff\xfe [MASK]") == "the text is not valid UTF-8");
  CHECK(loaded.error("\xed\xa0\x80 [MASK]") == "the text is not valid UTF-8");
  CHECK(loaded.error(too_long) ==
        "the text is too long: found 103 pieces with [CLS] and [SEP], expected at most 64");
}

TEST_CASE("attention belongs to the text's pieces") {
  LoadedFillMask loaded;
  std::vector<infer::Token> tokens;
  REQUIRE(loaded.fill_mask.attend("고구려는 나라이다.", &tokens).ok());
  const size_t n = tokens.size();
  CHECK(loaded.fill_mask.engine().attention(1, 3).size() == n * n);
  CHECK(tokens[1].begin == 0);
  CHECK(tokens[n - 2].end == std::string("고구려는 나라이다.").size());
}

TEST_CASE("a tokenizer of another size than the model is refused") {
  const auto model = small_model({{"vocab_size", sample_vocabulary() + 1}});
  const AlignedBytes file(random_mbq(model, MbqWeights::int8));
  FillMask fill_mask;
  const auto status = fill_mask.load(file.span());
  CHECK(status.message() == "the tokenizer has " + std::to_string(sample_vocabulary()) +
                                " pieces, the model " + std::to_string(sample_vocabulary() + 1));
}

TEST_CASE("weights so extreme that no guesses can be compared are an error, whatever is asked") {
  const auto model = small_model({{"mlm_transform", true}});
  auto weights = random_weights(model);
  for (NamedTensor& weight : weights)
    if (weight.name == "mlm.norm.weight")
      for (float& value : weight.values) value = 3e38f;
  const AlignedBytes file(make_mbq(sample_source(model), weights, MbqWeights::int8));
  FillMask fill_mask;
  REQUIRE(fill_mask.load(file.span()).ok());
  const std::string text = "고구려는 [MASK]에 세운 나라이다.";
  FillResult filled;
  infer::Explanation explanation;
  std::vector<infer::WordGuess> words;
  infer::WordScore score;
  std::vector<infer::WordScore> stages;
  infer::ChangedResult changed;
  for (const infer::Status& status :
       {fill_mask.fill(text, 5, &filled), infer::explain(fill_mask, text, 5, &explanation),
        infer::guess_words(fill_mask, text, 0, 5, &words),
        infer::score_word(fill_mask, text, 0, "나라", &score),
        infer::follow_word(fill_mask, text, 0, "나라", &stages),
        infer::fill_changed(fill_mask, text, 5, Intervention{{1}, {}, {}}, {}, 0, "", &changed)})
    CHECK(status.message() == "the model's weights give numbers that are not finite");
}

TEST_CASE("results as JSON have the documented keys") {
  LoadedFillMask loaded;
  const auto json = infer::to_json(loaded.fill("나라 [MASK]", 2));
  CHECK(json["masks"][0]["guesses"].size() == 2);
  CHECK(json["masks"][0]["guesses"][0].contains("probability"));
  CHECK(json["tokens"][0]["piece"] == "[CLS]");
  CHECK(json["filled"].is_string());
  CHECK(json["timing"].contains("encoder_ms"));
  const auto facts = infer::facts_json(loaded.fill_mask.model(), infer::Kernel::scalar);
  CHECK(facts["weights"] == "int8");
  CHECK(facts["metrics"]["mlm_accuracy"] == 0.25);
}

TEST_CASE(
    "an explanation ends in the guesses that the model gives, from the engine's own numbers") {
  for (const char* norm : {"post", "pre"}) {
    INFO(norm);
    const int rank = std::string(norm) == "pre" ? 3 : 0;
    const AlignedBytes file(
        random_mbq(small_model({{"norm", norm}, {"mlm_transform", true}, {"mlm_context", rank}}),
                   MbqWeights::int8));
    FillMask fill_mask;
    REQUIRE(fill_mask.load(file.span()).ok());
    const std::string text = "고구려는 [MASK]에 세운 나라[MASK].";
    FillResult result;
    REQUIRE(fill_mask.fill(text, 8, &result).ok());
    infer::Explanation explanation;
    REQUIRE(infer::explain(fill_mask, text, 8, &explanation).ok());
    const auto& config = fill_mask.model().config();
    const size_t n = explanation.tokens.size();
    const auto d = static_cast<size_t>(config.d_model);
    REQUIRE(explanation.masks.size() == 2);
    for (size_t i = 0; i < 2; ++i) {
      const auto& mask = explanation.masks[i];
      CHECK(mask.position == result.masks[i].position);
      REQUIRE(mask.stages.size() == static_cast<size_t>(config.n_layers) + 1);
      for (size_t k = 0; k < 8; ++k) {
        CHECK(mask.stages.back()[k].text == result.masks[i].guesses[k].text);
        CHECK(mask.stages.back()[k].probability == result.masks[i].guesses[k].probability);
      }
      CHECK(mask.shown.size() == (rank == 0 ? 0 : 8));
      for (size_t k = 1; k < mask.shown.size(); ++k)
        CHECK(mask.shown[k].added <= mask.shown[k - 1].added);
      double total = 0;
      for (const float logit : mask.logits) total += std::exp(logit - mask.stages.back()[0].logit);
      CHECK(1 / total == Approx(mask.stages.back()[0].probability).epsilon(1e-4));
    }
    const infer::Trace& trace = explanation.trace;
    CHECK(trace.token_SE.size() == n * static_cast<size_t>(config.embedding_size));
    CHECK(trace.states_LSD.size() == (static_cast<size_t>(config.n_layers) + 1) * n * d);
    CHECK(trace.units_LSF.size() ==
          static_cast<size_t>(config.n_layers) * n * static_cast<size_t>(config.d_ff));
    REQUIRE(trace.qkv_AS3D.size() == static_cast<size_t>(config.n_layers) * n * 3 * d);
    // One head of the last layer again, from its queries and keys.
    const size_t size = d / static_cast<size_t>(config.n_heads);
    const float* qkv = trace.qkv_AS3D.data() + (config.n_layers - 1) * n * 3 * d;
    std::vector<double> weights(n);
    double sum = 0;
    for (size_t to = 0; to < n; ++to) {
      double product = 0;
      for (size_t k = 0; k < size; ++k)
        product += qkv[2 * 3 * d + size + k] * qkv[to * 3 * d + d + size + k];
      sum += weights[to] = std::exp(product / std::sqrt(static_cast<double>(size)));
    }
    const auto kept = fill_mask.engine().attention(config.n_layers - 1, 1);
    for (size_t to = 0; to < n; ++to)
      CHECK(weights[to] / sum == Approx(kept[2 * n + to]).margin(1e-4));
  }
}
