#include "data/own/survey.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/columns.h"
#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/own_questions.h"
#include "data/own/own_tagged.h"
#include "data/tables/read_table.h"
#include "data/tables/usual_columns.h"
#include "score/label_set.h"

namespace minibert {
namespace {

size_t characters(const std::string& text) { return to_code_points(text).size(); }

void set_lengths(std::vector<size_t> lengths, Survey* out) {
  if (lengths.empty()) return;
  std::ranges::sort(lengths);
  out->median_length = lengths[lengths.size() / 2];
  out->long_length = lengths[lengths.size() * 99 / 100];
}

constexpr size_t kMostClasses = 20;

// Numbers with a fraction, or too many different ones to be classes.
bool are_scores(const std::map<std::string, size_t>& labels) {
  bool fraction = false;
  for (const auto& [label, count] : labels) {
    if (!is_number(label)) return false;
    double value = 0;
    std::from_chars(label.data(), label.data() + label.size(), value);
    fraction |= value != std::trunc(value);
  }
  return fraction || labels.size() > kMostClasses;
}

// The longest text that training reads whole: 384 pieces, of about one and a half characters each.
constexpr size_t kReadWhole = 570;

bool are_numbers(const std::map<std::string, size_t>& labels) {
  return std::ranges::all_of(labels, [](const auto& one) { return is_number(one.first); });
}

// A word that stands alone in the last row of a spreadsheet with sums.
bool is_sum(std::string_view text) {
  static constexpr std::string_view kSums[] = {"합계", "총계", "총합",   "소계",  "계",
                                               "평균", "합",   "Total",  "TOTAL", "total",
                                               "Sum",  "SUM",  "Average"};
  return std::ranges::find(kSums, text) != std::end(kSums);
}

// A label on one line.
std::string on_one_line(std::string label) {
  std::ranges::replace(label, '\n', ' ');
  std::ranges::replace(label, '\r', ' ');
  return label;
}

std::string quoted_label(const std::string& label) {
  return "\"" + excerpt(on_one_line(label)) + "\"";
}

// Examples of which one is looked for in all splits.
struct Counted {
  size_t all = 0, found = 0;
  const LabelledExample* first = nullptr;  // as it stands in the file
};

// Of one file the shorter place comes first, and of places as long the smaller.
bool stands_before(const LabelledExample& one, const LabelledExample& other) {
  return std::pair(one.where.size(), std::string_view(one.where)) <
         std::pair(other.where.size(), std::string_view(other.where));
}

template <class Test>
Counted count_where(const LabelledSplits& splits, const Test& test) {
  Counted out;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split) {
      ++out.all;
      if (!test(one)) continue;
      ++out.found;
      if (out.first == nullptr || stands_before(one, *out.first)) out.first = &one;
    }
  return out;
}

// Says that labels are numbers, all or nearly so, with a unit or without, where they are learnt as names.
void tell_numbers(const LabelledSplits& splits, const Say& say, const Survey& found) {
  constexpr size_t kRarer = 10;
  const auto is_score = [](std::initializer_list<std::string_view> cells) {
    return ways_of_scores(std::vector<std::string_view>(cells)).has_value();
  };
  const Counted others =
      count_where(splits, [&](const LabelledExample& one) { return !is_score({one.label}); });
  // Beside a number 결시 says that there is none.
  const Counted strange = count_where(splits, [&](const LabelledExample& one) {
    return !is_score({one.label}) && !is_score({one.label, "1"});
  });
  if (strange.found * kRarer > strange.all || others.found * 2 > others.all) return;
  std::vector<std::string_view> cells;
  for (const auto& [label, count] : found.labels) cells.push_back(label);
  const std::optional<LabelNames> ways = ways_of_scores(cells);
  const bool can_be_read = ways.has_value();
  std::string but, how;
  if (others.found > 0) {
    but = "but in " + std::to_string(others.found) + " of " + std::to_string(others.all) +
          " rows (" + quoted_label(others.first->label) + ", the first in " + others.first->where +
          ") ";
    how = can_be_read ? ", and leaves out these rows" : ", where \"labels\" says what these are";
  } else if (!can_be_read) {
    how = ", where all have the same unit";
  }
  say("note: the labels are numbers " + but +
      "and are learnt as names, 4 as far from 5 as from 1; --task regression learns them as "
      "numbers" +
      how);
  if (ways && !ways->empty() && ways->front().first.starts_with("#,"))
    say("note: or a comma stands between several labels of a text: --column label_separator=comma");
}

// Labels that look like slips of the keyboard, and rows that look like none of the examples.
void look_at_slips(const LabelledSplits& splits, const Say& say, const Survey& found) {
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split)
      if (is_sum(one.text))
        say("note: " + one.where + ": \"" + one.text +
            "\" looks like a row of sums, and is read as an example; take it out of the file if it "
            "is none");
  if (found.several || found.scores) return;
  std::map<std::string, std::vector<std::string>> alike;
  std::vector<std::string> once;
  for (const auto& [label, count] : found.labels) {
    alike[plain_name(label)].push_back(quoted_label(label));
    if (count == 1) once.push_back(quoted_label(label));
  }
  for (const auto& [plain, labels] : alike)
    if (labels.size() > 1)
      say("note: the labels " + joined(labels) +
          " differ in capitals or spaces alone, and are different labels");
  constexpr size_t kShown = 10;
  if (!once.empty() && found.labels.size() > 2) {
    const size_t all = once.size();
    once.resize(std::min(all, kShown));
    say("note: of the labels, " + joined(once) + (all > kShown ? ", …" : "") +
        (all == 1 ? " stands once" : " stand once each") + ": a slip, or too rare to be learnt");
  }
  if (found.labels.size() <= 2 || !found.source.columns.choices.empty()) return;
  tell_numbers(splits, say, found);
  std::vector<std::string_view> labels;
  for (const auto& [label, count] : found.labels) labels.push_back(label);
  if (const std::string joint = foreign_separator_of(labels); !joint.empty())
    say("note: labels look joined by " + (joint.size() == 1 ? quoted_label(joint) : joint) +
        ", and each combination is learnt as one label; several of a text stand between commas, "
        "semicolons or bars, or in a list");
}

