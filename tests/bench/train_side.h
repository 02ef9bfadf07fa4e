// One side of the training benchmark, in a process of its own, so that each side has its own
// allocator, caches and peak memory.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert::bench {

enum class Side {
  ours,   // the trainer as `minibert run` uses it: buckets, loader thread, automatic precision
  plain,  // plain_bert.h: float32, every batch padded to the greatest length, torch::optim
};

struct SideRequest {
  Side side = Side::ours;
  std::string experiment, profile, arm;  // the model and its training
  std::string tokenizer;                 // a SentencePiece model
  std::string korquad;                   // KorQuAD file, for a question-answering arm
  std::string instances;                 // instance file, for a pretraining arm
  double seconds = 3;                    // of measurement, after a warm-up
  uint64_t seed = 1;                     // of weights and batches
  std::string device = "cpu";            // as in --device
  std::string write_batches;  // writes our batches for tuned_loop.py instead of measuring
  std::string write_config;   // with them, the model and optimizer as JSON
};

nlohmann::json to_json(const SideRequest& request);
SideRequest side_request(const nlohmann::json& json);

// Returns {"tokens": real pieces trained on, "seconds", "cpu_seconds", "steps", "peak_mb",
// "parameters", "precision", "threads", "operations_a_piece" (counted as in model/flops.h),
// "matrix_peak" (matrix_peak.h)}. Throws Error.
nlohmann::json measure_side(const SideRequest& request);

}  // namespace minibert::bench
