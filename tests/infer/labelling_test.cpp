// Texts in, labels or names out: the same pieces as in training, words, places, kernels, errors.
#include <catch2/catch.hpp>
#include <fstream>

#include "core/utf8.h"
#include "infer/classifier.h"
#include "infer/engine/float_ops.h"
#include "infer/tagger.h"
#include "random_model.h"
#include "rules/tag_decode.h"
#include "rules/text_windows.h"

using namespace minibert;
using namespace minibert::test;
using infer::Classifier;
using infer::ClassifyResult;
using infer::Tagger;
using infer::TagResult;
using nlohmann::json;

namespace {

const std::string kMixedText = "😀 大韓民國의 수도는　서울이다. 세종은  조선의 왕이다. é Å";
const json kShaped = {{"position", "relative"}, {"local_layers", 1}, {"conv", 3},
                      {"ffn", "geglu"},         {"head_gate", true}, {"norm", "pre"}};
const json kMean = {{"pooling", "mean"}, {"embedding_size", 20}, {"mlm_transform", true}};

template <class Kind>
struct LoadedLabeller {
  AlignedBytes file;
  Kind model;
  LoadedLabeller(const json& architecture, const MbqHead& head, MbqWeights type = MbqWeights::int8)
      : file(random_headed_mbq(architecture, head, type)) {
    const auto status = model.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
};

struct Labels : LoadedLabeller<Classifier> {
  explicit Labels(const json& changes = json::object(), int max_length = 40,
                  MbqWeights type = MbqWeights::int8)
      : LoadedLabeller(classifying_model(changes), classifying_head(max_length), type) {}
  ClassifyResult classify(const std::string& text, const std::string& second = "",
                          bool words = false) {
    ClassifyResult result;
    const auto status = model.classify(text, second, words, &result);
    INFO(status.message());
    REQUIRE(status.ok());
    return result;
  }
};

struct Names : LoadedLabeller<Tagger> {
  explicit Names(const json& changes = json::object(), int max_length = 48)
      : LoadedLabeller(tagging_model(changes), tagging_head(max_length)) {}
  TagResult tag(const std::string& text) {
    TagResult result;
    const auto status = model.tag(text, &result);
    INFO(status.message());
    REQUIRE(status.ok());
    return result;
  }
};

// Lines that normalization changes; those that have pieces.
std::vector<std::string> odd_lines() {
  std::ifstream file("tests/wasm_engine/lines.txt");
  std::vector<std::string> lines = {kMixedText};
  const Tokenizer tokenizer = Tokenizer::from_bytes(sample_tokenizer());
  for (std::string line; std::getline(file, line);)
    if (first_invalid_utf8(line) == kValid && !tokenizer.encode(line).empty())
      lines.push_back(line);
  return lines;
}

// The probabilities of a row of pieces, in the order of the labels.
std::vector<float> probabilities_of(const Classifier& model, const std::vector<int32_t>& ids,
                                    const std::vector<uint8_t>& segments = {}) {
  infer::Engine engine(model.model());
  REQUIRE(engine.encode(ids, segments).ok());
  const auto logits = engine.label_logits();
  std::vector<float> out(logits.begin(), logits.end());
  infer::softmax(out.data(), static_cast<int32_t>(out.size()));
  return out;
}

float probability_of(const ClassifyResult& result, const std::string& label) {
  for (const auto& one : result.labels)
    if (one.label == label) return one.probability;
  FAIL("no label " << label);
  return 0;
}

}  // namespace

TEST_CASE("a text's labels are those of the pieces that training has, to the bit") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(sample_tokenizer());
  for (const json& changes : {json::object(), kShaped, kMean}) {
    Labels loaded(changes);
    for (const std::string& line : odd_lines()) {
      CAPTURE(changes.dump(), line);
      std::vector<int32_t> ids = tokenizer.encode(line);
      const ClassifyResult result = loaded.classify(line);
      CHECK(result.pieces == ids.size());
      CHECK(result.read == ids.size());
      if (ids.size() > 38) continue;  // in windows
      ids.insert(ids.begin(), infer::kClassifierId);
      ids.push_back(infer::kSeparatorId);
      const std::vector<float> expected = probabilities_of(loaded.model, ids);
      REQUIRE(result.labels.size() == 3);
      CHECK(probability_of(result, "negative") == expected[0]);
      CHECK(probability_of(result, "neutral") == expected[1]);
      CHECK(probability_of(result, "positive") == expected[2]);
      CHECK(result.labels[0].probability >= result.labels[1].probability);
      CHECK(result.labels[1].probability >= result.labels[2].probability);
      CHECK(result.words.empty());
    }
  }
}

