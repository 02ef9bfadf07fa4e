// The engine behind C functions for JavaScript: strings are UTF-8, results are JSON with offsets in
// UTF-16 units, as in JavaScript's strings.
//
// A function that returns a pointer returns null on an error, which minibert_error() then tells.
// The pointer is valid until the next call. One thread at a time.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "helper.h"
#include "infer/any_model.h"
#include "infer/engine/fastest_kernel.h"
#include "infer/explain.h"
#include "infer/fill_json.h"
#include "infer/format/mbq_series.h"
#include "infer/intervene.h"
#include "infer/particles.h"
#include "infer/teach.h"
#include "infer/training.h"
#include "infer/word_guesses.h"
#include "infer/written_masks.h"

using minibert::Intervention;
using minibert::Swap;
using namespace minibert::infer;

namespace {

struct Loaded {
  uint8_t* file = nullptr;
  AnyModel any;
  Training training;  // set for a series; `any` is then its last model
  Teacher teacher;
  std::optional<KernelTimes> times;
  ~Loaded() { std::free(file); }

  nlohmann::ordered_json facts() const {
    const Kernel kernel = any.kernel();
    auto json = facts_json(any.model(), kernel);
    const bool relaxed =
        kernel == Kernel::wasm_relaxed_simd || kernel == Kernel::wasm_relaxed_simd16;
    json["task"] = any.task();
    if (!training.empty()) json["checkpoints"] = training.shares();
    if (relaxed && helper_is_there()) json["kernel"] = std::string(name(kernel)) + ", 2 threads";
    return json;
  }

  void time_kernels() {
    if (!times) times.emplace(any.model());
    times->measure();
    const Kernel fastest = times->fastest();
    if (fastest != any.kernel()) any.use_kernel(fastest);
  }
};

std::map<int, Loaded> loaded;
int next_handle = 1;
Status failure;
std::string answer;
std::vector<float> numbers;

const char* fail(const Status& status) {
  failure = status;
  return nullptr;
}

// Returns JavaScript's code of a problem (package/errors.js).
const char* code(Problem problem) {
  switch (problem) {
    case Problem::none:
      return "";
    case Problem::empty_text:
      return "empty-text";
    case Problem::text_too_long:
      return "text-too-long";
    case Problem::no_mask:
      return "no-mask";
    case Problem::empty_question:
      return "empty-question";
    case Problem::question_too_long:
      return "question-too-long";
    case Problem::second_text:
      return "second-text";
    case Problem::other:
      break;
  }
  return "engine";
}

const char* give(const nlohmann::ordered_json& json) {
  answer = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return answer.c_str();
}

// Returns the model of a handle, or null and an error.
Loaded* find_any(int handle) {
  const auto found = loaded.find(handle);
  if (found != loaded.end()) return &found->second;
  fail(Status::error("no model is loaded under this handle"));
  return nullptr;
}

// The model behind a handle, of a kind that `does` this; or null and an error.
template <class Kind>
Kind* find(int handle, std::string_view does) {
  Loaded* found = find_any(handle);
  if (found == nullptr) return nullptr;
  Status status;
  Kind* kind = found->any.as<Kind>(does, &status);
  if (kind == nullptr) fail(status);
  return kind;
}

FillMask* find_filler(int handle) { return find<FillMask>(handle, "fills masks"); }

// Turns the places of parts of `text` from UTF-8 bytes into UTF-16 units.
template <class Part>
void count_units(std::string_view text, std::vector<Part>* parts) {
  std::vector<uint32_t> units(text.size() + 1);  // before each byte
  uint32_t unit = 0;
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<uint8_t>(text[at]);
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const size_t end = std::min(text.size(), at + bytes);
    for (; at < end; ++at) units[at] = unit;
    unit += bytes == 4 ? 2 : 1;
  }
  units[text.size()] = unit;
  for (Part& part : *parts) {
    part.begin = units[part.begin];
    part.end = units[part.end];
  }
}

// A result with the kernel that it was computed with; its `parts` are parts of `text`.
template <class Result, class... Parts>
const char* give_result(int handle, const Status& status, Result& result, std::string_view text,
                        std::vector<Parts>*... parts) {
  if (!status.ok()) return fail(status);
  (count_units(text, parts), ...);
  auto json = to_json(result);
  json["kernel"] = loaded[handle].facts()["kernel"];
  return give(json);
}

