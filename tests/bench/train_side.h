// One side of the training benchmark, measured in a process of its own, so that allocator, caches
// and peak memory are each side's own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert::bench {

enum class Side {
  ours,   // the trainer as `minibert run` uses it: buckets, loader thread, automatic precision
  plain,  // plain_bert.h: float32, every batch padded to the longest there can be, torch::optim
};

struct SideRequest {
  Side side = Side::ours;
  std::string experiment, profile, arm;  // the model and how it is trained
  std::string tokenizer;                 // a SentencePiece model
  std::string korquad;                   // KorQuAD file, of a question-answering arm
  std::string instances;                 // instance file, of a pretraining arm
  double seconds = 3;                    // to measure for, after a warm-up
  uint64_t seed = 1;                     // of weights and batches
  std::string device = "cpu";            // as of --device
  std::string write_batches;             // instead: writes our batches for tuned_loop.py
  std::string write_config;              // and the model and optimizer as JSON
};

nlohmann::json to_json(const SideRequest& request);
SideRequest side_request(const nlohmann::json& json);

// {"tokens": real pieces trained on, "seconds", "cpu_seconds", "steps", "peak_mb", "parameters",
// "precision", "threads", "operations_a_piece" (as model/flops.h counts), "matrix_peak" (matrix_peak.h)}.
// Throws Error.
nlohmann::json measure_side(const SideRequest& request);

}  // namespace minibert::bench
