// A comparison as text: tables for people, JSON for programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

enum class Format { table, json, markdown };
// Throws a usage Error for another word.
Format parse_format(const std::string& word);

// Renders comparisons; the text ends in a line feed. The first table is in the program's language.
// Several comparisons are several tables; JSON is always an array. Figures come in the order of the
// measures; figures without a measure come last, under their own names; a figure that no arm has is
// left out.
//
// JSON, for each comparison: experiments, profiles, data (lists of names), examples, clusters (0:
// every example is one), clusters_known (false: every example counts for itself), asked (pairs for
// which p_holm corrects), left_out; arms [{experiment, profile, arm, label, seeds, floor, figures
// {NAME: {mean, deviation, runs}}}]; differences [{arm, baseline, confidence, runs_measured, asked
// (ArmDifference), intervals {NAME: {difference, low, high, and from Interval (jackknife.h) error,
// detectable, p, p_holm, p_swap (exchanged), p_higher}}}]; warnings.
//
// Unknown values (NaN) are null in JSON and empty in tables. Tables for a terminal are at most
// `width` wide.
std::string render(const std::vector<Comparison>& comparisons, std::span<const Measure> measures,
                   Format format, size_t width = SIZE_MAX);

// Returns a line that says how large a difference so many examples in two or more clusters show.
std::string plan_note(std::string_view measure, size_t examples, size_t clusters);

// Returns one line if the examples are too few: two arms that disagree about a fifth of them are
// then not told apart, even if one arm is right each time. Returns "" if there are enough.
std::string too_few_note(size_t examples, size_t clusters);

// Returns the measures of the named figures, in this order, all shown in tables; a figure without a
// measure has its own name, a view into `names`. Removes all other figures from the comparisons.
// Throws a usage Error for a figure that no arm has.
std::vector<Measure> choose_figures(std::span<const std::string> names,
                                    std::span<const Measure> measures,
                                    std::vector<Comparison>* comparisons);

// --- Shared by the ways to write a comparison ---

// Returns the measures whose figures some arm has, in their order; then a measure for each other
// figure, by name, a count if all values are whole. Those names are views into the comparisons.
std::vector<Measure> occurring(std::span<const Comparison> comparisons,
                               std::span<const Measure> measures);

// Returns true if some difference has an interval of the measure.
bool has_interval(std::span<const Comparison> comparisons, const Measure& measure);

// Returns the runs of a table: "korquad_lstm_vs_bert, profile quick, data korquad-dev-split".
std::string title(const Comparison& comparison);

// Returns "12.34 ± 0.56"; without a deviation if there is none, as for one seed or a count.
std::string cell(const Figure& figure, int decimals);

std::string as_json(const std::vector<Comparison>& comparisons);

}  // namespace minibert
