#include "data/own/own_labelled.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/choice_answers.h"
#include "data/own/choice_cells.h"
#include "data/own/columns.h"
#include "data/own/label_cells.h"
#include "data/tables/read_table.h"
#include "score/label_set.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr char kLearnSeveral[] =
    "; several are learnt by the task multilabel, for which minibert new writes an experiment";

struct Row {
  LabelledExample example;
  std::string group;
};

constexpr char kTextOrLabel[] = "text or label";

// Rows that are left out.
struct LeftOut {
  size_t rows = 0;
  std::string first;  // where it stands
  void add(const std::string& where) {
    if (rows++ == 0) first = where;
  }
};

std::string in_quotes(const std::string& text) { return "\"" + excerpt(text) + "\""; }

class LabelledReader {
 public:
  LabelledReader(const OwnSource& source, const Say& say, bool several)
      : source_(source), say_(say), several_(several), separator_(source.label_separator) {}

  std::vector<Row> read(const std::vector<std::string>& paths, const std::string& split) {
    std::vector<Row> out;
    for (const std::string& path : paths) read_file(path, split, &out);
    return out;
  }

  // The column of groups; empty: there is none.
  std::string group() const { return columns_ ? columns_->group : ""; }

 private:
  void read_file(const std::string& path, const std::string& split, std::vector<Row>* out) {
    const DataTable table = read_table(path, source_.table_options());
    say_(described(table));
    for (const std::string& note : table.notes) say_(path + ": " + note);
    if (!columns_) {
      columns_ = find_columns(table, source_.columns);
      if (columns_->text.empty() || (columns_->label.empty() && columns_->flags.empty()))
        throw usage_error(path + ": found questions, expected a text and a label a row");
      if (!columns_->flags.empty() && !several_)
        throw usage_error(path + ": found the labels' columns " + joined(columns_->flags) +
                          ", expected one label a text: the key \"label\" names its column" +
                          kLearnSeveral);
      say_(path + ": " + described(*columns_));
      for (const std::string& line : doubts(table, source_.columns, *columns_)) say_(line);
      first_ = path;
    }
    const auto all = [&](const std::vector<std::string>& names) {
      std::vector<size_t> found;
      for (const std::string& name : names) found.push_back(place(table, name));
      return found;
    };
    const auto one = [&](const std::string& name) {
      return name.empty() ? std::optional<size_t>() : std::optional(place(table, name));
    };
    const std::vector<size_t> text = all(columns_->text), choices = all(columns_->choices),
                              flags = all(columns_->flags);
    const std::optional<size_t> pair = one(columns_->pair), group = one(columns_->group),
                                id = one(columns_->id), label = one(columns_->label);
    if (label && choices.empty()) look_at_labels(table, *label);
    if (label && text.size() == 1 && !pair) refuse_tags_of_words(table, text.front(), *label);
    for (const size_t column : text) refuse_objects(table, column);
    const ChoiceCells alternatives(table, columns_->choices, columns_->text);
    if (const std::string told = alternatives.told(table); !told.empty()) say_(path + ": " + told);
    if (!choices.empty()) look_at_choices(table, choices, alternatives, label);
    const size_t before = out->size();
    size_t blank = 0, equal = 0, answered = 0, by_text = 0, other_by_text = 0, without_unit = 0;
    std::string first_equal;
    LeftOut unknown, unwanted, other_number;
    std::map<std::string, LeftOut> lacking;  // by what is empty
    std::map<std::string, LeftOut> without;  // rows that are read although it is
    for (const TableRow& row : table.rows) {
      bool whole = true;
      std::string empty;
      const auto lack = [&](const std::string& what) {
        if (empty.empty()) empty = what;
        whole = false;
      };
      std::string_view mark;  // in place of a text or label
      const auto cell = [&](size_t column, const std::string& what = kTextOrLabel) {
        const std::string_view bare = strip(row.cells[column]);
        if (is_blank(bare)) lack(what);
        // A name in "labels" says that it is one.
        if (whole && is_missing_mark(bare) && !(column == label && is_named(bare))) {
          whole = false;
          mark = bare;
        }
        return std::string(bare);
      };
      Row read;
      LabelledExample& example = read.example;
      std::vector<std::string> asked;
      std::vector<size_t>
          absent;  // of several columns that are one text, as a passage and a question
      for (const size_t column : text)
        if (text.size() > 1 && is_blank(strip(row.cells[column])))
          absent.push_back(column), asked.emplace_back();
        else
          asked.push_back(cell(column));
      if (pair) example.pair = cell(*pair, in_quotes(columns_->pair));
      for (const size_t column : choices) {
        example.choices.emplace_back(strip(row.cells[column]));
        if (example.choices.back().empty()) lack(in_quotes(table.columns[column]));
      }
      Alternatives found;
      if (whole && !choices.empty()) {
        found = alternatives.of(example.choices);
        if (!found.problem.empty()) throw Error(table.where(row) + ": " + found.problem);
        if (found.texts.size() != choices_) {
          other_number.add(table.where(row) + ": " +
                           (found.lacking.empty() ? std::to_string(found.texts.size()) + " of them"
                                                  : found.lacking));
          continue;
        }
        example.choices = found.texts;
        for (size_t i = 0; i < text.size(); ++i)
          if (alternatives.asks() && text[i] == choices.front()) asked[i] = found.asked;
      }
      for (const std::string& part : asked)
        example.text += (example.text.empty() || part.empty() ? "" : " ") + part;
      if (whole && !text.empty() && example.text.empty()) lack(kTextOrLabel);
      std::vector<std::string> labels;
      const std::string written = label ? label_cell(cell(*label)) : "";
      if (whole && label && is_unwanted(written)) {
        unwanted.add(in_quotes(written) + " in " + table.where(row));
        continue;
      }
      if (!label)
        labels = flagged(table, row, flags, &blank);
      else if (several_ && whole)
        labels = labels_in_cell(written, separator_, table.where(row));
      else
        labels = {unlisted(written)};
      if (!whole && !mark.empty()) {
        unknown.add("\"" + std::string(mark) + "\" in " + table.where(row));
        continue;
      }
      if (!whole) {
        lacking[empty].add(table.where(row));
        continue;
      }
      example.where = table.where(row);
      for (const size_t column : absent)
        without[in_quotes(table.columns[column])].add(example.where);
      without_unit += std::ranges::all_of(labels, is_number) ? 1 : 0;
      for (std::string& one : labels) one = name_of(one, example.where);
      example.label = several_ ? as_label_set(std::move(labels)) : labels.front();
      if (!choices.empty()) {
        if (have_equal(example.choices) && equal++ == 0) first_equal = example.where;
        if (!gives_names(source_)) {
          const std::string index = answers_.right(example.label, found, example.where);
          const auto same =
              std::ranges::find(example.choices, example.label,
                                [](const std::string& choice) { return composed(choice); });
          ++answered;
          by_text += same != example.choices.end() ? 1 : 0;
          other_by_text += same != example.choices.end() &&
                                   std::to_string(same - example.choices.begin() + 1) != index
                               ? 1
                               : 0;
          example.label = index;
        }
      }
      if (group) read.group = std::string(strip(row.cells[*group]));
      if (read.group.empty()) read.group = example.text;
      example.id =
          id ? unique(cell(*id), example.where) : split + "-" + std::to_string(out->size() + 1);
      out->push_back(std::move(read));
    }
    tell_other_number(path, other_number, out->size() > before);
    if (const std::string unit = unit_of_labels();
        !unit.empty() && without_unit > 0 && without_unit == out->size() - before)
      say_("note: " + path + ": no label has the unit that \"labels\" names (" + unit +
           "), and each number is read as having it");
    for (const auto& [what, left] : lacking) {
      const bool alternative = what != kTextOrLabel && !choices.empty();
      say_(path + ": " + count_of(left.rows, "row has", "rows have") + " an empty " + what +
           ": left out (the first is " + left.first + ")" +
           (alternative ? "; all rows need as many alternatives: \"choices\" may name fewer columns"
            : 2 * left.rows >= table.rows.size() && table.is_separated() ? kOfMergedCells
                                                                         : ""));
    }
    for (const auto& [what, read] : without)
      say_(path + ": " + count_of(read.rows, "row has", "rows have") + " an empty " + what +
           ", and " + (read.rows == 1 ? "is" : "are") + " read without it (the first is " +
           read.first + ")" +
           (2 * read.rows >= table.rows.size() && table.is_separated() ? kOfMergedCells : ""));
    if (unknown.rows > 0)
      say_(path + ": " + count_of(unknown.rows, "row has", "rows have") +
           " NA or the like for a text or label: left out (the first is " + unknown.first +
           "); where it is a label, \"labels\" says so");
    if (unwanted.rows > 0)
      say_(path + ": " + count_of(unwanted.rows, "row has", "rows have") +
           " a label that \"labels\" leaves out (the first is " + unwanted.first + ")");
    if (other_by_text > 0 && by_text == answered)
      throw usage_error(path +
                        ": found answers that are alternatives' numbers or letters and each "
                        "also the text of one, expected what says which is meant: answers by text "
                        "rewritten as places, or --column 'labels={\"1\":\"1\",\"2\":\"2\",…}' "
                        "where they are places from 1");
    if (equal > 0)
      say_("note: " + path + ": " + count_of(equal, "row has", "rows have") +
           " two equal alternatives, of which one is right (the first is " + first_equal + ")");
    if (blank > 0)
      say_(path + ": " + count_of(blank, "empty cell", "empty cells") + " of labels' columns " +
           (blank == 1 ? "counts" : "count") + " as no");
  }

