// Which tensors of Hugging Face's BERT and its kin are which of ours. One table for both directions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config.h"
#include "record/run_record.h"

namespace minibert {

// The models of transformers that our BERT computes, told by config.json's model_type.
enum class HuggingfaceFamily { bert, roberta, electra, distilbert, albert };

struct HuggingfaceHeads {
  bool masked_lm = false, pooler = false, sentence = false;  // a sentence head stands on a pooler
};

// What a checkpoint's tables have that ours leave out or make up for.
struct HuggingfaceTables {
  HuggingfaceFamily family = HuggingfaceFamily::bert;
  int64_t rows = 0;            // of the token embeddings; those beyond the tokenizer's are left out
  int64_t first_position = 0;  // RoBERTa's first position stands behind so many rows
  int64_t segments = 2;        // fewer than ours: the last one again; 0: zeros
};

struct TensorNames {
  std::string ours;
  std::vector<int64_t> shape;  // of ours
  // With the family's prefix; the rows of several, one after the other, are ours. None: zeros.
  std::vector<std::string> theirs;
  // Two rows in the other order: their first logit says that B follows A, ours the second.
  bool swapped = false;
  bool of_pieces = false;   // a row or value a piece
  int64_t skipped = 0;      // rows of theirs before ours
  int64_t their_rows = -1;  // where they differ from ours otherwise

  std::vector<int64_t> their_shape(const HuggingfaceTables& tables) const;  // of each of theirs
};

// Turns the two rows of a tensor that is `swapped`, there and back alike.
void swap_halves(NamedTensor* two);

// "bert.": begins the names of the encoder's tensors.
std::string huggingface_prefix(HuggingfaceFamily family);
// "Bert": begins the names of the classes.
std::string huggingface_class(HuggingfaceFamily family);
// The output layer's weight and bias, and the bias under its other name, of the masked-LM head.
struct OutputNames {
  std::string weight, bias, copy;
};
OutputNames huggingface_output(HuggingfaceFamily family);
// A tensor that every masked-LM head, sentence head or pooler has.
std::string huggingface_masked_lm_mark(HuggingfaceFamily family);
std::string huggingface_sentence_mark(HuggingfaceFamily family);
std::string huggingface_pooler_mark(HuggingfaceFamily family);

// All tensors of a pretrained model with these heads; of the configuration the sizes and mlm_tied are
// read.
std::vector<TensorNames> huggingface_names(const BertConfig& config, const HuggingfaceHeads& heads,
                                           const HuggingfaceTables& tables = {});

}  // namespace minibert
