// A model file of any task: it fills masks, answers, labels or marks names.
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

// The most guesses or answers that a caller may request.
inline constexpr int kMostAsked = 1000;

class AnyModel {
 public:
  // `file` must be 16-byte aligned and outlive this object. Fails like TextModel::load().
  Status load(std::span<const uint8_t> file);

  // "masks", "answers", "labels" or "names": the model's task, for the page and other programs.
  std::string_view task() const;
  const Model& model() const;
  Kernel kernel() const;
  // Sets the kernel for later calls; it must be available().
  void use_kernel(Kernel kernel);

  // Returns the text's pieces, whatever their number, with [CLS] and [SEP] if the model fills
  // masks. Fails for invalid UTF-8.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const;

  // Returns the encoder's last states for [CLS] text [SEP], in order: states_SD [tokens, d_model],
  // valid until the next call. Fails for an empty text, more pieces than the model reads (naming
  // both counts), and invalid UTF-8.
  Status embed(std::string_view text, std::vector<Token>* tokens,
               std::span<const float>* states_SD);

  // Returns the model as one that `does` this ("fills masks"); null and an error for another task.
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
