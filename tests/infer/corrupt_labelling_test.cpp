// What the loader refuses of files that label texts or mark names.
#include <catch2/catch.hpp>
#include <cmath>

#include "change_file.h"
#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/tagger.h"
#include "load_error.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using nlohmann::json;

namespace {

const json kSmall = {{"d_model", 16}, {"embedding_size", 16}, {"d_ff", 24}};
const json kAbsent(json::value_t::discarded);

const std::string& labelling_file() {
  static const std::string bytes =
      random_headed_mbq(classifying_model(kSmall), classifying_head(), MbqWeights::int8);
  return bytes;
}

const std::string& naming_file() {
  static const std::string bytes =
      random_headed_mbq(tagging_model(kSmall), tagging_head(), MbqWeights::int8);
  return bytes;
}

}  // namespace

TEST_CASE("a file that says something else of pairs than true or false is refused") {
  CHECK_THAT(load_error<infer::Classifier>(changed_metadata(labelling_file(), "pairs", "yes")),
             Catch::Matchers::Contains("pairs: found \"yes\", expected \"true\" or \"false\""));
}

TEST_CASE("files that label or mark say so, and load as nothing else") {
  const AlignedBytes labels(labelling_file()), names(naming_file());
  CHECK(header_of(labelling_file())["__metadata__"]["version"] == "4");
  CHECK(header_of(naming_file())["__metadata__"]["version"] == "4");
  CHECK(header_of(labelling_file())["sequence.dense.weight"]["dtype"] == "I8");
  CHECK(header_of(labelling_file())["sequence.output.weight"]["shape"] == json{3, 16});
  CHECK(header_of(naming_file())["tag.weight"]["dtype"] == "F32");
  CHECK(load_error(labelling_file()) == "the model labels texts, expected one that fills masks");
  CHECK(load_error(naming_file()) == "the model marks names, expected one that fills masks");
  infer::Answerer answerer;
  infer::Classifier classifier;
  infer::Tagger tagger;
  CHECK(answerer.load(names.span()).message() ==
        "the model marks names, expected one that answers questions");
  CHECK(classifier.load(names.span()).message() ==
        "the model marks names, expected one that labels texts");
  CHECK(tagger.load(labels.span()).message() ==
        "the model labels texts, expected one that marks names");
  REQUIRE(classifier.load(labels.span()).ok());
  REQUIRE(tagger.load(names.span()).ok());
  CHECK(classifier.model().config().classifies->labels.size() == 3);
  CHECK(tagger.model().config().tags->max_length == 48);
  const json mean = {{"pooling", "mean"}};
  const std::string without_pooler =
      random_headed_mbq(classifying_model(mean), classifying_head(), MbqWeights::int8);
  CHECK_FALSE(header_of(without_pooler).contains("sequence.dense.weight"));
}

TEST_CASE("broken files that label or mark are errors that say what is wrong") {
  const std::string &labels = labelling_file(), &names = naming_file();
  const auto label = [&](const std::string& key, const json& value) {
    return changed_json(labels, "model", key, value);
  };
  const auto tag = [&](const json& value) { return changed_json(names, "model", "labels", value); };
  struct Case {
    std::string name, file, expected;
  };
  const std::vector<Case> cases = {
      {"version 3", changed_metadata(labels, "version", "3"), "found \"3\", expected \"4\""},
      {"several labels a text in version 4", changed_json(labels, "classifies", "several", true),
       "__metadata__.version: found \"4\", expected \"6\" for this architecture"},
      {"version 5", changed_metadata(labels, "version", "5"), "__metadata__.version: found \"5\""},
      {"two heads", changed_metadata(labels, "tags", "{\"max_length\":40}"),
       "found both \"classifies\" and \"tags\", expected one"},
      {"no head", changed_metadata(labels, "classifies", kAbsent),
       "found a key that this program does not know"},
      {"another head",
       changed_metadata(changed_metadata(labels, "classifies", kAbsent), "tags",
                        "{\"max_length\":40}"),
       "model.labels: found \"negative\", expected O, B-… or I-…"},
      {"a key of the future", changed_json(names, "tags", "crf", true),
       "tags.crf: found a key that this program does not know"},
      {"no length", changed_json(labels, "classifies", "max_length", kAbsent),
       "classifies.max_length: found nothing"},
      {"too long", changed_json(labels, "classifies", "max_length", 65),
       "classifies.max_length: found 65, expected an integer from 8 to 64"},
      {"too short", changed_json(names, "tags", "max_length", 7), "tags.max_length: found 7"},
      {"pooling of another kind", label("pooling", "max"),
       "model.pooling: found \"max\", expected \"cls\" or \"mean\""},
      {"no pooling", label("pooling", kAbsent), "model.pooling: found nothing"},
      {"pooling without its tensors", label("pooling", "mean"), "tensors, expected"},
      {"one label", label("labels", {"a"}), "model.labels: found [\"a\"], expected a list of 2"},
      {"labels twice", label("labels", {"a", "a", "b"}), "different names"},
      {"other labels than rows", label("labels", {"a", "b"}),
       "found shape [3, 16], expected [2, 16]"},
      {"no labels", label("labels", kAbsent), "model.labels: found nothing"},
      {"tags no tags", tag({"O", "B-", "B-PS", "I-LC", "I-PS"}), "found \"B-\", expected O"},
      {"head NaN", changed_float(labels, "sequence.output.weight", NAN), "not finite"},
      {"tags NaN", changed_float(names, "tag.bias", NAN), "not finite"},
      {"half the data", labels.substr(0, labels.size() / 2), "data_offsets"},
  };
  for (const Case& item : cases) {
    const std::string message = load_error(item.file);
    INFO(item.name << ": " << message);
    CHECK_THAT(message, Catch::Contains(item.expected));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 400);
  }
}
