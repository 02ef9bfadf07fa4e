#include "data/own/survey.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/hidden_files.h"
#include "core/shell_quote.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/columns.h"
#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/own_questions.h"
#include "data/own/own_tagged.h"
#include "data/own/written_numbers.h"
#include "data/tables/read_table.h"
#include "data/tables/usual_columns.h"
#include "score/label_set.h"
#include "text/composed.h"
#include "text/python_text.h"

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

// The way that all labels are written in that say a number, or else more than half of them; empty: there is none.
std::string shared_way(std::span<const std::string_view> labels) {
  if (const std::optional<LabelNames> ways = ways_of_scores(labels))
    return !ways->empty() && ways->front().second == kAnyNumber ? ways->front().first : "";
  std::map<std::string, size_t> counts;
  for (const std::string_view label : labels)
    if (const auto way = way_of_numbers(std::span(&label, 1))) ++counts[*way];
  for (const auto& [way, count] : counts)
    if (count * 2 > labels.size()) return way;
  return "";
}

// Says that labels are numbers, all or nearly so, with a unit or without, where they are learnt as names. False: they
// are none.
bool tell_numbers(const LabelledSplits& splits, const Say& say, const Survey& found) {
  constexpr size_t kRarer = 10;
  std::vector<std::string_view> cells;
  for (const auto& [label, count] : found.labels) cells.push_back(label);
  const std::optional<LabelNames> ways = ways_of_scores(cells);
  const bool can_be_read = ways.has_value();
  // A unit that labels share may be any, as long as it measures: 2학년 is none. Of others it is one of scores.
  const std::string shared = shared_way(cells);
  const auto is_score = [&](const std::string& label) {
    const std::string_view cell[] = {label};
    const std::optional<std::string> way = way_of_numbers(cell);
    return way && (is_usual_of_scores(*way) ||
                   (!shared.empty() && measures(shared) && number_written(label, shared)));
  };
  const Counted others =
      count_where(splits, [&](const LabelledExample& one) { return !is_score(one.label); });
  // Beside a number 결시 says that there is none.
  const Counted strange = count_where(splits, [&](const LabelledExample& one) {
    const std::string_view beside[] = {one.label, "1"};
    return !is_score(one.label) && !ways_of_scores(beside);
  });
  if (strange.found * kRarer > strange.all || others.found * 2 > others.all) return false;
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
  return true;
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
  if (tell_numbers(splits, say, found)) return;
  std::vector<std::string_view> labels;
  for (const auto& [label, count] : found.labels) labels.push_back(label);
  if (const std::string joint = foreign_separator_of(labels); !joint.empty())
    say("note: labels look joined by " + (joint.size() == 1 ? quoted_label(joint) : joint) +
        ", and each combination is learnt as one label; several of a text stand between commas, "
        "semicolons or bars, or in a list");
}

// "3점" is 3; empty: it begins with no number.
std::string leading_number(const std::string& label) {
  const size_t end = std::min(label.find_first_not_of("0123456789."), label.size());
  return is_number(label.substr(0, end)) ? label.substr(0, end) : "";
}

// Labels as they are written, with what says where they stand.
struct WrittenLabels {
  std::vector<std::string> labels;
  std::function<std::string(size_t)> where;
};

// The way that most of the labels are written in, as far as one label tells; nothing: most of them have none in common.
std::optional<std::string> way_of_most(const std::vector<std::string>& labels) {
  constexpr size_t kMostWays = 20;
  std::set<std::string> ways = {std::string(kAnyNumber)};
  for (const std::string& label : labels) {
    const std::string_view cell[] = {label};
    if (const auto way = way_of_numbers(cell); way && !way->empty() && ways.size() < kMostWays)
      ways.insert(*way);
  }
  std::optional<std::string> best;
  size_t most = labels.size() / 2;
  for (const std::string& way : ways) {
    const auto read = static_cast<size_t>(std::ranges::count_if(
        labels, [&](const std::string& one) { return number_written(one, way).has_value(); }));
    if (read > most) best = way, most = read;
  }
  return best;
}

// What "labels" may say of labels that are no numbers, behind the message that refuses them.
std::string proposal_for(const std::vector<std::string>& labels, std::optional<std::string> way) {
  nlohmann::ordered_json said = nlohmann::ordered_json::object();
  const std::set<std::string> different(labels.begin(), labels.end());
  std::set<std::string> others;
  std::vector<std::string_view> numbers;
  for (const std::string& label : different)
    if (way && number_written(label, *way))
      numbers.push_back(label);
    else
      others.insert(label);
  if (way) {
    const std::optional<LabelNames> all = ways_of_scores(numbers);
    if (!all)
      said[*way] = kAnyNumber;  // with the unit and without it
    else
      for (const auto& [written, called] : *all) said[written] = called;
    constexpr size_t kMostOthers = 5;
    const bool few = others.size() <= kMostOthers;
    for (const std::string& label : others)
      if (few) said[label] = "";
    if (said.empty()) said[*way] = kAnyNumber;
    return "; --column " + shell_quoted("labels=" + said.dump()) + " reads " +
           (others.empty() ? "them all"
            : few          ? "the others, and leaves out what has no name"
                           : "the others, and a label with the name \"\" there is left out");
  }
  bool any = false;
  for (const std::string& label : different) {
    const std::string number = leading_number(label);
    any = any || !number.empty();
    said[label] = number.empty() ? "…" : number;
  }
  if (any && different.size() <= kMostClasses)
    return "; --column " + shell_quoted("labels=" + said.dump()) + " says which they are";
  return any ? "; a cell is read that holds one number, with the same unit in all cells, or an "
               "amount as 15억 9,000만원; --column 'labels={\"#만원\":\"#\"}' names another unit"
             : "";
}

