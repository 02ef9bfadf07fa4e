// A comparison as text: aligned table, JSON, CSV, Markdown.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compare/compare.h"
#include "compare/table.h"
#include "core/error.h"

namespace minibert {
namespace {

// What the table shows of a summary, in this order; a column no arm has a figure for is left out.
struct Shown {
  const char* name;
  const char* heading;
  int decimals;  // -1: a whole number with thousands separators
};
constexpr Shown kShown[] = {
    {"parameters", "parameters", -1},
    {"exact_match", "EM", 2},
    {"f1", "F1", 2},
    {"start_accuracy", "start acc", 4},
    {"end_accuracy", "end acc", 4},
    {"course_start_accuracy", "course start acc", 4},
    {"course_end_accuracy", "course end acc", 4},
    {"mlm_accuracy", "MLM acc", 4},
    {"mlm_loss", "MLM loss", 4},
    {"nsp_accuracy", "NSP acc", 4},
    {"instances", "instances", -1},
    {"ms_per_question", "ms/question", 2},
    {"tokens_per_second", "tokens/s", -1},
    {"wall_seconds", "wall s", 1},
};

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string number(double value, int decimals) {
  return decimals < 0 ? with_thousands(value) : fixed(value, decimals);
}

// "12.34 ± 0.56"; without a deviation where there is none, as for one seed or a count.
std::string cell(const Figure& figure, int decimals) {
  std::string text = number(figure.mean, decimals);
  if (figure.runs > 1 && !(decimals < 0 && figure.deviation == 0))
    text += " ± " + number(figure.deviation, decimals);
  return text;
}

Table arm_table(const Comparison& comparison) {
  Table table;
  table.columns = {{"arm", false}, {"runs"}};
  for (const ArmSummary& arm : comparison.arms)
    table.rows.push_back({arm.label, std::to_string(arm.seeds.size())});
  for (const Shown& shown : kShown) {
    if (std::none_of(comparison.arms.begin(), comparison.arms.end(),
                     [&](const ArmSummary& arm) { return arm.figures.contains(shown.name); }))
      continue;
    table.columns.push_back({shown.heading});
    for (size_t row = 0; row < comparison.arms.size(); ++row) {
      const auto& figures = comparison.arms[row].figures;
      const auto found = figures.find(shown.name);
      table.rows[row].push_back(found == figures.end() ? "" : cell(found->second, shown.decimals));
    }
  }
  return table;
}

std::string with_sign(double value) {
  const std::string text = fixed(value, 2);
  if (text == "-0.00") return "0.00";
  return value > 0 && text != "0.00" ? "+" + text : text;
}

std::string interval(const Interval& i) {
  return "[" + with_sign(i.low) + ", " + with_sign(i.high) + "]";
}

Table difference_table(const Comparison& comparison) {
  Table table;
  table.columns = {{"difference", false}, {"EM"}, {"95 % interval"}, {"F1"}, {"95 % interval"}};
  for (const ArmDifference& d : comparison.differences)
    table.rows.push_back({d.arm + " - " + d.baseline, with_sign(d.exact_match.difference),
                          interval(d.exact_match), with_sign(d.f1.difference), interval(d.f1)});
  return table;
}

std::string note(const Comparison& comparison) {
  return "Intervals: paired bootstrap over " +
         with_thousands(static_cast<double>(comparison.differences[0].questions)) +
         " questions (a question's score is its mean over an arm's runs), " +
         with_thousands(kResamples) + " resamples.";
}

std::string title(const Comparison& comparison) {
  return joined(comparison.experiments) + ", profile " + joined(comparison.profiles) + ", data " +
         joined(comparison.data);
}

std::string as_text(const Comparison& comparison, bool markdown) {
  const auto draw = markdown ? markdown_table : plain_table;
  const std::string bold = markdown ? "**" : "";
  std::string out = bold + title(comparison) + bold + "\n\n" + draw(arm_table(comparison));
  if (!comparison.differences.empty())
    out += "\n" + draw(difference_table(comparison)) + "\n" + note(comparison) + "\n";
  return out;
}

nlohmann::ordered_json to_json(const Interval& i) {
  return {{"difference", i.difference}, {"low", i.low}, {"high", i.high}};
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
  nlohmann::ordered_json json = {{"experiments", comparison.experiments},
                                 {"profiles", comparison.profiles},
                                 {"data", comparison.data}};
  json["arms"] = nlohmann::ordered_json::array();
  for (const ArmSummary& arm : comparison.arms) {
    nlohmann::ordered_json row = {{"experiment", arm.experiment},
                                  {"profile", arm.profile},
                                  {"arm", arm.arm},
                                  {"seeds", arm.seeds}};
    row["figures"] = nlohmann::ordered_json::object();
    // JSON has no NaN; nlohmann writes null for it.
    for (const auto& [name, figure] : arm.figures)
      row["figures"][name] = {
          {"mean", figure.mean}, {"deviation", figure.deviation}, {"runs", figure.runs}};
    json["arms"].push_back(std::move(row));
  }
  json["differences"] = nlohmann::ordered_json::array();
  for (const ArmDifference& d : comparison.differences)
    json["differences"].push_back({{"arm", d.arm},
                                   {"baseline", d.baseline},
                                   {"questions", d.questions},
                                   {"resamples", kResamples},
                                   {"confidence", 0.95},
                                   {"exact_match", to_json(d.exact_match)},
                                   {"f1", to_json(d.f1)}});
  json["warnings"] = comparison.warnings;
  return json;
}

// One rectangle: a row an arm, then a row a difference, told apart by `kind`.
std::string as_csv(const std::vector<Comparison>& comparisons) {
  std::string out = "kind,experiment,profile,arm,baseline,runs";
  for (const Shown& shown : kShown)
    out += "," + std::string(shown.name) + "," + shown.name + "_deviation";
  out += ",exact_match_low,exact_match_high,f1_low,f1_high\n";
  const auto precise = [](double value) {
    return std::isnan(value) ? "" : nlohmann::json(value).dump();
  };
  for (const Comparison& comparison : comparisons) {
    for (const ArmSummary& arm : comparison.arms) {
      out += "arm," + csv_field(arm.experiment) + "," + csv_field(arm.profile) + "," +
             csv_field(arm.arm) + ",," + std::to_string(arm.seeds.size());
      for (const Shown& shown : kShown) {
        const auto found = arm.figures.find(shown.name);
        const bool has = found != arm.figures.end();
        out += "," + (has ? precise(found->second.mean) : "");
        out += "," + (has ? precise(found->second.deviation) : "");
      }
      out += ",,,,\n";
    }
    for (const ArmDifference& d : comparison.differences) {
      out += "difference," + csv_field(joined(comparison.experiments)) + "," +
             csv_field(joined(comparison.profiles)) + "," + csv_field(d.arm) + "," +
             csv_field(d.baseline) + ",";
      for (const Shown& shown : kShown) {
        const std::string name = shown.name;
        out += ",";
        if (name == "exact_match") out += precise(d.exact_match.difference);
        if (name == "f1") out += precise(d.f1.difference);
        out += ",";
      }
      for (const Interval& i : {d.exact_match, d.f1})
        out += "," + precise(i.low) + "," + precise(i.high);
      out += "\n";
    }
  }
  return out;
}

}  // namespace

Format parse_format(const std::string& word) {
  if (word == "table") return Format::table;
  if (word == "json") return Format::json;
  if (word == "csv") return Format::csv;
  if (word == "markdown") return Format::markdown;
  throw usage_error("--format: '" + word + "', expected table, json, csv or markdown");
}

std::string render(const Comparison& comparison, Format format) {
  return render(std::vector<Comparison>{comparison}, format);
}

std::string render(const std::vector<Comparison>& comparisons, Format format) {
  if (format == Format::csv) return as_csv(comparisons);
  if (format == Format::json) {
    auto json = nlohmann::ordered_json::array();
    for (const Comparison& comparison : comparisons) json.push_back(to_json(comparison));
    return json.dump(2) + "\n";
  }
  std::string out;
  for (const Comparison& comparison : comparisons)
    out += (out.empty() ? "" : "\n") + as_text(comparison, format == Format::markdown);
  return out;
}

}  // namespace minibert