TEST_CASE("of a pair the longer text is read in windows, the first as in training") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(sample_tokenizer());
  Labels loaded(json::object(), 16);
  const std::string a = "세종은 조선의 왕이다.", b = "한국어와 한글은 다르다. 서울은 크다.";
  std::vector<int32_t> first = tokenizer.encode(a), second = tokenizer.encode(b);
  REQUIRE(first.size() + second.size() > 13);
  while (first.size() + second.size() > 13)
    (first.size() > second.size() ? first : second).pop_back();
  std::vector<int32_t> ids = {infer::kClassifierId};
  ids.insert(ids.end(), first.begin(), first.end());
  ids.push_back(infer::kSeparatorId);
  std::vector<uint8_t> segments(ids.size(), 0);
  ids.insert(ids.end(), second.begin(), second.end());
  ids.push_back(infer::kSeparatorId);
  segments.resize(ids.size(), 1);
  const WindowedText input = windowed(tokenizer.encode(a), tokenizer.encode(b), 16,
                                      infer::kClassifierId, infer::kSeparatorId);
  CHECK(input.windows[0].ids == ids);
  CHECK(input.windows[0].segments == segments);
  REQUIRE(input.windows.size() > 1);
  float sum = 0;
  for (const TextInputWindow& window : input.windows)
    sum += probabilities_of(loaded.model, window.ids, window.segments)[1];
  const ClassifyResult result = loaded.classify(a, b);
  CHECK(probability_of(result, "neutral") == sum / static_cast<float>(input.windows.size()));
  CHECK(result.read == input.read);
  CHECK(result.read < result.pieces);  // of two long texts the shorter one is cut off
}

TEST_CASE("windows cover a text, overlap by half, and the last is full") {
  CHECK(text_windows(0, 10).size() == 1);
  CHECK(text_windows(10, 10).size() == 1);
  for (const uint32_t room : {1U, 2U, 7U, 10U})
    for (uint32_t pieces = room + 1; pieces < 60; ++pieces) {
      const auto windows = text_windows(pieces, room);
      CAPTURE(room, pieces);
      CHECK(windows.front().first == 0);
      CHECK(windows.back().first + windows.back().count == pieces);
      for (size_t w = 0; w < windows.size(); ++w) {
        CHECK(windows[w].count == room);
        if (w > 0) CHECK(windows[w].first > windows[w - 1].first);
        if (w > 0) CHECK(windows[w].first <= windows[w - 1].first + windows[w - 1].count);
      }
      for (uint32_t i = 0; i < pieces; ++i) {
        const TextWindow& best = windows[best_window(windows, i)];
        CHECK(i >= best.first);
        CHECK(i < best.first + best.count);
      }
    }
  CHECK(best_window({{0, 10}, {5, 10}}, 6) == 0);
  CHECK(best_window({{0, 10}, {5, 10}}, 8) == 1);
}

TEST_CASE("a word weighs what the best label loses with its pieces masked") {
  for (const json& changes : {json::object(), kShaped, kMean}) {
    Labels loaded(changes);
    const ClassifyResult result = loaded.classify(kMixedText, "", true);
    std::vector<std::string> words;
    for (const auto& word : result.words)
      words.push_back(kMixedText.substr(word.begin, word.end - word.begin));
    CHECK(words == std::vector<std::string>{"😀", "大韓民國의", "수도는", "서울이다.", "세종은",
                                            "조선의", "왕이다.", "é", "Å"});
    // A word begins with a ▁, which alone is a piece where the word's first character is unknown.
    std::vector<infer::Token> pieces;
    REQUIRE(loaded.model.tokenize(kMixedText, &pieces).ok());
    for (size_t k = 0; k < words.size(); ++k) {
      std::vector<int32_t> ids = {infer::kClassifierId};
      size_t begun = 0;
      for (const auto& piece : pieces) {
        begun += piece.piece.starts_with("▁");
        ids.push_back(begun == k + 1 ? infer::kMaskId : piece.id);
      }
      ids.push_back(infer::kSeparatorId);
      const std::vector<std::string> names = {"negative", "neutral", "positive"};
      const auto best = std::find(names.begin(), names.end(), result.labels[0].label);
      CHECK(result.words[k].probability ==
            probabilities_of(loaded.model, ids)[size_t(best - names.begin())]);
    }
  }
}