[[noreturn]] void refuse_as_numbers(const WrittenLabels& written) {
  const std::vector<std::string>& labels = written.labels;
  const std::optional<std::string> way = way_of_most(labels);
  const auto is_read = [&](const std::string& label) {
    const std::string_view beside[] = {label, "1"};  // a number, or what stands in its place
    return is_number(label) || (way && number_written(label, *way)) || ways_of_scores(beside);
  };
  const bool all = std::ranges::all_of(labels, is_read);
  // Where the unit of most reads all of them, those that have it are what is no plain number.
  const auto is_other = [&](const std::string& label) {
    return all ? !is_number(label) && way && number_written(label, *way) : !is_read(label);
  };
  size_t first = labels.size(), others = 0;
  for (size_t i = 0; i < labels.size(); ++i)
    if (is_other(labels[i]) && others++ == 0) first = i;
  if (first == labels.size()) first = 0;
  throw usage_error(written.where(first) + ": found the label " + quoted_label(labels[first]) +
                    ", expected numbers for regression (so in " + std::to_string(others) + " of " +
                    std::to_string(labels.size()) + " rows)" + proposal_for(labels, way));
}

[[noreturn]] void refuse_as_numbers(const LabelledSplits& splits, const Survey& found) {
  if (found.several)
    throw usage_error(found.source.train.front() +
                      ": found several labels a text, expected numbers for regression");
  std::vector<const LabelledExample*> examples;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split) examples.push_back(&one);
  std::ranges::sort(examples,
                    [](const auto* one, const auto* other) { return stands_before(*one, *other); });
  WrittenLabels written;
  for (const LabelledExample* one : examples) written.labels.push_back(one->label);
  written.where = [&](size_t i) { return examples[i]->where; };
  refuse_as_numbers(written);
}

// The same before the rows are shared out, which they cannot be by labels that all differ.
void refuse_unread_numbers(const DataTable& table, const OwnColumns& columns) {
  const size_t label = table.column(columns.label);
  WrittenLabels written;
  std::vector<const TableRow*> rows;
  for (const TableRow& row : table.rows) {
    const bool whole = std::ranges::all_of(columns.text, [&](const std::string& name) {
      return !strip(row.cells[table.column(name)]).empty();
    });
    const std::string cell = composed(strip(row.cells[label]));
    if (!whole || cell.empty() || is_missing_mark(cell)) continue;
    written.labels.push_back(cell);
    rows.push_back(&row);
  }
  written.where = [&](size_t i) { return table.where(*rows[i]); };
  if (!rows.empty()) refuse_as_numbers(written);
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
  if (!ways && labels == LabelsAs::scores) refuse_unread_numbers(table, source->columns);
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
  if (const std::string told = told_of_parts(cells, ways->front().first); !told.empty()) {
    say(table.path + ": \"" + name + "\": " + told + " (labels: " + shown.dump() + ")");
    return;
  }
  const bool stars = counts_stars(ways->front().first);
  say(table.path + ": labels: numbers, as \"labels\" says: " + shown.dump() + " (" +
      (stars ? ways->front().first + " are counted" : "# is any number") +
      "; what has no name is left out)" +
      (are_decimals ? "; label_separator=comma reads several labels a cell" : ""));
}

// Refuses tables where texts are expected, and tells those among texts: a folder of tables is no folder of labels.
void look_at_folder(const std::string& folder, const Say& say) {
  namespace fs = std::filesystem;
  static constexpr std::string_view kTables[] = {".csv",   ".tsv",  ".json",
                                                 ".jsonl", ".xlsx", ".xls"};
  std::vector<std::string> beside;
  size_t tables = 0, files = 0;
  std::string first;
  const auto visible = [](const fs::directory_entry& entry) {
    return !is_hidden(entry.path().filename().string());
  };
  const auto is_table = [](const fs::path& file) {
    return std::ranges::find(kTables, file.extension().string()) != std::end(kTables);
  };
  for (const auto& label : fs::directory_iterator(folder)) {
    if (!visible(label)) continue;
    if (label.is_regular_file() && is_table(label.path())) beside.push_back(label.path().string());
    if (!label.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(label.path())) {
      if (!visible(file) || !file.is_regular_file()) continue;
      ++files;
      if (!is_table(file.path())) continue;
      ++tables;
      if (first.empty() || file.path().string() < first) first = file.path().string();
    }
  }
  if (!beside.empty()) first = std::ranges::min(beside);
  const std::string alone = "a table is looked at alone: minibert new " + for_shell(first);
  if (!first.empty() && tables == files)
    throw usage_error(folder + ": found tables, expected a folder of texts for every label; " +
                      alone);
  if (!first.empty())
    say("note: " + folder +
        ": its folders are read as labels, and each file in them as one text, "
        "be it a table; " +
        alone);
}

void look_at_labelled(const Say& say, LabelsAs labels, Survey* out) {
  OwnSource& source = out->source;
  if (std::filesystem::is_directory(source.train.front()))
    look_at_folder(source.train.front(), say);
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
      // Of alternatives the right one's text is the answer, wherever it stands among them.
      std::vector<std::string> among = one.choices;
      std::ranges::sort(among);
      auto& [count, labels] = texts[one.text + "\t" + one.pair + "\t" + joined(among, "\t")];
      ++count;
      size_t right = 0;
      std::from_chars(one.label.data(), one.label.data() + one.label.size(), right);
      labels.insert(right > 0 && right <= one.choices.size() ? one.choices[right - 1] : one.label);
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