// "3점" is 3, "★★★☆☆" is 3; empty: it says no number.
std::string number_in(const std::string& label) {
  const std::u32string characters = to_code_points(label);
  if (const auto stars = std::ranges::count(characters, U'★'); stars > 0)
    return std::to_string(stars);
  return label.substr(0, std::min(label.find_first_not_of("0123456789."), label.size()));
}

[[noreturn]] void refuse_as_numbers(const LabelledSplits& splits, const Survey& found) {
  const std::map<std::string, size_t>& labels = found.labels;
  const Counted others =
      count_where(splits, [](const LabelledExample& one) { return !is_number(one.label); });
  nlohmann::ordered_json names = nlohmann::ordered_json::object();
  bool any = false;
  for (const auto& [label, count] : labels) {
    const std::string number = number_in(label);
    any = any || !number.empty();
    names[label] = number.empty() ? "…" : number;
  }
  const std::string hint = any && labels.size() <= kMostClasses
                               ? "; --column 'labels=" + names.dump() + "' says which they are"
                               : "";
  if (others.first == nullptr)
    throw usage_error(found.source.train.front() +
                      ": found several labels a text, expected numbers for regression" + hint);
  throw usage_error(others.first->where + ": found the label " + quoted_label(others.first->label) +
                    ", expected numbers for regression (so in " + std::to_string(others.found) +
                    " of " + std::to_string(others.all) + " rows)" + hint);
}

// Finds how the labels' cells hold numbers or several labels, where nobody says so.
void look_at_cells(const DataTable& table, LabelsAs labels, const Say& say, OwnSource* source) {
  const std::string& name = source->columns.label;
  if (name.empty() || !source->columns.choices.empty() || source->several() ||
      !source->labels.empty())
    return;
  const size_t label = table.column(name);
  std::vector<std::string_view> cells;
  for (const TableRow& row : table.rows) cells.push_back(row.cells[label]);
  const std::optional<LabelNames> ways = ways_of_scores(cells);
  // "4,7" among scores is no 4 and 7, whatever separates the cells.
  const bool are_decimals = ways && !ways->empty() && ways->front().first.starts_with("#,") &&
                            is_score_column(name) && labels == LabelsAs::found;
  if (!ways || (labels != LabelsAs::scores && !are_decimals)) {
    if (const std::string separator = label_separator_of(cells); !separator.empty())
      source->label_separator = separator;
    return;
  }
  source->labels = *ways;
  if (ways->empty()) return;
  nlohmann::ordered_json shown = nlohmann::ordered_json::object();
  for (const auto& [written, called] : *ways) shown[written] = called;
  say(table.path + ": labels: numbers, as \"labels\" says: " + shown.dump() +
      " (# is any number; what has no name is left out)" +
      (are_decimals ? "; label_separator=comma reads several labels a cell" : ""));
}

