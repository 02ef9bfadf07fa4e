// What a run had spent by each of its steps.
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

// Rising knots from step 0 to the last one made, where the record tells the sum.
struct SpentBySteps {
  std::vector<int64_t> step = {0};
  std::vector<double> value = {0};
  // Not measured between the ends: by logged speeds (seconds) or straight (tokens), as records of before
  // 26 November 2026 allow.
  bool estimated = false;

  void add(int64_t at, double more) {
    step.push_back(at);
    value.push_back(value.back() + more);
  }
  double total() const { return value.back(); }
  double at(int64_t wanted) const;  // straight between knots
};

// flops: with a teacher's; seconds: of training. Nothing where the record does not hold it. What an unfinished run
// did so far stands in its resume state (load with Load::all).
std::optional<SpentBySteps> spent_by_steps(const RunRecord& record, Budget budget);

// Steps that a run made.
int64_t steps_made(const RunRecord& record);

// Every logged stretch as long as its tokens_per_second says, together as long as the run trained.
std::optional<SpentBySteps> seconds_by_speed(const RunRecord& record);

}  // namespace minibert