TEST_CASE("a text longer than a window has the mean of its windows, and all its words weigh") {
  Labels loaded(json::object(), 12);
  const ClassifyResult result = loaded.classify(kMixedText, "", true);
  std::vector<infer::Token> pieces;
  REQUIRE(loaded.model.tokenize(kMixedText, &pieces).ok());
  CHECK(result.read == pieces.size());
  CHECK(result.pieces == pieces.size());
  const auto windows = text_windows(static_cast<uint32_t>(pieces.size()), 10);
  REQUIRE(windows.size() > 2);
  float sum = 0;
  for (const TextWindow& window : windows) {
    std::vector<int32_t> ids = {infer::kClassifierId};
    for (uint32_t i = 0; i < window.count; ++i) ids.push_back(pieces[window.first + i].id);
    ids.push_back(infer::kSeparatorId);
    sum += probabilities_of(loaded.model, ids)[1];
  }
  CHECK(probability_of(result, "neutral") == sum / static_cast<float>(windows.size()));
  REQUIRE_FALSE(result.words.empty());
  CHECK(kMixedText.substr(result.words.back().begin) == "Å");
}

TEST_CASE("names stand at their bytes and at their characters, as tags of pieces say") {
  for (const json& changes : {json::object(), kShaped}) {
    Names loaded(changes);
    size_t found = 0;
    for (const std::string& line : odd_lines()) {
      CAPTURE(changes.dump(), line);
      const TagResult result = loaded.tag(line);
      const std::u32string characters = to_code_points(line);
      // The same through the engine, piece by piece.
      std::vector<infer::Token> pieces;
      REQUIRE(loaded.model.tokenize(line, &pieces).ok());
      CHECK(result.pieces == pieces.size());
      CHECK(result.read == pieces.size());
      if (pieces.size() > 46) continue;  // in windows
      std::vector<int32_t> ids = {infer::kClassifierId};
      std::vector<PieceCharacters> places;
      for (const auto& piece : pieces) {
        ids.push_back(piece.id);
        const uint32_t begin = infer::skip_spaces(line, piece.begin, piece.end);  // none of a name
        places.push_back(piece_characters(line, code_point_offsets(line), begin, piece.end));
      }
      ids.push_back(infer::kSeparatorId);
      infer::Engine engine(loaded.model.model());
      REQUIRE(engine.encode(ids).ok());
      const auto logits = engine.tag_logits();
      const std::vector<std::string> names = tagging_model()["labels"];
      std::vector<std::string> tags;
      for (size_t i = 0; i < pieces.size(); ++i) {
        const auto row = logits.subspan((i + 1) * names.size(), names.size());
        tags.push_back(names[size_t(std::max_element(row.begin(), row.end()) - row.begin())]);
      }
      const auto by_character = character_tags(places, tags, characters.size());
      const std::vector<std::string_view> views(by_character.begin(), by_character.end());
      const auto expected = strict_entities(views);
      REQUIRE(result.entities.size() == expected.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        const infer::NamedEntity& entity = result.entities[i];
        CHECK(entity.type == expected[i].type);
        CHECK(entity.first == expected[i].begin);
        CHECK(entity.last == expected[i].end);
        CHECK(entity.text == line.substr(entity.begin, entity.end - entity.begin));
        CHECK(entity.text == to_utf8(characters.substr(entity.first, entity.last - entity.first)));
        CHECK(entity.probability > 0);
        CHECK(entity.probability <= 1);
        ++found;
      }
    }
    CHECK(found > 20);
  }
}

