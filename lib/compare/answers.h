// The end of a run for people: a small table, and a sentence for each question.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// Returns the first measures, at most `most`, that tables show and that arms have with intervals;
// if there are none, the first that can be better.
std::vector<Measure> main_measures(const Comparison& comparison, std::span<const Measure> measures,
                                   size_t most);

// Lists arms by the first main measure, best first, baselines last and marked; with parameters, two
// measures, and minutes of training. At most `width` wide, in the program's language.
std::string render_summary(const Comparison& comparison, std::span<const Measure> measures,
                           size_t width);

// Returns a line for each arm that learns and is not above the best floor of its experiment and
// profile, by the first main measure.
std::vector<std::string> floor_notes(const Comparison& comparison,
                                     std::span<const Measure> measures);

// The difference of a question's two arms in a measure, and how sure it is.
struct Answer {
  std::string arm, baseline;  // labels
  std::string measure;        // its name
  Interval interval;          // arm minus baseline
  // Trained arms of the two with one run: other seeds are not measured.
  std::vector<std::string> single;
  std::string text, korean;  // one sentence in either language
};

// Answers each question about compared arms, in the first main measure.
std::vector<Answer> answers(const Comparison& comparison, std::span<const Question> questions,
                            std::span<const Measure> measures);

}  // namespace minibert