void look_at_labelled(const Say& say, LabelsAs labels, Survey* out) {
  OwnSource& source = out->source;
  const DataTable table = read_table(source.train.front(), source.table_options());
  // Names for labels say which numbers they are.
  const LabelsAs as = gives_names(source) ? LabelsAs::found : labels;
  const OwnColumns given = std::exchange(source.columns, find_columns(table, source.columns, as));
  say(described(table));
  for (const std::string& note : table.notes) say(table.path + ": " + note);
  for (const std::string& line : doubts(table, given, source.columns)) say(line);
  for (const std::string& line : unread(table, given, source.columns)) say(line);
  out->columns = table.columns;
  look_at_cells(table, labels, say, &source);
  out->several = source.several();
  // The file is read again by its columns, and those that are called by numbers do not tell whether names stand above.
  const std::vector<std::string> wanted = source.table_options().wanted;
  if (table.format != "folders" && table.format != "JSON" && table.format != "JSON lines" &&
      (!table.header || std::ranges::all_of(wanted, is_number)))
    source.header = table.header;
  const LabelledSplits splits = load_own_labelled(source, say, out->several);
  std::vector<size_t> lengths;
  std::map<std::string, std::pair<size_t, std::set<std::string>>> texts;
  for (const auto& [name, split] :
       {std::pair("train", &splits.train), std::pair("dev", &splits.dev),
        std::pair("test", &splits.test)}) {
    out->examples[name] = split->size();
    for (const LabelledExample& one : *split) {
      if (out->several)
        for (const std::string& label : labels_of(one.label)) ++out->labels[label];
      else
        ++out->labels[one.label];
      out->unlabelled += one.label.empty() ? 1 : 0;
      size_t longest = characters(one.pair);
      for (const std::string& choice : one.choices) longest = std::max(longest, characters(choice));
      lengths.push_back(characters(one.text) + longest);
      out->cut += lengths.back() > kReadWhole ? 1 : 0;
      auto& [count, labels] = texts[one.text + "\t" + one.pair];
      ++count;
      labels.insert(one.label);
    }
  }
  for (const auto& [text, seen] : texts) {
    out->repeated += seen.first > 1;
    out->contradictory += seen.second.size() > 1;
  }
  set_lengths(std::move(lengths), out);
  out->scores = labels == LabelsAs::scores || (labels == LabelsAs::found && !out->several &&
                                               !gives_names(source) && are_scores(out->labels));
  if (out->scores && (out->several || !are_numbers(out->labels))) refuse_as_numbers(splits, *out);
  look_at_slips(splits, say, *out);
  if (!out->scores && source.columns.choices.empty() &&
      (unseen_labels(splits, splits.dev, out->several).texts > 0 ||
       unseen_labels(splits, splits.test, out->several).texts > 0))
    say("note: run refuses labels that training lacks: take the texts that have them out of dev "
        "and test, or give some of them to training");
  if (out->scores) out->labels.clear();
}

void look_at_tagged(const Say& say, Survey* out) {
  const TaggedSplits splits = load_own_tagged(out->source, say);
  std::vector<size_t> lengths;
  for (const auto& [name, split] :
       {std::pair("train", &splits.train), std::pair("dev", &splits.dev),
        std::pair("test", &splits.test)}) {
    out->examples[name] = split->size();
    for (const TaggedSentence& one : *split) {
      lengths.push_back(one.tags.size());
      for (const std::string& tag : one.tags)
        if (tag.starts_with("B-")) ++out->labels[tag.substr(2)];
    }
  }
  set_lengths(std::move(lengths), out);
}

void look_at_questions(const Say& say, Survey* out) {
  OwnSource& source = out->source;
  if (!is_question_json(source.train.front())) {
    const DataTable table = read_table(source.train.front(), source.table_options());
    source.columns = find_columns(table, source.columns);
    out->columns = table.columns;
  }
  const KorquadSplits splits = load_own_questions(source, say);
  std::vector<size_t> lengths;
  for (const auto& [name, set] : {std::pair("train", &splits.train), std::pair("dev", &splits.dev),
                                  std::pair("test", &splits.test)}) {
    out->examples[name] = set->question_count();
    for (const KorquadParagraph& paragraph : set->paragraphs)
      lengths.push_back(characters(paragraph.context));
  }
  set_lengths(std::move(lengths), out);
}

}  // namespace

double Survey::largest_share() const {
  size_t all = 0, largest = 0;
  for (const auto& [label, count] : labels) all += count, largest = std::max(largest, count);
  return all == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(all);
}

