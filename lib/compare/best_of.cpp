#include "compare/best_of.h"

#include <algorithm>
#include <cmath>

#include "compare/figure_hint.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/text.h"

namespace minibert {

std::vector<double> expected_best(std::vector<double> values, Better better) {
  std::ranges::sort(values);
  if (better == Better::lower) std::ranges::reverse(values);
  const auto all = static_cast<double>(values.size());
  std::vector<double> expected(values.size());
  for (size_t tries = 1; tries <= values.size(); ++tries)
    for (size_t i = 0; i < values.size(); ++i) {
      // That the best of so many draws is the i-th from the worst.
      const auto at = static_cast<double>(i), draws = static_cast<double>(tries);
      expected[tries - 1] +=
          values[i] * (std::pow((at + 1) / all, draws) - std::pow(at / all, draws));
    }
  return expected;
}

std::string render_expected_best(std::span<const Comparison> comparisons,
                                 std::span<const Measure> measures, const std::string& figure,
                                 Format format) {
  if (format != Format::table && format != Format::markdown)
    throw usage_error("--expected-best: expected --format table or markdown");
  std::vector<std::string> known;
  std::string out;
  for (const Comparison& comparison : comparisons) {
    const std::vector<Measure> shown = occurring({&comparison, 1}, measures);
    for (const Measure& measure : shown)
      if (measure.better != Better::neither) known.emplace_back(measure.name);
    const auto measure = std::ranges::find(shown, figure, &Measure::name);
    if (measure == shown.end() || measure->better == Better::neither) continue;
    std::vector<double> values;
    for (const ArmSummary& arm : comparison.arms)
      if (const auto found = arm.figures.find(figure); found != arm.figures.end())
        values.push_back(found->second.mean);
    const std::vector<double> expected = expected_best(values, measure->better);
    Table table;
    table.columns = {{"rows tried"}, {"expected best " + std::string(measure->heading)}};
    for (size_t tries = 1; tries <= values.size(); ++tries)
      if (tries < 4 || tries % 5 == 0 || tries == values.size())
        table.rows.push_back(
            {std::to_string(tries), fixed(expected[tries - 1], std::max(measure->decimals, 0))});
    const std::string note =
        "The best of as many rows as were drawn at random from these " +
        std::to_string(values.size()) +
        " (Dodge et al. 2019). What is reported of a chosen row should be measured on other "
        "examples than it was chosen by.\n";
    const bool markdown = format == Format::markdown;
    out +=
        (out.empty() ? "" : "\n") + joined(comparison.experiments) + ", profile " +
        joined(comparison.profiles) + "\n\n" +
        (markdown ? markdown_table(table) + "\n" + note : plain_table(table) + wrapped(note, 100));
  }
  if (!out.empty()) return out;
  throw usage_error("--expected-best: found \"" + figure +
                    "\", expected a figure of these runs that has a better side" +
                    figure_hint(figure, known, measures));
}

}  // namespace minibert
