// The fuzzer's target: any bytes as a .mbq, and what it loads put to use. Built for libFuzzer by
// tests/fuzz/run.sh, and into test_fuzz for a fixed number of mutations.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/explain.h"
#include "infer/tagger.h"

using namespace minibert::infer;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A block of exactly this size at an aligned address, so that a sanitizer sees one byte too far.
  void* memory = nullptr;
  if (posix_memalign(&memory, 16, size == 0 ? 1 : size) != 0) return 0;
  const auto free = [](uint8_t* block) { std::free(block); };
  const std::unique_ptr<uint8_t, decltype(free)> file(static_cast<uint8_t*>(memory));
  std::memcpy(file.get(), data, size);
  Answerer answerer;
  if (answerer.load({file.get(), size}).ok()) {
    const std::string_view context = "한국어 a.a 한국 어 \xed\x95\x9c\xea\xb5\xad a 한a";
    AnswerResult result;
    if (answerer.answer("한국어 a", context, 3, &result).ok())
      for (const Answer& answer : result.answers)
        if (context.substr(answer.begin, answer.end - answer.begin) != answer.text) std::abort();
  }
  const std::string_view text = "한국어 a.a \xed\x95\x9c\xea\xb5\xad";
  Classifier classifier;
  ClassifyResult labels;
  if (classifier.load({file.get(), size}).ok() &&
      classifier.classify(text, "a", true, &labels).ok())
    for (const WordWeight& word : labels.words)
      if (word.begin >= word.end || word.end > text.size()) std::abort();
  Tagger tagger;
  TagResult names;
  if (tagger.load({file.get(), size}).ok() && tagger.tag(text, &names).ok())
    for (const NamedEntity& name : names.entities)
      if (text.substr(name.begin, name.end - name.begin) != name.text) std::abort();
  FillMask model;
  if (!model.load({file.get(), size}).ok()) return 0;
  for (const char* text : {"한국 [MASK]어.", "[MASK]", "a [MASK][MASK] \xed\x95\x9c\xea\xb5\xad"}) {
    FillResult result;
    // Both are right: a loaded model may still be too short for the text, or overflow.
    if (!model.fill(text, 3, &result).ok()) continue;
  }
  std::vector<Token> tokens;
  const ModelConfig& config = model.model().config();
  if (model.attend("한국어 a.", &tokens).ok())
    for (int32_t layer = 0; layer < config.n_layers; ++layer)
      if (model.engine().attention(layer, 0).size() !=
          (layer < config.local_layers ? 0 : tokens.size() * tokens.size()))
        std::abort();
  Explanation explanation;
  if (explain(model, "한국 [MASK]어.", 2, &explanation).ok() &&
      explanation.trace.units_LSF.size() !=
          explanation.tokens.size() * size_t(config.n_layers) * size_t(config.d_ff))
    std::abort();
  return 0;
}
