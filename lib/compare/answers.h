// What a comparison says to a person at the end of a run: a small table, and a sentence for each question.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// The first measures, at most `most`, that arms have a figure and intervals of and that tables show; where there are
// none, the first that can be better.
std::vector<Measure> main_measures(const Comparison& comparison, std::span<const Measure> measures,
                                   size_t most);

// Arms by the first main measure, best first, floors last and marked; with parameters, two measures, and minutes of
// training. At most `width` wide, in the program's language.
std::string render_summary(const Comparison& comparison, std::span<const Measure> measures,
                           size_t width);

// How far apart the two arms of a question are in a measure, and how sure that is.
struct Answer {
  std::string arm, baseline;  // labels
  std::string measure;        // its name
  Interval interval;          // of arm minus baseline
  std::vector<std::string>
      single;  // of the two, what learns and has one run: its other seeds are not measured
  std::string text, korean;  // one sentence in either language
};

// An answer to each question that the compared arms answer, in the first main measure.
std::vector<Answer> answers(const Comparison& comparison, std::span<const Question> questions,
                            std::span<const Measure> measures);

}  // namespace minibert
