// Small stored runs to compare.
#pragma once

#include <string>
#include <vector>

#include "core/measure.h"
#include "record/run_record.h"
#include "support/scratch.h"

namespace minibert::testing {

inline constexpr Measure kMeasures[] = {
    {"parameters", "parameters", -1, Better::neither},
    {.name = "exact_match",
     .heading = "EM",
     .decimals = 2,
     .better = Better::higher,
     .resampled = Resampled::mean,
     .scale = 100,
     .right = true,
     .probability = "score"},
    {"f1", "F1", 2, Better::higher, Resampled::mean, 100},
    {"macro_f1", "macro F1", 4, Better::higher, Resampled::macro_f1},
    {"pearson", "Pearson", 4, Better::higher, Resampled::pearson},
    {"start_accuracy", "start acc", 4, Better::higher},
    {"end_accuracy", "end acc", 4, Better::higher},
    {"mlm_accuracy", "MLM acc", 4, Better::higher},
    {"mlm_loss", "MLM loss", 4, Better::lower},
    {"nsp_accuracy", "NSP acc", 4, Better::higher},
    {"ms_per_question", "ms/question", 2, Better::lower},
    {"tokens_per_second", "tokens/s", -1, Better::higher},
    {"wall_seconds", "wall s", 1, Better::lower},
    {.name = "questions",
     .heading = "questions",
     .decimals = -1,
     .better = Better::neither,
     .in_table = false},
};

inline RunRecord finished_run(const std::string& arm, int64_t seed, const std::vector<double>& em,
                              const std::vector<double>& f1) {
  RunRecord record;
  record.status = "finished";
  record.experiment = "korquad_lstm_vs_bert";
  record.profile = "quick";
  record.arm = arm;
  record.seed = seed;
  // The LSTM starts first.
  record.started = "2026-11-20T22:0" + std::string(arm == "lstm" ? "1" : "2") + ":00Z";
  record.finished = "2026-11-20T22:30:00Z";
  record.data = {{"id", "korquad-v1-dev-split"}, {"sha256", "ab"}};
  record.environment = {
      {"hardware", "x"}, {"device", "cpu"}, {"precision", "fp32"}, {"threads", 2}};
  Predictions p;
  double em_sum = 0, f1_sum = 0;
  for (size_t i = 0; i < em.size(); ++i) {
    p.id.push_back("6548850-0-" + std::to_string(i));
    p.texts["gold"].emplace_back("훈민정음");
    p.texts["prediction"].emplace_back(em[i] == 1 ? "훈민정음" : "정음");
    p.numbers["score"].push_back(0.5);
    em_sum += em[i];
    f1_sum += f1[i];
  }
  p.numbers["exact_match"] = em;
  p.numbers["f1"] = f1;
  record.predictions = p;
  const auto n = static_cast<double>(em.size());
  record.summary = {{"exact_match", 100 * em_sum / n},
                    {"f1", 100 * f1_sum / n},
                    {"start_accuracy", 0.25},
                    {"end_accuracy", 0.5},
                    {"questions", n},
                    {"ms_per_question", 4.125},
                    {"tokens_per_second", 12345.6},
                    {"wall_seconds", 100.0 + static_cast<double>(seed)},
                    {"parameters", arm == "lstm" ? 6301234 : 10541056}};
  return record;
}

struct Experiment {
  Scratch scratch;
  std::vector<std::string> paths;
  std::string add(const RunRecord& record) {
    paths.push_back(record_path(scratch / "results", record.experiment, record.profile, record.arm,
                                record.seed));
    save_record(record, paths.back());
    return paths.back();
  }
};

// Adds two arms with two seeds each and four examples. By example and averaged over seeds, the
// LSTM's EM is 0, 0, 0.5, 0 and BERT's 1, 0, 1, 0.5.
inline void add_two_arms(Experiment& e) {
  e.add(finished_run("bert", 1, {1, 0, 1, 0}, {1, 0.5, 1, 0.5}));
  e.add(finished_run("bert", 2, {1, 0, 1, 1}, {1, 0.5, 1, 1}));
  e.add(finished_run("lstm", 1, {0, 0, 1, 0}, {0, 0, 1, 0}));
  e.add(finished_run("lstm", 2, {0, 0, 0, 0}, {0, 0, 0.5, 0}));
}

}  // namespace minibert::testing