// Layers and heads to switch off as "2,1.3", and positions to swap as "3,5:6".
Status read_changes(const std::string& off, const std::string& moves, Intervention* what,
                    Swap* swap) {
  if (!minibert::read_parts(off, what))
    return Status::error("found \"" + off + "\" to switch off, expected layers and heads as 2,1.3");
  if (!minibert::read_moves(moves, swap))
    return Status::error("found positions \"" + moves + "\", expected such as 3,5:6");
  return {};
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* minibert_error() { return failure.message().c_str(); }
EMSCRIPTEN_KEEPALIVE const char* minibert_error_code() { return code(failure.problem()); }
// After an error of length: the number of pieces found, and the most allowed; else 0.
EMSCRIPTEN_KEEPALIVE size_t minibert_error_found() { return failure.found(); }
EMSCRIPTEN_KEEPALIVE size_t minibert_error_most() { return failure.most(); }

// Memory for a model file, aligned as Model::load asks; null when there is not enough.
EMSCRIPTEN_KEEPALIVE uint8_t* minibert_alloc(size_t size) {
  return static_cast<uint8_t*>(std::aligned_alloc(16, (size + 15) / 16 * 16));
}

// Models loaded from now on may use this kernel: the index, in this module's table, of the function
// dot_wasm_relaxed_simd (or, with in16, dot_wasm_relaxed_simd16) that the relaxed-SIMD module
// exports. False where it computes wrongly here.
EMSCRIPTEN_KEEPALIVE bool minibert_add_relaxed_simd(DotKernel dot, bool in16) {
  return add_relaxed_simd_kernel(in16 ? Kernel::wasm_relaxed_simd16 : Kernel::wasm_relaxed_simd,
                                 with_helper(dot, in16));
}

// Takes over `file`, which minibert_alloc gave, also on an error: a model, or a series of one while it learnt. Returns
// a handle, or 0.
EMSCRIPTEN_KEEPALIVE int minibert_load(uint8_t* file, size_t size) {
  Loaded& entry = loaded[next_handle];
  entry.file = file;
  Status status;
  if (is_series({file, size})) {
    status = entry.training.load({file, size});
    if (status.ok()) status = entry.any.load(entry.training.last());
  } else {
    status = entry.any.load({file, size});
  }
  if (status.ok()) return next_handle++;
  loaded.erase(next_handle);
  fail(status);
  return 0;
}

// Measures for some twenty milliseconds which kernel is fastest for a model; the model then uses
// the fastest of all its measurements. A page's first ones run hastily compiled code.
EMSCRIPTEN_KEEPALIVE void minibert_time_kernels(int handle) {
  if (Loaded* found = find_any(handle)) found->time_kernels();
}

EMSCRIPTEN_KEEPALIVE void minibert_unload(int handle) { loaded.erase(handle); }

// → facts_json()
EMSCRIPTEN_KEEPALIVE const char* minibert_facts(int handle) {
  const Loaded* found = find_any(handle);
  if (found == nullptr) return nullptr;
  return give(found->facts());
}

// → to_json(FillResult) and "kernel"
EMSCRIPTEN_KEEPALIVE const char* minibert_fill(int handle, const char* text, int top_k) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  FillResult result;
  const Status status =
      fill_written(*fill_mask, text, static_cast<size_t>(top_k > 0 ? top_k : 1), &result);
  return give_result(handle, status, result, text, &result.tokens, &result.masks);
}

// → [{text, pieces, probability}]: guess_words() for one of the masks
EMSCRIPTEN_KEEPALIVE const char* minibert_words(int handle, const char* text, int mask, int top) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  std::vector<WordGuess> words;
  const Status status =
      guess_words(*fill_mask, text, static_cast<size_t>(mask), static_cast<size_t>(top), &words);
  return status.ok() ? give(to_json(words, fill_mask->tokenizer())) : fail(status);
}

// → {pieces: [{id, piece, rank, probability}], probability}: score_word()
EMSCRIPTEN_KEEPALIVE const char* minibert_score(int handle, const char* text, int mask,
                                                const char* word) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  WordScore score;
  const Status status = score_word(*fill_mask, text, static_cast<size_t>(mask), word, &score);
  return status.ok() ? give(to_json(score)) : fail(status);
}

