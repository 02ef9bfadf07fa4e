// The `.mbq` model file, versions 1 to 6: its layout on disk, for writer and loader. Version 2 adds
// shapes of a model, marked (2) below; version 3 question answering (3); version 4 labels and names
// (4); version 5 a bonus on pieces that the input shows (5); version 6 texts with several labels
// (6). A file states the lowest version with all its parts; a file of version 1 may state 2.
//
// A `.mbq` is a safetensors file (huggingface.co/docs/safetensors), so any safetensors reader opens
// it. All numbers are little-endian.
//
//   offset  size  what
//   0       8     H, the header's length in bytes (uint64), at most kMaxHeader; 8 + H is divisible by 16
//   8       H     the header: one JSON object in UTF-8, filled up with spaces
//   8 + H   …     the data: the tensors without holes and without overlap, to the end of the file
//
// The header maps a tensor's name to {"dtype": "I8" | "F32" | "U8", "shape": [n, …],
// "data_offsets": [begin, end]}, offsets counted from the start of the data. "__metadata__" maps
// strings to strings:
//
//   "format"         kFormat
//   "version"        kPlain, or for a model with a part marked (2) kShaped, (3) kAnswering,
//                    (4) kLabelling, (5) kBonus, (6) kLabelSets
//   "weights"        kInt8 or kFloat32
//   "activations"    kCoarse or kFine: 7 or 14 bits for the encoder's activations in int8 products
//                    (7 if the key is absent); products of more than kMaxFineInner columns always
//                    have 7, and no low weights
//   "model"          the architecture: JSON text with the keys of a run's configuration under "model"
//   "answers"        (3) how questions are read and answered: JSON text with the keys max_length,
//                    max_question, stride, max_answer, n_best and overlap of a run's configuration
//                    under "features"; only with a span head
//   "classifies"     (4) how a labelling model reads texts: JSON text with the key max_length of a run's
//                    configuration under "features"; only with a sequence head. "model" then has
//                    "pooling" and "labels", too. (6) "several" true: each label has its own
//                    probability, a sigmoid of its logit
//   "tags"           (4) the same for a tagging head, which marks names; "model" then has "labels", the
//                    tags O, B-… and I-…
//   "pairs"          for a labelling model: "true" if trained on pairs of texts, "false" if on single
//                    texts; absent in older files
//   "source_run"     "<experiment>/<profile>/<arm>-s<seed>" of the run record
//   "source_sha256"  of the run record
//   "metrics"        JSON text: name → number, the run's summary: figures of the test split (for
//                    pretraining, of the dev split), number of parameters, times
//   "card"           JSON text: the metrics that tell the model's quality, in the order of display:
//                    [{"name", "heading", "split" ("test"), "decimals" (0 to 15)}]; not in older files
//   "crc32"          of the file with zeros in place of these eight hexadecimal digits; the header holds
//                    kCrc32Text and the digits, without spaces; absent in older files
//
// Every tensor begins at a multiple of 16. As safetensors allows no holes, the bytes in between are
// U8 tensors named kPadding + a number; the last of them ends the file and is at least kTail bytes,
// so that a kernel may read that far past the end of a matrix.
//
// Weights keep their LibTorch parameter names and shapes. V vocabulary, D d_model, E embedding
// size, F d_ff, P positions, G segments (2, or 4 with "overlap"), H heads, K taps of a convolution,
// L "answer_lengths", C "labels", i layers (when shared: the local ones and one more):
//
//   bert.embeddings.{token [V, E], segment [G, E]}.weight     matrix
//   bert.embeddings.position.weight [P, E]                    matrix, if "position" is "table"
//   bert.embeddings.norm.{weight, bias} [E]                   vector
//   bert.embeddings.projection.{weight [D, E], bias [D]}      if E is not D
//   bert.layers.i.attention.qkv.{weight [3D, D], bias [3D]}   rows: query, key, value
//   bert.layers.i.attention.conv [K, 3D]                      (2) table, if "conv" is K > 0
//   bert.layers.i.attention.offsets [H, 32]                   (2) table, "position" "relative"
//   bert.layers.i.attention.gate.{weight [H, D], bias [H]}    (2) table, with "head_gate"
//   bert.layers.i.attention.output.{weight [D, D], bias [D]}
//   bert.layers.i.local.value.{weight [D, D], bias [D]}       (2) the first "local_layers" have local.*
//   bert.layers.i.local.conv [K, D]                           (2) table; K is "local_taps"
//   bert.layers.i.local.output.{weight [D, D], bias [D]}      (2) and no attention
//   bert.layers.i.attention_norm.{weight, bias} [D]
//   bert.layers.i.ffn.inner.{weight [F, D], bias [F]}
//   bert.layers.i.ffn.inner.{weight [2F, D], bias [2F]}       (2) "ffn" "geglu": GELU's input first
//   bert.layers.i.ffn.outer.{weight [D, F], bias [D]}
//   bert.layers.i.ffn_norm.{weight, bias} [D]
//   bert.final_norm.{weight, bias} [D]                        if norm is "pre"
//   mlm.{transform.{weight [E, D], bias [E]}, norm.{weight, bias} [E]}  with mlm_transform
//   mlm.bias [V]                                              with mlm_bias
//   mlm.context.{query, key}.{weight [R, E], bias [R]}        (5) table, if "mlm_context" is R > 0
//   qa.{weight [2, D], bias [2]}                              (3) table, in place of mlm.*; rows:
//                                                             start, end
//   qa.length [L]                                             (3) if L is above 0: log probability
//                                                             of an answer of 1, 2, … pieces
//   sequence.dense.{weight [D, D], bias [D]}                  (4) matrix, in place of mlm.*, if
//                                                             "pooling" is "cls"
//   sequence.output.{weight [C, D], bias [C]}                 (4) table
//   tag.{weight [C, D], bias [C]}                             (4) table, in place of mlm.*
//
// A vector is F32, and so is a table. A matrix is F32, or I8 with one F32 scale a row in
// "<name>_scale" [rows]:
//
//   w[n][k] = scale[n] · q[n][k], q in −127…127
//
// A matrix that needs more precision has a second I8 in "<name>_low" [rows, cols]:
//
//   w[n][k] = scale[n] · (q[n][k] + low[n][k] / kLowSteps)
//
// No other tensor is allowed but the tokenizer:
//
//   tokenizer.model [n] U8   the serialized SentencePiece model, with V pieces
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/relative_bucket.h"