  // Finds how many alternatives most rows of the first file have, and how its cells say which of them is right.
  void look_at_choices(const DataTable& table, const std::vector<size_t>& choices,
                       const ChoiceCells& alternatives, std::optional<size_t> label) {
    if (choices_ > 0) return;
    const bool answered = label && !gives_names(source_);
    std::vector<size_t> rows_of;  // by their number of alternatives
    for (const TableRow& row : table.rows) {
      std::vector<std::string> cells;
      for (const size_t column : choices) cells.emplace_back(strip(row.cells[column]));
      if (std::ranges::any_of(cells, &std::string::empty)) continue;
      const Alternatives found = alternatives.of(cells);  // a problem is told when the row is read
      const size_t size = found.texts.size();
      if (size == 0) continue;
      rows_of.resize(std::max(rows_of.size(), size + 1));
      ++rows_of[size];
      if (choices_ == 0 || rows_of[size] > rows_of[choices_]) choices_ = size;
      const std::string answer = answered ? unlisted(label_cell(row.cells[*label])) : "";
      if (!answer.empty() && !is_missing_mark(answer) && !is_unwanted(answer))
        answers_.look_at(answer, found);
    }
    // Of a table that has none at all, its rows say why.
    choices_ = std::max<size_t>(choices_, 1);
    if (const std::string told = answers_.told(); !told.empty()) say_(table.path + ": " + told);
  }