// → to_json(AnswerResult) and "kernel", without particles
EMSCRIPTEN_KEEPALIVE const char* minibert_answer(int handle, const char* question,
                                                 const char* context, int top) {
  Answerer* answerer = find<Answerer>(handle, "answers questions");
  if (answerer == nullptr) return nullptr;
  AnswerResult result;
  const Status status = answer_without_particles(*answerer, question, context,
                                                 static_cast<size_t>(std::max(top, 1)), &result);
  return give_result(handle, status, result, context, &result.answers);
}

// → to_json(ClassifyResult) and "kernel"; second: of a pair, else "".
EMSCRIPTEN_KEEPALIVE const char* minibert_classify(int handle, const char* text, const char* second,
                                                   bool weigh_words) {
  Classifier* classifier = find<Classifier>(handle, "labels texts");
  if (classifier == nullptr) return nullptr;
  ClassifyResult result;
  const Status status = classifier->classify(text, second, weigh_words, &result);
  return give_result(handle, status, result, text, &result.words);
}

// → to_json(TagResult) and "kernel", without particles
EMSCRIPTEN_KEEPALIVE const char* minibert_tag(int handle, const char* text) {
  Tagger* tagger = find<Tagger>(handle, "marks names");
  if (tagger == nullptr) return nullptr;
  TagResult result;
  const Status status = tag_without_particles(*tagger, text, &result);
  return give_result(handle, status, result, text, &result.entities);
}

// → to_json(TeachResult)
EMSCRIPTEN_KEEPALIVE const char* minibert_teach(int handle, const char* lessons, const char* asked,
                                                bool learn) {
  Loaded* found = find_any(handle);
  if (found == nullptr) return nullptr;
  TeachResult result;
  const Status status = found->teacher.teach(&found->any, lessons, asked, learn, &result);
  if (!status.ok()) return fail(status);
  count_units(asked, &result.words);
  return give(to_json(result));
}

// → [{id, piece, begin, end}], with [CLS] and [SEP] where the model fills masks
EMSCRIPTEN_KEEPALIVE const char* minibert_tokenize(int handle, const char* text) {
  const Loaded* found = find_any(handle);
  if (found == nullptr) return nullptr;
  std::vector<Token> tokens;
  const Status status = found->any.tokenize(text, &tokens);
  if (!status.ok()) return fail(status);
  count_units(text, &tokens);
  return give(to_json(tokens));
}

// → {tokens, layers, local_layers, heads}; minibert_numbers() has the probabilities then: float [layers −
// local_layers, heads, n, n], where n is the tokens' number. Local layers, the first ones, have no attention.
EMSCRIPTEN_KEEPALIVE const char* minibert_attention(int handle, const char* text) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  std::vector<Token> tokens;
  const Status status = fill_mask->attend(text, &tokens);
  if (!status.ok()) return fail(status);
  count_units(text, &tokens);
  const ModelConfig& config = fill_mask->model().config();
  const size_t count = static_cast<size_t>(config.attention_layers()) *
                       static_cast<size_t>(config.n_heads) * tokens.size() * tokens.size();
  const float* weights = fill_mask->engine().attention(config.local_layers, 0).data();
  numbers.assign(weights, weights + count);
  return give({{"tokens", to_json(tokens)},
               {"layers", config.n_layers},
               {"local_layers", config.local_layers},
               {"heads", config.n_heads}});
}

