// Exports a BERT's record as an ONNX file (onnx_graph.h), float32, for ONNX Runtime and other
// programs.
//
//   input_ids       int64 [batch, sequence]   0 is padding and stands at the end of a row
//   token_type_ids  int64 [batch, sequence]   the segment
//
// Results, if the record has the head, with the names of Hugging Face's exporter; S is "sequence",
// V vocabulary, D hidden size, C labels:
//
//   logits                   [batch, S, V] masked LM (next piece with causal attention); [batch, S, C]
//                            tags; [batch, C] a judgement of the whole text (C is 1 for a number and for
//                            a choice, each of whose candidates is a row of the batch)
//   seq_relationship_logits  [batch, 2]    as in Hugging Face's: the first one means B follows A
//   start_logits, end_logits [batch, S]    -1e9 at padding
//   pooler_output            [batch, D]    from pretraining, if it has a pooler
//   last_hidden_state        [batch, S, D] from every record
//
// The weights keep the record's names and shapes; the graph transposes them, which runtimes do once
// on loading. A sequence may have up to max_positions pieces.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/config.h"
#include "record/run_record.h"

namespace minibert {

// The contents of an ONNX file.
struct OnnxSource {
  BertConfig model;
  bool mean_pooling = false;  // for a head that judges a whole text; false: the encoder's position
  bool masked_lm = true;      // for weights without another task's head: there is a masked-LM head
};

// Returns the file's bytes; `metadata` is its metadata_props. Throws Error if a weight is missing,
// has another shape or is not the model's.
std::string make_onnx(const OnnxSource& source, const std::vector<NamedTensor>& weights,
                      const std::map<std::string, std::string>& metadata);

// Returns the ONNX file of the record at `path`, with model_metadata(); an imported encoder has no
// masked-LM head. Throws Error naming `path` for no BERT or no weights, and like make_onnx.
std::string export_onnx(const RunRecord& record, const std::string& path);

}  // namespace minibert