  // Rows that have another number of alternatives than most. `any`: others are left.
  void tell_other_number(const std::string& path, const LeftOut& rows, bool any) const {
    if (rows.rows == 0) return;
    const std::string found = " (the first is " + rows.first + ")";
    if (!any)
      throw Error(path + ": found no row with " +
                  (choices_ > 1 ? std::to_string(choices_) + " " : "") + "alternatives" + found +
                  ", expected some");
    say_(path + ": " + count_of(rows.rows, "row has", "rows have") + " not the " +
         count_of(choices_, "alternative", "alternatives") + " that most have: left out" + found);
  }

  // Of a list its items, else the words of a text.
  static size_t parts_in(std::string_view cell) {
    const auto list = texts_in_list(cell);
    return list ? list->size() : split_ranges(to_code_points(cell)).size();
  }

  // A label with as many parts as the text has words, in every row, is a tag for each of them.
  static void refuse_tags_of_words(const DataTable& table, size_t text, size_t label) {
    constexpr size_t kFewestWords = 3;  // a text on average
    size_t parts = 0;
    for (const TableRow& row : table.rows) {
      const size_t words = parts_in(strip(row.cells[text]));
      if (words != parts_in(strip(row.cells[label]))) return;
      parts += words;
    }
    if (parts < kFewestWords * table.rows.size()) return;
    throw usage_error(table.where(table.rows.front()) + ": found a label for each word of \"" +
                      table.columns[text] + "\" (\"" +
                      excerpt(strip(table.rows.front().cells[label])) +
                      "\"), expected labels of whole texts; tags are read from lists of JSON "
                      "({\"tokens\": [\"…\"], \"tags\": [\"…\"]} a line) or a word and its tag a "
                      "line");
  }