namespace minibert::infer::mbq {

// Persisted: never to be changed within a version.
inline constexpr std::string_view kFormat = "minibert-mbq";
inline constexpr std::string_view kPlain = "1";
inline constexpr std::string_view kShaped = "2";
inline constexpr std::string_view kAnswering = "3";
inline constexpr std::string_view kLabelling = "4";
inline constexpr std::string_view kBonus = "5";
inline constexpr std::string_view kLabelSets = "6";
inline constexpr std::string_view kInt8 = "int8";
inline constexpr std::string_view kFloat32 = "float32";
inline constexpr std::string_view kCoarse = "7";
inline constexpr std::string_view kFine = "14";
inline constexpr std::string_view kMetadata = "__metadata__";
inline constexpr std::string_view kAnswers = "answers";
inline constexpr std::string_view kClassifies = "classifies";
inline constexpr std::string_view kTags = "tags";
inline constexpr std::string_view kPairs = "pairs";
inline constexpr std::string_view kCrc32 = "crc32";
inline constexpr std::string_view kCrc32Text = "\"crc32\":\"", kNoCrc32 = "00000000";
inline constexpr std::string_view kPadding = "padding.";
inline constexpr std::string_view kScaleSuffix = "_scale";
inline constexpr std::string_view kLowSuffix = "_low";
inline constexpr float kLowSteps = 254;
inline constexpr std::string_view kTokenizer = "tokenizer.model";
inline constexpr size_t kAlignment = 16;
inline constexpr size_t kTail = 64;
inline constexpr uint64_t kMaxHeader = 4 << 20;

// Limits of the architecture, those of a run's configuration.
inline constexpr int64_t kMaxVocabulary = 65535;
inline constexpr int64_t kMaxWidth = 8192;      // d_model, embedding_size
inline constexpr int32_t kMaxInner = 65536;     // d_ff: 65536 · 127 · 128 fits an int32
inline constexpr int32_t kMaxFineInner = 1024;  // d_ff with 14 bits: 1024 · 16383 · 128 fits too
inline constexpr int64_t kMaxLayers = 96;
inline constexpr int64_t kMaxHeads = 256;
inline constexpr int64_t kMaxPositions = 4096;
inline constexpr int64_t kMaxTaps = 31;       // of a convolution, an odd number
inline constexpr int64_t kMaxRank = 64;       // of the bonus
inline constexpr int64_t kMaxAnswer = 1024;   // pieces: max_question, max_answer, answer_lengths
inline constexpr int64_t kMaxBest = 1000;     // n_best
inline constexpr int64_t kMinLength = 8;      // max_length of a text that is labelled
inline constexpr uint64_t kMaxDecimals = 15;  // of a figure on the card
inline constexpr size_t kMaxLabels = 1000;
inline constexpr size_t kMaxLabel = 200;   // bytes
inline constexpr int64_t kWindowRoom = 8;  // max_length is at least this much above max_question
inline constexpr int32_t kOffsetBuckets = kRelativeBuckets;

inline const std::string kToken = "bert.embeddings.token.weight";
inline const std::string kPosition = "bert.embeddings.position.weight";
inline const std::string kSegment = "bert.embeddings.segment.weight";
inline const std::string kEmbeddingNorm = "bert.embeddings.norm";
inline const std::string kProjection = "bert.embeddings.projection";
inline const std::string kLayers = "bert.layers.";
inline const std::string kQkv = ".attention.qkv";
inline const std::string kAttentionConv = ".attention.conv";
inline const std::string kOffsets = ".attention.offsets";
inline const std::string kGate = ".attention.gate";
inline const std::string kAttentionOutput = ".attention.output";
inline const std::string kLocalValue = ".local.value";
inline const std::string kLocalConv = ".local.conv";
inline const std::string kLocalOutput = ".local.output";
inline const std::string kAttentionNorm = ".attention_norm";
inline const std::string kInner = ".ffn.inner";
inline const std::string kOuter = ".ffn.outer";
inline const std::string kFfnNorm = ".ffn_norm";
inline const std::string kFinalNorm = "bert.final_norm";
inline const std::string kMlmTransform = "mlm.transform";
inline const std::string kMlmNorm = "mlm.norm";
inline const std::string kMlmBias = "mlm.bias";
inline const std::string kContextQuery = "mlm.context.query";
inline const std::string kContextKey = "mlm.context.key";
inline const std::string kSpan = "qa";
inline const std::string kAnswerLengths = "qa.length";
inline const std::string kPooler = "sequence.dense";
inline const std::string kSequence = "sequence.output";
inline const std::string kTag = "tag";

}  // namespace minibert::infer::mbq
