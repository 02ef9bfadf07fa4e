// Maps tensors of Hugging Face's BERT-like models to ours, in one table for both directions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config.h"
#include "record/run_record.h"

namespace minibert {

// A kind of model in transformers that our BERT computes, and the names of its parts.
struct HuggingfaceKind {
  const char* type;    // "model_type" in config.json
  const char* name;    // prefix of its classes: "DistilBert"
  const char* prefix;  // prefix of its encoder's tensors: "distilbert."
  // The masked-LM head: dense layer, LayerNorm, output layer, bias and its other name ("": none).
  const char *head_dense, *head_norm, *output, *bias, *bias_copy;
};
inline constexpr HuggingfaceKind kHuggingfaceKinds[] = {
    {"bert", "Bert", "bert.", "cls.predictions.transform.dense",
     "cls.predictions.transform.LayerNorm", "cls.predictions.decoder.weight",
     "cls.predictions.bias", "cls.predictions.decoder.bias"},
    {"electra", "Electra", "electra.", "generator_predictions.dense",
     "generator_predictions.LayerNorm", "generator_lm_head.weight", "generator_lm_head.bias", ""},
    {"roberta", "Roberta", "roberta.", "lm_head.dense", "lm_head.layer_norm",
     "lm_head.decoder.weight", "lm_head.bias", "lm_head.decoder.bias"},
    {"distilbert", "DistilBert", "distilbert.", "vocab_transform", "vocab_layer_norm",
     "vocab_projector.weight", "vocab_projector.bias", ""}};
inline constexpr const HuggingfaceKind& kHuggingfaceBert = kHuggingfaceKinds[0];

inline constexpr char kHuggingfacePooler[] = "pooler.dense";  // after the kind's prefix
inline constexpr char kHuggingfaceSentence[] = "cls.seq_relationship";

struct HuggingfaceHeads {
  bool masked_lm = false, pooler = false, sentence = false;  // a sentence head needs a pooler
};

// Differences of a checkpoint's tables from ours.
struct HuggingfaceTables {
  const HuggingfaceKind* kind = &kHuggingfaceBert;
  int64_t rows = 0;            // of the token embeddings; rows beyond the tokenizer's are left out
  int64_t first_position = 0;  // RoBERTa's first position stands behind this many rows
  int64_t segments = 2;        // fewer than ours: the last one is repeated; 0: zeros

  bool is(std::string_view type) const { return type == kind->type; }
};

struct TensorNames {
  std::string ours;
  std::vector<int64_t> shape;  // of our tensor
  // With the kind's prefix; several are concatenated by rows to ours. None: zeros.
  std::vector<std::string> theirs;
  // Two rows in the other order: their first logit means that B follows A, ours the second.
  bool swapped = false;
  bool of_pieces = false;   // a row or value for each piece
  int64_t skipped = 0;      // their rows before ours
  int64_t their_rows = -1;  // if it differs from ours for another reason

  std::vector<int64_t> their_shape(const HuggingfaceTables& tables) const;  // of each of theirs
};

// Exchanges the two rows of a `swapped` tensor, in both directions.
void swap_halves(NamedTensor* two);

// Returns a pretrained model's tensors with these heads; uses the sizes and mlm_tied.
std::vector<TensorNames> huggingface_names(const BertConfig& config, const HuggingfaceHeads& heads,
                                           const HuggingfaceTables& tables = {});

}  // namespace minibert