  // A text that is JSON's objects is none.
  static void refuse_objects(const DataTable& table, size_t column) {
    for (const TableRow& row : table.rows) {
      const std::string_view cell = strip(row.cells[column]);
      if (!cell.empty() && !(cell.starts_with("[{") && cell.ends_with("}]"))) return;
    }
    throw usage_error(table.where(table.rows.front()) + ": found lists of objects in \"" +
                      table.columns[column] + "\" (\"" +
                      excerpt(strip(table.rows.front().cells[column])) +
                      "\"), expected texts: a row for each object, or their texts joined");
  }

  // A list of 0 and 1 says yes or no of names that stand elsewhere.
  void refuse_marks(const DataTable& table, std::span<const std::string_view> cells) const {
    const auto is_mark = [](const std::string& one) {
      return one == "0" || one == "1" || one == "0.0" || one == "1.0";
    };
    bool found = false;
    for (const std::string_view cell : cells) {
      const std::string_view bare = strip(cell);
      if (bare.empty()) continue;
      if (!bare.starts_with('[')) return;
      const auto list = texts_in_list(bare);
      found = list && list->size() > 1 && std::ranges::all_of(*list, is_mark);
      if (!found) return;
    }
    if (found)
      throw usage_error(table.path + ": found lists of 0 and 1 as labels (\"" +
                        excerpt(strip(cells.front())) +
                        "\"), expected lists of names, or a column of 0 and 1 for each name "
                        "(--column label='[\"NAME\", \"NAME\"]')");
  }

  // Finds how cells hold several labels, or refuses those that do where a text has one.
  void look_at_labels(const DataTable& table, size_t column) {
    std::vector<std::string_view> cells;
    for (const TableRow& row : table.rows) cells.push_back(row.cells[column]);
    refuse_marks(table, cells);
    if (several_) {
      if (separator_ != "auto") return;
      separator_ = likely_separator_of(cells);
      if (!separator_.empty()) say_(table.path + ": labels: several in a cell, " + separator_);
      return;
    }
    for (const TableRow& row : table.rows)
      if (holds_spans(strip(row.cells[column])))
        throw usage_error(table.where(row) + ": found marked parts of a text as the label (" +
                          excerpt(row.cells[column]) +
                          "), expected labels of whole texts; for names a file of words with "
                          "tags, as CoNLL has them");
    if (says_more_than_unwanted()) return;  // others are refused one by one
    const std::string separator = label_separator_of(cells);
    if (separator.empty()) return;
    for (const TableRow& row : table.rows) {
      const std::string_view cell = strip(row.cells[column]);
      if (!cell.empty() && labels_in_cell(cell, separator, table.where(row)).size() > 1)
        throw usage_error(table.where(row) + ": found the labels \"" + excerpt(cell) +
                          "\" in one cell, expected one label a text" + kLearnSeveral);
    }
  }

  // The labels whose columns say yes. An empty cell says no, and is counted.
  std::vector<std::string> flagged(const DataTable& table, const TableRow& row,
                                   const std::vector<size_t>& columns, size_t* blank) const {
    std::vector<std::string> out;
    for (const size_t column : columns) {
      const std::string& cell = row.cells[column];
      const std::optional<bool> is = strip(cell).empty() ? false : flag_of(cell);
      if (!is)
        throw Error(table.where(row) + ": column " + excerpt(table.columns[column]) + ": found \"" +
                    excerpt(cell) + "\", expected 0 or 1");
      *blank += strip(cell).empty() ? 1 : 0;
      if (*is)
        for (std::string& label : labels_in_cell(table.columns[column], "", table.path))
          out.push_back(std::move(label));
    }
    return out;
  }

