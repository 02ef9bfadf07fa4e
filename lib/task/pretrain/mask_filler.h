// Fills the masks of a text from a run record, with LibTorch in float32, for every BERT that can be
// trained or imported here. The rules for what fits a mask, and the result, are those of the page's
// engine (infer/fill_mask.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "infer/fill_mask.h"
#include "model/pretraining_model.h"
#include "record/run_record.h"
#include "task/predictor.h"
#include "text/tokenizer.h"

namespace minibert {

class MaskFiller : public MaskPredictor {
 public:
  // Throws Error naming `file` if it is no pretraining run (usage Error), or lacks weights or the
  // head.
  MaskFiller(const RunRecord& record, const std::string& file);

  // Probabilities are over the pieces that fit.
  infer::FillResult fill(const std::string& text, size_t top_k) override;

 private:
  // True if the mask at this place stands for a piece that begins a word.
  bool begins_word(const std::vector<infer::Token>& tokens, size_t mask) const;
  infer::MaskGuesses guesses(const infer::Token& mask, size_t position, const float* logits,
                             bool begins, size_t top_k) const;

  Tokenizer tokenizer_;
  std::shared_ptr<PretrainingModel> model_;
  std::vector<int32_t> begin_, continue_;  // ids that fit a mask of that kind
};

}  // namespace minibert
