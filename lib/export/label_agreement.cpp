#include "export/label_agreement.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"
#include "core/utf8.h"
#include "export/loaded_engine.h"
#include "infer/classifier.h"
#include "infer/particles.h"
#include "infer/tagger.h"
#include "score/label_set.h"

namespace minibert {
namespace {

std::string label_by(infer::Classifier& model, const LabelledExample& example) {
  infer::ClassifyResult result;
  const infer::Status status = model.classify(example.text, example.pair, false, &result);
  if (!status.ok()) throw Error("example " + example.id + ": " + status.message());
  return as_label_set(result.given());
}

std::string tags_of(infer::Tagger& model, const std::string& text, TagsOf of) {
  infer::TagResult result;
  const infer::Status status = of == TagsOf::shown
                                   ? infer::tag_without_particles(model, text, &result)
                                   : model.tag(text, &result);
  if (!status.ok()) throw Error(status.message());
  std::vector<std::string> tags(to_code_points(text).size(), "O");
  for (const infer::NamedEntity& entity : result.entities)
    for (uint32_t at = entity.first; at < entity.last; ++at)
      tags[at] = (at == entity.first ? "B-" : "I-") + entity.type;
  return joined(tags, " ");
}

}  // namespace

LabelAgreement measure_label_agreement(std::span<const uint8_t> float_file,
                                       std::span<const uint8_t> int8_file,
                                       std::span<const LabelledExample> examples, int threads) {
  struct Outcome {
    bool same = false, float_right = false, int8_right = false;
  };
  std::vector<Outcome> outcomes(examples.size());
  parallel_over(examples.size(), threads, [&] {
    return [&, float_model = load_engine<infer::Classifier>(float_file),
            int8_model = load_engine<infer::Classifier>(int8_file)](size_t i) {
      const std::string by_float = label_by(*float_model, examples[i]);
      const std::string by_int8 = label_by(*int8_model, examples[i]);
      const std::string& right = examples[i].label;
      outcomes[i] = {by_float == by_int8, by_float == right, by_int8 == right};
    };
  });
  LabelAgreement total{.texts = outcomes.size()};
  for (const Outcome& one : outcomes) {
    total.same += one.same;
    total.float_right += one.float_right;
    total.int8_right += one.int8_right;
  }
  return total;
}

std::vector<std::string> engine_tags(std::span<const uint8_t> file,
                                     const std::vector<std::string>& texts, int threads,
                                     TagsOf of) {
  std::vector<std::string> tags(texts.size());
  parallel_over(texts.size(), threads, [&] {
    return [&, model = load_engine<infer::Tagger>(file)](size_t i) {
      tags[i] = tags_of(*model, texts[i], of);
    };
  });
  return tags;
}

}  // namespace minibert