  static bool is_blank(std::string_view bare) {
    constexpr size_t kMostUnseen = 12;  // bytes
    return bare.size() <= kMostUnseen && label_cell(bare).empty();
  }

  // As it is written, but for what nobody sees.
  static std::string label_cell(std::string_view cell) {
    const std::string shown = composed(cell);
    return std::string(strip(shown));
  }

  // A list of one label, as doccano writes it, is that label.
  static std::string unlisted(const std::string& label) {
    if (!label.starts_with("[\"") || !label.ends_with("\"]")) return label;
    const auto list = nlohmann::json::parse(label, nullptr, false);
    return list.is_array() && list.size() == 1 ? list[0].get<std::string>() : label;
  }

  // Of a column. All files have the columns of the first.
  size_t place(const DataTable& table, const std::string& name) const {
    try {
      return table.column(name);
    } catch (const Error& error) {
      if (table.path == first_) throw;
      throw usage_error(std::string(error.what()) + ", as in " + first_ +
                        ": call the columns alike in all files" +
                        (name == columns_->label
                             ? "; a file that has no column of labels measures nothing, and gets "
                               "labels by classify --in FILE --out FILE"
                             : ""));
    }
  }

  // Whether "labels" leaves out what has this label: its name is empty.
  bool is_unwanted(const std::string& written) const {
    return std::ranges::any_of(source_.labels, [&](const auto& label) {
      return label.first == written && label.second.empty();
    });
  }

  bool says_more_than_unwanted() const {
    return std::ranges::any_of(source_.labels,
                               [](const auto& label) { return !label.second.empty(); });
  }

  // Whether "labels" has it, as it is written or as the name.
  bool is_named(std::string_view written) const {
    return std::ranges::any_of(source_.labels, [&](const auto& label) {
      return label.first == written || label.second == written;
    });
  }

  // The first way of writing numbers in "labels" that has a unit; empty: there is none.
  std::string unit_of_labels() const {
    const auto found = std::ranges::find_if(source_.labels, [](const auto& label) {
      return is_way_of_numbers(label.first, label.second) && !counts_stars(label.first) &&
             label.first.find_first_not_of("#,. ") != std::string::npos;
    });
    return found == source_.labels.end() ? "" : found->first;
  }

  std::string name_of(const std::string& written, const std::string& where) const {
    if (source_.labels.empty()) return written;
    std::vector<std::string> known;
    const std::string_view number = whole_number(written);
    for (const auto& [from, name] : source_.labels) {
      if (name.empty()) continue;
      if (is_way_of_numbers(from, name)) {
        if (std::optional<std::string> read = number_written(written, from)) return *read;
        known.push_back(from + (counts_stars(from) ? " (they are counted)" : " (# is any number)"));
        continue;
      }
      if (from == written || name == written) return name;
      if (!number.empty() && number == whole_number(from)) return name;
      known.push_back(from);
    }
    if (known.empty()) return written;  // it says what is left out, and no more
    throw Error(where + ": found the label \"" + excerpt(written) +
                "\", expected one of: " + joined(known));
  }

  std::string unique(const std::string& id, const std::string& where) {
    if (id.empty()) throw Error(where + ": column " + columns_->id + " is empty, expected an id");
    if (!ids_.insert(id).second)
      throw Error(where + ": found the id \"" + excerpt(id) +
                  "\" for the second time, expected each once");
    return id;
  }

  const OwnSource& source_;
  const Say& say_;
  const bool several_;
  ChoiceAnswers answers_;
  size_t choices_ = 0;                 // of most rows of the first file
  std::string separator_;              // of labels in a cell; empty: one
  std::optional<OwnColumns> columns_;  // of the first file
  std::string first_;
  std::unordered_set<std::string> ids_;
};

void take(std::vector<Row> rows, std::vector<LabelledExample>* out) {
  for (Row& row : rows) out->push_back(std::move(row.example));
}