Survey survey(OwnSource source, LabelsAs labels, const Say& before_error) {
  Survey out;
  out.source = std::move(source);
  // Columns that were found are named when the file is read again, so that some lines would come twice.
  const Say say = [&](const std::string& line) {
    if (std::ranges::find(out.told, line) == out.told.end()) out.told.push_back(line);
  };
  out.form = form_of(out.source);
  if (labels != LabelsAs::found && out.form != OwnForm::labelled)
    throw usage_error("--task: found a file without labels of texts, expected none");
  try {
    switch (out.form) {
      case OwnForm::labelled:
        look_at_labelled(say, labels, &out);
        break;
      case OwnForm::tagged:
        look_at_tagged(say, &out);
        break;
      case OwnForm::questions:
        look_at_questions(say, &out);
        break;
    }
  } catch (const Error&) {
    // What was left out may be why.
    if (before_error)
      for (const std::string& line : out.told) before_error(line);
    throw;
  }
  return out;
}

std::vector<std::string> lines_of(const Survey& survey) {
  std::vector<std::string> out = survey.told;
  if (!survey.columns.empty()) out.push_back("columns: " + joined(survey.columns));
  const char* what = survey.form == OwnForm::labelled ? "texts"
                     : survey.form == OwnForm::tagged ? "sentences"
                                                      : "questions";
  out.push_back(std::string(what) + ": " + std::to_string(survey.examples.at("train")) +
                " to train on (train), " + std::to_string(survey.examples.at("dev")) +
                " to choose by (dev), " + std::to_string(survey.examples.at("test")) +
                " to measure on (test)");
  if (!survey.labels.empty()) {
    size_t all = 0;
    std::vector<std::pair<size_t, std::string>> sorted;
    for (const auto& [label, count] : survey.labels) {
      all += count;
      sorted.emplace_back(count, label);
    }
    const size_t examples =
        survey.examples.at("train") + survey.examples.at("dev") + survey.examples.at("test");
    char of_a_text[64];
    std::snprintf(of_a_text, sizeof of_a_text, "%.2f a text on average, ",
                  static_cast<double>(all) / static_cast<double>(examples));
    // Of texts that may have several, the share of texts.
    if (survey.several) all = examples;
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.first; });
    constexpr size_t kShown = 30;
    std::vector<std::string> words;
    for (size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
      char share[32];
      std::snprintf(share, sizeof share, " (%.1f %%)",
                    100 * static_cast<double>(sorted[i].first) / static_cast<double>(all));
      words.push_back(on_one_line(sorted[i].second) + " " + std::to_string(sorted[i].first) +
                      share);
    }
    out.push_back(count_of(sorted.size(), "label: ", "labels: ") + joined(words) +
                  (sorted.size() > kShown ? ", …" : ""));
    if (survey.several)
      out.push_back(std::string("labels: several a text, ") + of_a_text +
                    count_of(survey.unlabelled, "text", "texts") + " without one");
  }
  if (survey.scores) out.emplace_back("labels: numbers, to be found as such");
  out.push_back(std::string(survey.form == OwnForm::questions ? "contexts" : what) +
                ": half have at most " + count_of(survey.median_length, "character", "characters") +
                ", 99 % at most " + std::to_string(survey.long_length));
  if (survey.cut > 0)
    out.push_back("note: " + count_of(survey.cut, "text has", "texts have") + " more than about " +
                  std::to_string(kReadWhole) +
                  " characters, of which training reads the beginning alone");
  if (survey.repeated == 1)
    out.push_back("1 text stands more than once, with " +
                  std::string(survey.contradictory == 1 ? "different labels" : "one label"));
  if (survey.repeated > 1)
    out.push_back(std::to_string(survey.repeated) + " texts stand more than once, " +
                  std::to_string(survey.contradictory) + " of them with different labels");
  return out;
}

nlohmann::ordered_json to_json(const Survey& survey) {
  return {{"form", survey.form == OwnForm::labelled ? (survey.scores    ? "scores"
                                                       : survey.several ? "label sets"
                                                                        : "labels")
                   : survey.form == OwnForm::tagged ? "tags"
                                                    : "questions"},
          {"data", to_json(survey.source)},
          {"columns", survey.columns},
          {"examples", survey.examples},
          {"labels", survey.labels},
          {"median_length", survey.median_length},
          {"length_of_99_percent", survey.long_length},
          {"repeated_texts", survey.repeated},
          {"contradictory_texts", survey.contradictory},
          {"cut_texts", survey.cut},
          {"notes", survey.told}};
}

}  // namespace minibert
