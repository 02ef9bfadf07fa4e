// A model file put to use, whatever its head: one that fills masks, answers, labels or marks names.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/fill_mask.h"
#include "infer/tagger.h"

namespace minibert::infer {

// So many guesses or answers can be asked for.
inline constexpr int kMostAsked = 1000;

class AnyModel {
 public:
  // `file` must be 16-byte aligned and outlive this object. Errors: those of TextModel::load().
  Status load(std::span<const uint8_t> file);

  // "masks", "answers", "labels" or "names": what it does, for the page and for other programs.
  std::string_view task() const;
  const Model& model() const;
  Kernel kernel() const;
  // Computes with this kernel from now on; it must be available().
  void use_kernel(Kernel kernel);

  // The text's pieces, with [CLS] and [SEP] where the model fills masks, however many they are. Errors:
  // invalid UTF-8.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const;

  // The encoder's last states of [CLS] text [SEP], each of them in its place: states_SD [tokens,
  // d_model], which stay valid until the model is next asked. Errors: an empty text, more pieces than
  // the model reads (names both counts), invalid UTF-8.
  Status embed(std::string_view text, std::vector<Token>* tokens,
               std::span<const float>* states_SD);

  // The model as one that `does` this ("fills masks"); null and an error where it does something else.
  template <class Kind>
  Kind* as(std::string_view does, Status* status) {
    Kind* kind = std::get_if<Kind>(&task_);
    if (kind == nullptr) *status = another_task(model().config(), does);
    return kind;
  }

 private:
  std::variant<FillMask, Answerer, Classifier, Tagger> task_;
};

}  // namespace minibert::infer
