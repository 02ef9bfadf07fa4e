// A run's expense by step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

enum class Budget { flops, seconds, tokens };
inline constexpr const char* kBudgetNames[] = {"flops", "seconds", "tokens"};
inline const char* to_string(Budget budget) { return kBudgetNames[static_cast<size_t>(budget)]; }

// The expense up to some steps, from step 0 to the last one made; both lists rise.
struct SpentBySteps {
  std::vector<int64_t> step = {0};
  std::vector<double> value = {0};
  // Estimated in records before 26 November 2026: by logged speeds (seconds) or linearly (tokens).
  bool estimated = false;

  void add(int64_t at, double more) {
    step.push_back(at);
    value.push_back(value.back() + more);
  }
  double total() const { return value.back(); }
  double at(int64_t wanted) const;  // linear between these steps
};

// flops include a teacher's; seconds are of training. Returns nothing if the record does not hold
// it. An unfinished run's expense is in its resume state (load with Load::all).
std::optional<SpentBySteps> spent_by_steps(const RunRecord& record, Budget budget);

// Returns the number of steps that a run made.
int64_t steps_made(const RunRecord& record);

// Estimates seconds from the tokens_per_second that were logged, scaled to the run's training time.
std::optional<SpentBySteps> seconds_by_speed(const RunRecord& record);

}  // namespace minibert