TEST_CASE("a piece of a long text has the tag of the window that shows most around it") {
  Names loaded(json::object(), 10);
  const std::string text = kMixedText + kMixedText;
  const TagResult result = loaded.tag(text);
  std::vector<infer::Token> pieces;
  REQUIRE(loaded.model.tokenize(text, &pieces).ok());
  CHECK(result.read == pieces.size());
  const auto windows = text_windows(static_cast<uint32_t>(pieces.size()), 8);
  const std::vector<std::string> names = tagging_model()["labels"];
  std::vector<std::string> tags;
  std::vector<PieceCharacters> places;
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    const TextWindow& window = windows[best_window(windows, i)];
    std::vector<int32_t> ids = {infer::kClassifierId};
    for (uint32_t k = 0; k < window.count; ++k) ids.push_back(pieces[window.first + k].id);
    ids.push_back(infer::kSeparatorId);
    infer::Engine engine(loaded.model.model());
    REQUIRE(engine.encode(ids).ok());
    const auto row =
        engine.tag_logits().subspan((i - window.first + 1) * names.size(), names.size());
    tags.push_back(names[size_t(std::max_element(row.begin(), row.end()) - row.begin())]);
    const uint32_t begin = infer::skip_spaces(text, pieces[i].begin, pieces[i].end);
    places.push_back(piece_characters(text, code_point_offsets(text), begin, pieces[i].end));
  }
  const auto by_character = character_tags(places, tags, to_code_points(text).size());
  const std::vector<std::string_view> views(by_character.begin(), by_character.end());
  const auto expected = strict_entities(views);
  REQUIRE(result.entities.size() == expected.size());
  REQUIRE_FALSE(expected.empty());
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(result.entities[i].first == expected[i].begin);
    CHECK(result.entities[i].last == expected[i].end);
  }
}

TEST_CASE("texts that cannot be read are told apart") {
  Labels labels;
  Names names;
  ClassifyResult result;
  TagResult tagged;
  for (const char* empty : {"", " \t\n"}) {
    CHECK(labels.model.classify(empty, "", true, &result).problem() == infer::Problem::empty_text);
    CHECK(names.model.tag(empty, &tagged).problem() == infer::Problem::empty_text);
  }
  CHECK(labels.model.classify("가\xed\xa0\x80", "", true, &result).message() ==
        "the text is not valid UTF-8");
  CHECK(labels.model.classify("가", "\xff", true, &result).message() ==
        "the text is not valid UTF-8");
  CHECK(names.model.tag("\xff", &tagged).message() == "the text is not valid UTF-8");
}

TEST_CASE("weights so extreme that nothing can be compared are an error, of every head") {
  const auto extreme = [](const json& model, const MbqHead& head, const std::string& name) {
    auto weights = random_weights(model, 1, 0.2, head);
    for (NamedTensor& weight : weights)
      if (weight.name == name)
        for (float& value : weight.values) value = 3e38f;
    return make_mbq(sample_source(model, head), weights, MbqWeights::int8);
  };
  const AlignedBytes labels(
      extreme(classifying_model(), classifying_head(), "sequence.output.weight"));
  const AlignedBytes names(extreme(tagging_model(), tagging_head(), "tag.weight"));
  Classifier classifier;
  Tagger tagger;
  REQUIRE(classifier.load(labels.span()).ok());
  REQUIRE(tagger.load(names.span()).ok());
  ClassifyResult result;
  TagResult tagged;
  const std::string message = "the model's weights give numbers that are not finite";
  CHECK(classifier.classify(kMixedText, "", false, &result).message() == message);
  CHECK(tagger.tag(kMixedText, &tagged).message() == message);
}

TEST_CASE("a model of single texts refuses a second one, and one that does not say reads it") {
  MbqHead head = classifying_head(40);
  const auto status_of = [&](std::optional<bool> pairs, const std::string& second) {
    head.pairs = pairs;
    LoadedLabeller<Classifier> labels(classifying_model(json::object()), head);
    CHECK(labels.model.model().config().classifies->pairs == pairs);
    ClassifyResult result;
    return labels.model.classify("서울은 수도이다.", second, false, &result);
  };
  const auto refused = status_of(false, "왕이다.");
  CHECK(refused.message() ==
        "found a second text, expected one: the model was trained on single texts");
  CHECK(refused.problem() == infer::Problem::second_text);
  CHECK(status_of(false, "").ok());
  CHECK(status_of(false, " ").ok());
  CHECK(status_of(true, "왕이다.").ok());
  CHECK(status_of(std::nullopt, "왕이다.").ok());
}
