// A BERT's record as an ONNX file (onnx_graph.h), float32, for ONNX Runtime and other programs.
//
//   input_ids       int64 [batch, sequence]   0 is padding and stands at the end of a row
//   token_type_ids  int64 [batch, sequence]   the segment
//
// Results, as far as the record has the head, named as Hugging Face's exporter names them; S is
// "sequence", V vocabulary, D hidden size, C labels:
//
//   logits                   [batch, S, V] masked LM (with causal attention of the next piece); [batch, S, C] tags;
//                            [batch, C] a judgement of the whole text (C is 1 of a number and of a choice, each
//                            of whose candidates is a row of the batch)
//   seq_relationship_logits  [batch, 2]    as Hugging Face's: the first one says that B follows A
//   start_logits, end_logits [batch, S]    -1e9 at padding
//   pooler_output            [batch, D]    of pretraining, where it has a pooler
//   last_hidden_state        [batch, S, D] of every record
//
// The weights keep the record's names and shapes; the graph transposes them, which runtimes do once
// when they load it. A sequence may have up to max_positions pieces.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/config.h"
#include "record/run_record.h"

namespace minibert {

// What an ONNX file is made of.
struct OnnxSource {
  BertConfig model;
  bool mean_pooling = false;  // of a head that judges a whole text; else the encoder's position
  bool masked_lm = true;      // of weights without a head for another task: is there one?
};

// The file's bytes; `metadata` is its metadata_props. Throws Error when a weight is missing, has
// another shape or is none that the model has.
std::string make_onnx(const OnnxSource& source, const std::vector<NamedTensor>& weights,
                      const std::map<std::string, std::string>& metadata);

// The ONNX file of the record at `path`, with model_metadata(); an imported encoder goes
// out without a masked-LM head. Throws Error naming `path`: no BERT, no weights, and as make_onnx.
std::string export_onnx(const RunRecord& record, const std::string& path);

}  // namespace minibert
