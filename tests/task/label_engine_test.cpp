// The shipped records that label reviews and mark names, through LibTorch and through the portable engine.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "core/utf8.h"
#include "data/registry.h"
#include "data/splits/labelled_data.h"
#include "data/splits/tagged_data.h"
#include "export/label_agreement.h"
#include "infer/classifier.h"
#include "infer/tagger.h"
#include "score/entity_score.h"
#include "support/real_data.h"
#include "support/shipped.h"
#include "task/all/export_run.h"
#include "task/all/load_predictor.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

using testing::kShippedClassifier;
using testing::kShippedTagger;

ResolvedData data_set(const std::string& id) {
  return choose(Registry::load(), {id}, data_directory());
}

bool has_reviews(const std::string& part = "") {
  return testing::has_real_data({"nsmc/ratings_train.txt", "nsmc/ratings_test.txt"}, part);
}

// Texts that the records were not trained on where they are there, else lines that normalization changes.
std::vector<std::string> texts_of(const std::string& data, size_t count) {
  std::vector<std::string> texts;
  if (data == "nsmc" && has_reviews("real reviews")) {
    for (const LabelledExample& example : load_labelled(data_set(data)).test)
      if (texts.size() < count) texts.push_back(example.text);
  } else if (data == "klue-ner" &&
             testing::has_real_data({"klue-ner/klue-ner-v1.1_dev.tsv"}, "real sentences")) {
    for (const TaggedSentence& sentence : load_tagged(data_set(data)).test)
      if (texts.size() < count) texts.push_back(sentence.text);
  }
  const Tokenizer tokenizer =
      Tokenizer::from_bytes(load_record(kShippedClassifier).tokenizer_model);
  std::ifstream lines("tests/wasm_engine/lines.txt");
  for (std::string line; std::getline(lines, line);)
    if (first_invalid_utf8(line) == kValid && !tokenizer.encode(line).empty())
      texts.push_back(line);
  return texts;
}

template <class Kind>
struct LoadedLabeller {
  AlignedBytes file;
  Kind model;
  LoadedLabeller(const char* record, MbqWeights type) : file(export_record(record, type)) {
    const auto status = model.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
};

infer::ClassifyResult labels_of(infer::Classifier& model, const std::string& text) {
  infer::ClassifyResult result;
  REQUIRE(model.classify(text, "", false, &result).ok());
  return result;
}

using Names = std::set<std::tuple<std::string, uint32_t, uint32_t>>;

Names names_of(infer::Tagger& model, const std::string& text,
               infer::NamesOf names = infer::NamesOf::whole_words) {
  infer::TagResult result;
  REQUIRE(model.tag(text, &result, names).ok());
  Names out;
  for (const infer::NamedEntity& one : result.entities) out.insert({one.type, one.first, one.last});
  return out;
}

}  // namespace

TEST_CASE("the shipped record labels reviews in the engine as it does in LibTorch") {
  const auto stored = load_predictor<LabelPredictor>(kShippedClassifier);
  LoadedLabeller<infer::Classifier> float32(kShippedClassifier, MbqWeights::float32);
  LoadedLabeller<infer::Classifier> int8(kShippedClassifier, MbqWeights::int8);
  const std::vector<std::string> texts = texts_of("nsmc", 400);
  size_t same_float = 0, same_int8 = 0;
  double off = 0;  // largest difference of a probability
  for (const std::string& text : texts) {
    const infer::LabelProbability exact = stored->labels(text, "", false).labels.at(0);
    const auto by_float = labels_of(float32.model, text), by_int8 = labels_of(int8.model, text);
    same_float += by_float.labels[0].label == exact.label;
    same_int8 += by_int8.labels[0].label == exact.label;
    off = std::max<double>(off, std::abs(by_float.labels[0].probability - exact.probability));
  }
  INFO("same label: float32 " << same_float << ", int8 " << same_int8 << " of " << texts.size()
                              << "; probability off by " << off);
  CHECK(same_float == texts.size());
  CHECK(off < 1e-4);
  CHECK(same_int8 * 100 >= texts.size() * 98);
}

TEST_CASE("the shipped record marks names in the engine as it does in LibTorch") {
  const auto stored = load_predictor<NamePredictor>(kShippedTagger);
  LoadedLabeller<infer::Tagger> float32(kShippedTagger, MbqWeights::float32);
  LoadedLabeller<infer::Tagger> int8(kShippedTagger, MbqWeights::int8);
  const std::vector<std::string> texts = texts_of("klue-ner", 300);
  size_t same_float = 0, same_int8 = 0;
  for (const std::string& text : texts) {
    Names exact;
    for (const FoundName& one : stored->names(text)) exact.insert({one.type, one.begin, one.end});
    same_float += names_of(float32.model, text) == exact;
    same_int8 += names_of(int8.model, text) == exact;
  }
  INFO("same names: float32 " << same_float << ", int8 " << same_int8 << " of " << texts.size());
  CHECK(same_float == texts.size());
  CHECK(same_int8 * 100 >= texts.size() * 90);
}

TEST_CASE("names of whole words are nearer to the true ones than each piece's best tag") {
  if (!testing::has_real_data({"klue-ner/klue-ner-v1.1_dev.tsv"})) return;
  LoadedLabeller<infer::Tagger> int8(kShippedTagger, MbqWeights::int8);
  std::map<infer::NamesOf, std::map<std::string, EntityCounts>> counts;
  for (const TaggedSentence& sentence : load_tagged(data_set("klue-ner")).test) {
    const std::vector<std::string_view> tags(sentence.tags.begin(), sentence.tags.end());
    Names gold;
    for (const Entity& entity : strict_entities(tags))
      gold.insert({entity.type, entity.begin, entity.end});
    for (const auto names : {infer::NamesOf::pieces, infer::NamesOf::whole_words}) {
      for (const auto& name : gold) counts[names][std::get<0>(name)].gold += 1;
      for (const auto& name : names_of(int8.model, sentence.text, names)) {
        EntityCounts& of_type = counts[names][std::get<0>(name)];
        of_type.predicted += 1;
        of_type.correct += static_cast<double>(gold.count(name));
      }
    }
  }
  std::map<infer::NamesOf, double> f1;
  for (const auto& [names, by_type] : counts) {
    std::vector<EntityCounts> types;
    for (const auto& [type, count] : by_type) types.push_back(count);
    f1[names] = entity_macro_f1(types);
  }
  const double pieces = f1[infer::NamesOf::pieces], words = f1[infer::NamesOf::whole_words];
  INFO("entity F1 " << pieces << " of pieces, " << words << " of whole words");
  CHECK(pieces == Approx(0.5787).margin(0.002));
  CHECK(words > pieces + 0.04);
}

TEST_CASE("int8 costs the shipped records next to nothing in accuracy and entity F1") {
  if (!has_reviews()) return;
  const AlignedBytes float32(export_record(kShippedClassifier, MbqWeights::float32));
  const AlignedBytes int8(export_record(kShippedClassifier, MbqWeights::int8));
  const auto reviews = load_labelled(data_set("nsmc")).test;
  const LabelAgreement found =
      measure_label_agreement(float32.span(), int8.span(), std::span(reviews).first(1000), 1);
  INFO("accuracy " << found.float_accuracy() << " float, " << found.int8_accuracy()
                   << " int8; same " << found.agreement());
  CHECK(found.texts == 1000);
  CHECK(found.int8_accuracy() > found.float_accuracy() - 0.01);
  CHECK(found.agreement() > 0.98);
}

}  // namespace minibert
