// The end of a run for people: a small table, and a sentence for each question.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// Returns the first measures that some arm has, that tables show, that have a better direction and
// that are resampled, at most `most`; if none is resampled, the first of the others.
std::vector<Measure> main_measures(const Comparison& comparison, std::span<const Measure> measures,
                                   size_t most);

// Returns a table in the program's language, at most `width` columns wide. A row is an arm with its
// parameters, two main measures and minutes of training. The best arm comes first, floors last.
std::string render_summary(const Comparison& comparison, std::span<const Measure> measures,
                           size_t width);

// Returns a line for each arm that learns but is no better in the first main measure than the best
// floor of its experiment and profile.
std::vector<std::string> floor_notes(const Comparison& comparison,
                                     std::span<const Measure> measures);

// The difference of a question's two arms in a measure, and how sure it is.
struct Answer {
  std::string arm, baseline;  // labels
  std::string measure;        // its name
  Interval interval;          // arm minus baseline
  // Those of the two arms that learn and have one run: the interval covers none of their seeds.
  std::vector<std::string> single;
  std::string text, korean;  // the same sentence in English and in Korean
};

// Answers each question, in the first main measure, if its arms have a difference with an interval.
std::vector<Answer> answers(const Comparison& comparison, std::span<const Question> questions,
                            std::span<const Measure> measures);

}  // namespace minibert
