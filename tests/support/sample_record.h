// Small run records as experiments leave them, with real Korean questions and answers.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "record/run_record.h"

namespace minibert::testing {

// `generation` changes the weights and the step, to distinguish two saves.
inline RunRecord sample_record(int generation = 0, size_t extra_values = 0) {
  RunRecord record;
  record.status = "running";
  record.experiment = "korquad_lstm_vs_bert";
  record.arm = "bert";
  record.profile = "quick";
  record.seed = 7;
  record.started = "2026-11-20T22:31:05Z";
  record.config = {{"task", "qa"}, {"arms", {{{"name", "bert"}, {"model", {{"d_model", 256}}}}}}};
  record.environment = {{"cpu", "x86"}, {"device", "cpu"}, {"threads", 2}};
  record.data = {{"id", "sample"}, {"splits", {{"train", 224}, {"dev", 32}, {"test", 64}}}};
  record.diff = "--- a/lib/core/h5.h\n+++ b/lib/core/h5.h\n+// 주석\n";
  record.tokenizer_model = std::string("\x0a\x00\xff\x7f", 4) + "모델";
  record.metrics["train/loss"] = {{10, 20, 30}, {9.5, 7.25, NAN}};
  record.metrics["dev/f1"] = {{20}, {41.5}};
  record.metrics["dev/never"] = {};
  record.summary = {{"exact_match", 33.125}, {"f1", 41.5}, {"questions", 3}, {"parameters", 12}};
  record.weights = {{"encoder.word_embedding.weight", {2, 3}, {1.5F, -2, 0, 1e-30F, 3.25F, 7}},
                    {"classifier.bias", {2}, {0.5F + static_cast<float>(generation), -0.5F}},
                    {"answer", {}, {42}},
                    {"big",
                     {static_cast<int64_t>(extra_values)},
                     std::vector<float>(extra_values, static_cast<float>(generation))}};
  record.selected_by = "dev/f1";
  record.predictions = Predictions{.id = {"6548850-0-0", "6548850-0-1", "6532051-1-0"},
                                   .texts = {{"gold", {"세종대왕", "1443년", "훈민정음(訓民正音)"}},
                                             {"prediction", {"세종", "", "훈민정음(訓民正音)"}}},
                                   .numbers = {{"score", {0.75, 0.125, 0.5}},
                                               {"exact_match", {0, 0, 1}},
                                               {"f1", {0.6666666666666666, 0, 1}}}};
  record.resume = ResumeState{
      {{"epoch", 2}, {"step", generation}, {"best", 0.1 + 0.2}},
      {{"adam/classifier.bias/m", {2}, {0.25F, 1}}, {"model/classifier.bias", {2}, {1, 2}}}};
  return record;
}

}  // namespace minibert::testing