// Labels that are numbers, most of which stand a few times alone, are scores: that all of them stood in training is
// no use there, and would leave little to measure on.
bool are_rare_numbers(const std::vector<Row>& rows) {
  constexpr size_t kMostClasses = 20, kOften = 10;
  std::unordered_set<std::string_view> labels;
  for (const Row& row : rows) {
    if (!is_number(row.example.label)) return false;
    labels.insert(row.example.label);
  }
  return labels.size() > kMostClasses && labels.size() * kOften > rows.size();
}

// Where a split is empty as nearly every row has a label of its own, that is what is wrong. Of numbers it is not: there
// are too few of them.
void check_repeated(const LabelledSplits& splits, const OwnSource& source) {
  constexpr size_t kLeast = 20;
  if (splits.train.size() < kLeast || (!splits.dev.empty() && !splits.test.empty())) return;
  size_t rows = 0;  // of the files that are split
  std::unordered_set<std::string_view> labels;
  for (const auto& [split, files] :
       {std::pair(&splits.train, &source.train), std::pair(&splits.dev, &source.dev),
        std::pair(&splits.test, &source.test)}) {
    if (split != &splits.train && !files->empty()) continue;
    rows += split->size();
    for (const LabelledExample& one : *split) labels.insert(one.label);
  }
  if (labels.size() * 2 <= rows || std::ranges::all_of(labels, is_number)) return;
  const std::vector<std::string_view> written(labels.begin(), labels.end());
  throw usage_error(
      source.train.front() + ": found " + std::to_string(labels.size()) + " different labels in " +
      std::to_string(rows) + " rows (\"" + excerpt(splits.train.front().label) +
      "\", …), expected labels that come again, or plain numbers as 35 and 1234.5 (minibert new " +
      (ways_of_scores(written) ? "reads these as numbers with --task regression)"
                               : "reads 85점 and 12,000 with --task regression)"));
}

bool has_fraction(std::string_view label) {
  const size_t point = label.find('.');
  return point != std::string_view::npos && label.find_last_not_of('0') > point;
}

// Labels that are the same whole number get the shortest name among them. Scores keep theirs.
void name_numbers_alike(const std::vector<std::vector<Row>*>& splits, const Say& say) {
  for (const auto* rows : splits)
    for (const Row& row : *rows)
      if (whole_number(row.example.label).empty()) return;
  std::map<std::string, std::set<std::string>> written;
  for (const auto* rows : splits)
    for (const Row& row : *rows)
      written[std::string(whole_number(row.example.label))].insert(row.example.label);
  std::map<std::string, std::string> names;
  std::vector<std::string> told;
  for (const auto& [number, labels] : written) {
    if (labels.size() < 2) continue;
    const std::string& name = *std::ranges::min_element(labels, {}, &std::string::size);
    for (const std::string& label : labels) names[label] = name;
    told.push_back(joined({labels.begin(), labels.end()}, " and "));
  }
  if (names.empty()) return;
  say("note: labels that are the same number are read as one: " + joined(told));
  for (auto* rows : splits)
    for (Row& row : *rows)
      if (const auto found = names.find(row.example.label); found != names.end())
        row.example.label = found->second;
}

bool are_fractions(const std::vector<LabelledExample>& examples) {
  bool any = false;
  for (const LabelledExample& one : examples) {
    if (!is_number(one.label)) return false;
    any = any || has_fraction(one.label);
  }
  return any;
}

// Labels that a model is asked for and has never seen. Scores and alternatives are none.
void tell_unseen(const LabelledSplits& splits, bool several, const Say& say) {
  constexpr size_t kShown = 10;
  if (splits.train.empty() || !splits.train.front().choices.empty() || are_fractions(splits.train))
    return;
  for (const auto& [name, split] :
       {std::pair("dev", &splits.dev), std::pair("test", &splits.test)}) {
    const UnseenLabels unseen = unseen_labels(splits, *split, several);
    std::set<std::string> quoted;
    for (const std::string& label : unseen.labels) quoted.insert(in_quotes(label));
    std::vector<std::string> shown(quoted.begin(), quoted.end());
    shown.resize(std::min(kShown, shown.size()));
    if (unseen.texts > 0)
      say("note: training lacks the labels " + joined(shown) +
          (quoted.size() > kShown ? ", …" : "") + " of " + std::to_string(unseen.texts) +
          " of the " + count_of(split->size(), "text", "texts") + " of " + name);
  }
}