// → to_json(Explanation) of the model changed as minibert_intervene() says; minibert_numbers() has then the parts of a
// Trace in its order, attention A × H × S × S, each mask's fitting logits. Taps and attention of what is off are 0.
EMSCRIPTEN_KEEPALIVE const char* minibert_explain(int handle, const char* text, int top,
                                                  const char* off, const char* other, int stage,
                                                  const char* moves) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  Intervention what;
  Swap swap{other, stage, {}};
  Status status = read_changes(off, moves, &what, &swap);
  if (status.ok()) status = intervene(*fill_mask, text, what, swap);
  Explanation explanation;
  if (status.ok()) status = explain(*fill_mask, text, static_cast<size_t>(top), &explanation);
  fill_mask->restore();
  if (!status.ok()) return fail(status);
  const ModelConfig& config = fill_mask->model().config();
  const size_t length = explanation.tokens.size();
  auto& taps = explanation.trace.taps_LSK;
  const size_t of_layer = length * static_cast<size_t>(config.local_taps);
  for (const int32_t layer : what.layers)
    if (layer < config.local_layers)
      std::fill_n(taps.begin() + static_cast<ptrdiff_t>(layer * of_layer), of_layer, 0.0f);
  numbers.clear();
  const auto add = [](std::span<const float> values) {
    numbers.insert(numbers.end(), values.begin(), values.end());
  };
  const Trace& trace = explanation.trace;
  for (const auto* part :
       {&trace.token_SE, &trace.position_SE, &trace.segment_SE, &trace.states_LSD, &trace.taps_LSK,
        &trace.qkv_AS3D, &trace.offsets_AHO, &trace.gates_ASH, &trace.units_LSF})
    add(*part);
  for (int32_t layer = config.local_layers; layer < config.n_layers; ++layer)
    for (int32_t head = 0; head < config.n_heads; ++head) {
      const bool off = what.layer_is_off(layer) ||
                       std::find(what.heads.begin(), what.heads.end(),
                                 Intervention::Head{layer, head}) != what.heads.end();
      if (off)
        numbers.insert(numbers.end(), length * length, 0.0f);
      else
        add(fill_mask->engine().attention(layer, head));
    }
  for (const ExplainedMask& mask : explanation.masks) add(mask.logits);
  count_units(text, &explanation.tokens);
  return give(to_json(explanation, config));
}

// → to_json(ChangedResult): the model without the layers and heads of `off` ("2,1.3", from 1), with states of the
// text `other` after layer `stage` at `moves` ("3,5:6"; "": at all positions); other "": without. `word` is followed
// at the `mask`-th mask; "": none is.
EMSCRIPTEN_KEEPALIVE const char* minibert_intervene(int handle, const char* text, int top,
                                                    const char* off, const char* other, int stage,
                                                    const char* moves, int mask, const char* word) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  Intervention what;
  Swap swap{other, stage, {}};
  Status status = read_changes(off, moves, &what, &swap);
  if (!status.ok()) return fail(status);
  ChangedResult result;
  status = fill_changed(*fill_mask, text, static_cast<size_t>(std::max(top, 1)), what, swap,
                        static_cast<size_t>(std::max(mask, 0)), word, &result);
  if (!status.ok()) return fail(status);
  count_units(text, &result.tokens);
  return give(to_json(result));
}

// → to_json(std::vector<CheckpointFill>) of a series
EMSCRIPTEN_KEEPALIVE const char* minibert_checkpoints(int handle, const char* text, int top) {
  Loaded* found = find_any(handle);
  if (found == nullptr) return nullptr;
  if (found->training.empty())
    return fail(Status::error("the model is no series, expected one of a training"));
  std::vector<CheckpointFill> all;
  const Status status = found->training.fill(text, static_cast<size_t>(std::max(top, 1)), &all);
  if (!status.ok()) return fail(status);
  for (CheckpointFill& one : all) count_units(text, &one.found.masks);
  return give(to_json(all));
}

// → {tokens, width}; minibert_numbers() has then AnyModel::embed()'s states, float [tokens, width].
EMSCRIPTEN_KEEPALIVE const char* minibert_embed(int handle, const char* text) {
  Loaded* found = find_any(handle);
  if (found == nullptr) return nullptr;
  std::vector<Token> tokens;
  std::span<const float> states;
  const Status status = found->any.embed(text, &tokens, &states);
  if (!status.ok()) return fail(status);
  count_units(text, &tokens);
  numbers.assign(states.begin(), states.end());
  return give({{"tokens", to_json(tokens)}, {"width", found->any.model().config().d_model}});
}

// The numbers that the last minibert_attention(), minibert_explain() or minibert_embed() left
// beside its JSON.
EMSCRIPTEN_KEEPALIVE const float* minibert_numbers() { return numbers.data(); }
EMSCRIPTEN_KEEPALIVE size_t minibert_numbers_count() { return numbers.size(); }

// Runs the encoder on ids [length] and returns the logits [vocab_size] of one position, for the
// benchmark and the tests.
EMSCRIPTEN_KEEPALIVE const float* minibert_logits(int handle, const int32_t* ids, int length,
                                                  int position) {
  FillMask* fill_mask = find_filler(handle);
  if (fill_mask == nullptr) return nullptr;
  const Status status = fill_mask->encode_ids({ids, static_cast<size_t>(length)}, {&position, 1});
  if (!status.ok()) {
    fail(status);
    return nullptr;
  }
  return fill_mask->logits(position).data();
}

}  // extern "C"
