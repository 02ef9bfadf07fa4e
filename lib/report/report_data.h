// Collects the data of the report page from stored runs, as one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"
#include "report/example_texts.h"

namespace minibert {

// {title, language ("ko"; empty: the browser's), measures, headings {English: Korean}, runs, arms,
// answers, differences, equal, examples, warnings}, where
// * measures: {name, heading, decimals (as in core/measure.h), better (1: higher, -1: lower, 0),
//   in_table, right, probability}
// * runs: {id, label, seed, status, summary, axes (report_axes.h), metrics {"<split>/<name>": [[step,
//   …], [value, …]]}, config and provenance (environment and data), both flat:
//   "train.optimizer.lr"}. Runs of one label are seeds of one arm, in one experiment, profile and
//   folder. The label is the arm, with folder and profile if there are several. A metric of more than
//   kMostPoints values is thinned: each point is the mean of a stretch, at the stretch's last step,
//   rounded to five digits.
// * differences: {arm, baseline, examples, clusters (0: every example is one), intervals {measure:
//   {difference, low, high, p (Holm's), higher (a run of the arm has the higher figure)}},
//   runs_measured, asked (ArmDifference)}, as in compare, for every experiment and folder.
// * arms: {arm, floor, intervals {measure: {value, low, high}}} for each comparison's arms
// * answers: {arm, baseline, measure, difference, low, high, single (arms with one known seed), text,
//   korean}: the runs' answers to the questions of `questions_of`
// * equal: {flops, seconds, tokens}, each a list of {limit, limit_of, arms [{arm, runs, steps, spent,
//   total, figures {measure: mean over runs, on the dev split}}], notes}, as in
//   compare/equal_budget.h, for every experiment and folder with several arms.
// * examples: see report_examples.h
// * warnings: one line each, also for unreadable records.
// `made`: the comparison of all these runs, or null. It is used, and not made again, if the runs
// are of one experiment, profile and folder. Throws Error if no record can be read, and if two in a folder are
// one seed of one arm.
nlohmann::json report_data(const std::vector<std::string>& paths, std::span<const Measure> measures,
                           const DataPlaces& places = {}, const QuestionsOf& questions_of = {},
                           const Comparison* made = nullptr);

}  // namespace minibert