// One label, or one set of labels, is no task; alternatives are numbered, and may well be right by their place, which
// is said of more than a few. In a file that is measured it is allowed and said: measures that tell labels apart mean
// nothing there.
void check_labels(const LabelledSplits& splits, const OwnSource& source, bool several,
                  const Say& say) {
  constexpr size_t kFewAnswers = 5;
  const auto& first = source.train.empty() ? splits.test : splits.train;
  const size_t least =
      source.train.empty() ? 2 : 1;  // one row that is measured has one label anyway
  if (first.size() < least) return;
  size_t rows = 0;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split) {
      if (one.label != first.front().label) return;
      ++rows;
    }
  const std::string label = excerpt(first.front().label);
  if (!first.front().choices.empty()) {
    if (rows > kFewAnswers)
      say("note: alternative " + label + " is the right one in all " + std::to_string(rows) +
          " rows: is this the column of answers?");
    return;
  }
  const std::string found = std::string(several ? "labels" : "label") + " \"" + label + "\"";
  if (source.train.empty())
    say("note: all " + std::to_string(first.size()) + " rows have the " + found +
        (several ? "" : ": only accuracy says something here"));
  else
    throw usage_error(source.train.front() + ": found the " + found + " in every row, expected " +
                      (several ? "rows that differ" : "at least two labels") +
                      ": there is nothing to tell apart");
}

}  // namespace

std::string described(const DataTable& table) {
  return table.path + ": " + table.format + " in " + table.encoding +
         (table.is_separated() ? table.header ? ", with a header" : ", without a header" : "") +
         ", " + count_of(table.rows.size(), "row", "rows");
}

UnseenLabels unseen_labels(const LabelledSplits& splits, const std::vector<LabelledExample>& split,
                           bool several) {
  const auto labels_of_one = [&](const LabelledExample& one) {
    return several ? labels_of(one.label) : std::vector<std::string>{one.label};
  };
  std::set<std::string> trained;
  for (const LabelledExample& one : splits.train)
    for (std::string& label : labels_of_one(one)) trained.insert(std::move(label));
  UnseenLabels out;
  for (const LabelledExample& one : split) {
    bool any = false;
    for (std::string& label : labels_of_one(one))
      if (!trained.contains(label)) any = true, out.labels.insert(std::move(label));
    out.texts += any ? 1 : 0;
  }
  return out;
}

LabelledSplits load_own_labelled(const OwnSource& source, const Say& say, bool several) {
  LabelledReader reader(source, say, several);
  std::vector<Row> train = reader.read(source.train, "train");
  std::vector<Row> dev = reader.read(source.dev, "dev"), test = reader.read(source.test, "test");
  const bool named = gives_names(source);
  const bool numbers = !several && !named && are_rare_numbers(train);
  if (!several && !numbers && !named) name_numbers_alike({&train, &dev, &test}, say);
  LabelledSplits splits;
  take(std::move(dev), &splits.dev);
  take(std::move(test), &splits.test);
  const std::vector<size_t> split_of = hold_out(
      train, source, [](const Row& row) { return row.group; },
      [&](const Row& row) {
        return numbers   ? std::vector<std::string>()
               : several ? labels_of(row.example.label)
                         : std::vector<std::string>{row.example.label};
      });
  std::vector<LabelledExample>* parts[] = {&splits.train, &splits.dev, &splits.test};
  for (size_t i = 0; i < train.size(); ++i)
    parts[split_of[i]]->push_back(std::move(train[i].example));
  if (!several && !numbers && !source.train.empty()) check_repeated(splits, source);
  check_filled(splits, source, "rows",
               reader.group().empty() ? "what is equal" : "what has the same " + reader.group());
  check_labels(splits, source, several, say);
  tell_leaks(
      splits, [](const LabelledExample& one) { return asked_in(one); }, say);
  if (!numbers) tell_unseen(splits, several, say);
  return splits;
}

}  // namespace minibert
