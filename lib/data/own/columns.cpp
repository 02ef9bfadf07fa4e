#include "data/own/columns.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "data/own/choice_cells.h"
#include "data/own/label_cells.h"
#include "data/own/own_splits.h"
#include "data/own/written_numbers.h"
#include "data/tables/times.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// So many rows tell what a column holds, from all over the file: it may be sorted.
constexpr size_t kLooked = 2000;

struct Kind {
  size_t looked = 0, filled = 0, distinct = 0;
  double mean_bytes = 0;
  bool numbers = true, flags = true, addresses = true, wordless = true;
  bool times = true;      // days or times of day
  bool scores = false;    // numbers, also with a unit, and marks for none
  bool measured = false;  // the same, of which none tells which
  size_t labels = 0;      // different ones, where cells hold several
};

// Of a page or of a person.
bool is_address(std::string_view cell) {
  const size_t at = cell.find('@');
  return cell.starts_with("http") ||
         (at != std::string_view::npos && at > 0 && cell.find('.', at + 2) < cell.size() - 1 &&
          cell.find('@', at + 1) == std::string_view::npos &&
          cell.find_first_of(" \t\n,;") == std::string_view::npos);
}

Kind kind_of(const DataTable& table, size_t column) {
  Kind kind;
  std::set<std::string_view> seen;
  std::vector<std::string_view> cells;
  bool digits = false;
  const size_t stride = std::max<size_t>(1, table.rows.size() / kLooked);
  for (size_t r = 0; r < table.rows.size(); r += stride) {
    const std::string_view cell = strip(table.rows[r].cells[column]);
    ++kind.looked;
    if (cell.empty()) continue;
    ++kind.filled;
    kind.mean_bytes += static_cast<double>(cell.size());
    kind.numbers = kind.numbers && is_number(cell);
    kind.flags = kind.flags && flag_of(cell);
    kind.addresses = kind.addresses && is_address(cell);
    kind.wordless = kind.wordless && is_wordless(cell);
    kind.times = kind.times && is_time(cell);
    digits = digits || cell.find_first_of("0123456789") != std::string_view::npos;
    seen.insert(cell);
    cells.push_back(cell);
  }
  kind.distinct = seen.size();
  kind.times = kind.times && digits;  // 오늘 and 어제 alone may be labels
  const std::optional<LabelNames> ways = ways_of_scores(cells);
  kind.scores = ways.has_value();
  kind.measured = ways && !kind.times && (ways->empty() || measures(ways->front().first));
  if (kind.filled > 0) kind.mean_bytes /= static_cast<double>(kind.filled);
  if (const std::string separator = label_separator_of(cells); !separator.empty()) {
    std::set<std::string> labels;
    for (const std::string_view cell : cells) try {
        for (std::string& label : labels_in_cell(cell, separator, ""))
          labels.insert(std::move(label));
      } catch (const Error&) {
        return kind;  // texts with commas
      }
    kind.labels = labels.size();
  }
  return kind;
}

// Few values, each of them short and often.
bool can_be_label(const Kind& kind) {
  constexpr size_t kMostLabels = 100;
  constexpr double kLongest = 60;
  const size_t labels = kind.labels > 0 ? kind.labels : kind.distinct;
  return kind.filled > 0 && !kind.times && labels >= 2 && labels <= kMostLabels &&
         labels * 2 <= kind.filled && kind.mean_bytes <= kLongest;
}

// Says yes and no: by two words, or by a mark in some cells and none in others.
bool can_be_flag(const Kind& kind) {
  return kind.filled > 0 && kind.flags && (kind.distinct > 1 || kind.filled < kind.looked);
}

bool can_be_text(const Kind& kind) {
  return kind.filled > 0 && !kind.numbers && !kind.scores && !kind.wordless && !kind.addresses &&
         kind.distinct * 2 > kind.filled;
}

size_t empty_cells(const DataTable& table, size_t column) {
  return static_cast<size_t>(std::ranges::count_if(
      table.rows, [&](const TableRow& row) { return strip(row.cells[column]).empty(); }));
}

// A column that begins with a value and lacks it in half of the rows or more, beside one that lacks none: what of that
// is told where no text or label is found. Empty: there is none.
std::string told_of_merged(const DataTable& table) {
  if (!table.is_separated()) return "";
  std::string merged;
  bool full = false;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const size_t empty = empty_cells(table, i), all = table.rows.size();
    full = full || empty == 0;
    if (!merged.empty() || empty * 2 < all || empty + 1 >= all || table.is_unnamed(i) ||
        strip(table.rows.front().cells[i]).empty() || can_be_flag(kind_of(table, i)))
      continue;
    merged = "; \"" + table.columns[i] + "\" is empty in " + std::to_string(empty) + " of " +
             std::to_string(all) + " rows" + kOfMergedCells;
  }
  return full ? merged : "";
}

// `taken`: what is known of the other columns; `numbers`: columns that regression could learn, were it wanted.
[[noreturn]] void ask(const DataTable& table, const std::string& key,
                      const std::vector<std::string>& found, const OwnColumns& taken,
                      LabelsAs wanted = LabelsAs::found,
                      const std::vector<std::string>& numbers = {}) {
  std::string ways, forms;
  if (key == "label" && found.size() > 1 && wanted != LabelsAs::scores)
    ways = ", or label='[\"NAME\", \"NAME\"]' for columns of yes and no";
  if (key == "text" && found.size() > 1 && taken.choices.empty())
    ways =
        ", and pair=NAME for a second text" +
        std::string(found.size() > 2 ? ", or choices='[\"NAME\", \"NAME\"]' for alternatives" : "");
  if (key == "text" && taken.choices.empty() && may_name_alternatives(table))
    forms =
        "; alternatives need a column each, as 보기1, 보기2, …, or lists in one (choices=NAME), "
        "or numbers in one, as ① … ② …";
  if (table.columns.size() == 1 && (table.format == "lines" || table.format == "CSV"))
    forms += "; each line was read as one cell (--column separator=comma, tab, … cuts it)";
  if (!numbers.empty())
    forms += "; minibert new --task regression learns numbers, as those of " + joined(numbers);
  if (taken.choices.empty()) forms += told_of_merged(table);
  throw usage_error(
      table.path + ": found " + (found.empty() ? "no column" : "the columns " + joined(found)) +
      " that could be the " + key + " among " + joined(table.columns) + ", expected the key \"" +
      key + "\" to name one (of a command: --column " + key + "=NAME" + ways + ")" + forms);
}

// The table's columns but these.
std::vector<std::string> others(const DataTable& table, const std::vector<std::string>& without) {
  std::vector<std::string> out;
  for (const std::string& name : table.columns)
    if (std::ranges::find(without, name) == without.end()) out.push_back(name);
  return out;
}

bool has_name_of(const std::vector<std::string_view>& usual, const std::string& column) {
  return !usual_among(usual, {column}).empty();
}

bool is_title(const std::string& column) { return has_name_of(usual_title_columns(), column); }

// Whether a column says in which split or fold a row is, by its name and its cells.
bool says_split(const DataTable& table, size_t column) {
  static constexpr std::string_view kSplits[] = {"train", "training",   "dev",  "val",
                                                 "valid", "validation", "test", "eval"};
  if (!is_called(table.columns[column], usual_split_columns())) return false;
  bool any = false;
  for (const TableRow& row : table.rows) {
    const std::string cell = plain_name(strip(row.cells[column]));
    if (cell.empty()) continue;
    any = true;
    if (std::ranges::find(kSplits, cell) == std::end(kSplits) && whole_number(cell).empty())
      return false;
  }
  return any;
}

// Whether any of the taken columns is this one, or it says who, when or which.
bool is_spoken_for(const OwnColumns& taken, const std::string& name) {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  return among({taken.label, taken.pair, taken.group, taken.id}) || among(taken.text) ||
         among(taken.choices) || among(taken.flags) || is_of_no_example(name);
}

// So few groups cannot be held out as they are.
constexpr size_t kLeastGroups = 10;

size_t different_values(const DataTable& table, const std::string& name) {
  const size_t column = table.column(name);
  std::set<std::string_view> values;
  for (const TableRow& row : table.rows) values.insert(strip(row.cells[column]));
  return values.size();
}

// A title stands for its text only where there is none: asks which is meant where longer texts stand beside it.
void check_title(const DataTable& table, const OwnColumns& taken) {
  if (!taken.choices.empty() || taken.text.size() != 1 || !is_title(taken.text.front())) return;
  const double title = kind_of(table, table.column(taken.text.front())).mean_bytes;
  std::vector<std::string> texts = taken.text;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (!is_spoken_for(taken, table.columns[i]))
      if (const Kind kind = kind_of(table, i); can_be_text(kind) && kind.mean_bytes > title)
        texts.push_back(table.columns[i]);
  if (texts.size() > 1) ask(table, "text", texts, taken);
}

// What alternatives belong to: a context, premise or text, and a question, be it before them in their cell.
std::vector<std::string> asked_in(const DataTable& table, const std::vector<std::string>& choices) {
  const bool too = ask_too(table, choices);
  const std::vector<std::string> columns = too ? table.columns : others(table, choices);
  std::vector<std::string> out;
  for (const auto& usual : {usual_context_columns(), usual_first_columns(), usual_text_columns(),
                            usual_asked_columns()})
    if (const std::string name = usual_among(usual, columns);
        !name.empty() && std::ranges::find(out, name) == out.end())
      out.push_back(name);
  if (too && std::ranges::find(out, choices.front()) == out.end()) out.push_back(choices.front());
  return out;
}

// The column of alternatives that answers tell, unless another label or text is given.
std::vector<std::string> answered_in(const DataTable& table, const OwnColumns& given) {
  if (!given.pair.empty() || !given.flags.empty() || !given.question.empty()) return {};
  if (!given.label.empty() && !has_name_of(usual_right_columns(), given.label)) return {};
  std::vector<std::string> out = answered_column(table);
  if (out.empty() || given.text.empty()) return out;
  const bool named = std::ranges::find(given.text, out.front()) != given.text.end();
  return named == ask_too(table, out) ? out : std::vector<std::string>();
}

// The columns of two texts by their usual names, or by names that say something as a pair alone; else empty.
std::pair<std::string, std::string> pair_in(const DataTable& table, const OwnColumns& given) {
  std::pair<std::string, std::string> out = {usual_among(usual_first_columns(), table.columns),
                                             usual_among(usual_second_columns(), table.columns)};
  if (!out.first.empty() && !out.second.empty()) return out;
  const auto text_called = [&](std::string_view wanted) -> std::string {
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (const std::string& name = table.columns[i]; plain_name(name) == wanted &&
                                                      !is_spoken_for(given, name) &&
                                                      can_be_text(kind_of(table, i)))
        return name;
    return "";
  };
  for (const auto& [first, second] : usual_pair_columns()) {
    out = {text_called(first), text_called(second)};
    // Q and A may be letters among those of alternatives.
    if (!out.first.empty() && !out.second.empty() && given.choices.empty() &&
        choice_columns(table).empty())
      return out;
  }
  return {};
}

// The text by its name. A column of numbers that is called so, as 내용 of a rubric, is none where another has words.
std::string text_called_so(const DataTable& table, const OwnColumns& taken) {
  const std::string name = usual_among(usual_text_columns(), table.columns);
  if (name.empty() || !kind_of(table, table.column(name)).numbers) return name;
  std::vector<std::string> texts;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (!is_spoken_for(taken, table.columns[i]) && can_be_text(kind_of(table, i)))
      texts.push_back(table.columns[i]);
  return texts.empty() ? name : usual_among(usual_text_columns(), texts);
}

// "1", "2", "3", …: a column that counts the rows says nothing of them.
bool counts_rows(const DataTable& table, size_t column) {
  std::optional<int64_t> before;
  for (const TableRow& row : table.rows) {
    const std::string_view digits = whole_number(strip(row.cells[column]));
    int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || (before && number != *before + 1)) return false;
    before = number;
  }
  return true;
}

// Whether any cell of a column says a number, be it in stars.
bool says_numbers(const DataTable& table, size_t column) {
  return std::ranges::any_of(table.rows, [&](const TableRow& row) {
    const std::string& cell = row.cells[column];
    return cell.find_first_of("0123456789") != std::string::npos || has_star(cell);
  });
}

// The columns of numbers that could be what is learnt, where numbers are: the only one whose numbers come again, as
// those of labels do, else all.
std::vector<std::string> number_columns(const DataTable& table, const OwnColumns& taken) {
  std::vector<std::string> all, again;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i];
    if (is_spoken_for(taken, name) || says_split(table, i) || counts_rows(table, i)) continue;
    const Kind kind = kind_of(table, i);
    if (!kind.measured || kind.distinct < 2 || kind.filled * 2 <= kind.looked) continue;
    all.push_back(name);
    if (can_be_label(kind)) again.push_back(name);
  }
  return again.size() == 1 ? again : all;
}

// Beside a text that half of the rows or more lack: a column of words as long that none lacks; empty: there is none.
std::string fuller_text(const DataTable& table, const std::string& text) {
  const size_t column = table.column(text);
  if (empty_cells(table, column) * 2 < table.rows.size()) return "";
  const double length = kind_of(table, column).mean_bytes;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (i == column || is_of_no_example(table.columns[i]) || empty_cells(table, i) > 0) continue;
    const Kind kind = kind_of(table, i);
    const bool words = !kind.numbers && !kind.scores && !kind.wordless && !kind.addresses;
    if (words && !kind.flags && kind.mean_bytes >= length) return table.columns[i];
  }
  return "";
}

// Whether a label says of answers beside their question and context that they are right or not: then none is to be found.
bool judges_answers(const DataTable& table) {
  const auto label = std::ranges::find_if(
      table.columns, [](const std::string& name) { return is_called(name, sure_label_columns()); });
  return label != table.columns.end() && can_be_flag(kind_of(table, table.column(*label))) &&
         !usual_among(usual_question_columns(), table.columns).empty() &&
         !usual_among(usual_context_columns(), table.columns).empty() &&
         !usual_among(usual_answer_columns(), table.columns).empty();
}

// Whether nobody says what is what, so that names and cells alone decide.
bool says_nothing(const OwnColumns& given) {
  return given.text.empty() && given.pair.empty() && given.choices.empty() && given.label.empty() &&
         given.flags.empty() && given.question.empty();
}

}  // namespace

bool has_questions(const DataTable& table, const OwnColumns& given) {
  const auto known = [&](const std::string& name, const std::vector<std::string_view>& usual) {
    return !name.empty() || !usual_among(usual, table.columns).empty();
  };
  if (given.question.empty() && given.answer.empty() && judges_answers(table)) return false;
  return known(given.question, usual_question_columns()) &&
         known(given.context, usual_context_columns()) &&
         known(given.answer, usual_answer_columns());
}

OwnColumns find_columns(const DataTable& table, const OwnColumns& given, LabelsAs wanted) {
  // Beside an answer a column of alternatives is neither a text nor left unread.
  if (says_nothing(given) && !usual_among(usual_right_columns(), table.columns).empty())
    refuse_joined_alternatives(table);
  OwnColumns out = given;
  const auto fill = [&](std::string& name, const std::vector<std::string_view>& usual) {
    if (name.empty()) name = usual_among(usual, table.columns);
  };
  if (!given.question.empty() ||
      (given.text.empty() && given.choices.empty() && choice_columns(table).empty() &&
       has_questions(table, given) && answered_in(table, given).empty())) {
    fill(out.question, usual_question_columns());
    fill(out.context, usual_context_columns());
    fill(out.answer, usual_answer_columns());
    return out;
  }
  if (says_nothing(given) && choice_columns(table).empty() && judges_answers(table)) {
    out.text = {usual_among(usual_context_columns(), table.columns),
                usual_among(usual_question_columns(), table.columns)};
    out.pair = usual_among(usual_answer_columns(), table.columns);
  }
  if (out.text.empty() && out.pair.empty())
    if (const auto [first, second] = pair_in(table, given); !first.empty())
      out.text = {first}, out.pair = second;
  if (out.choices.empty() && out.pair.empty()) out.choices = choice_columns(table);
  if (out.choices.empty() && out.pair.empty()) out.choices = answered_in(table, given);
  if (!out.choices.empty()) {
    // Beside an answer a score says what it is worth, and a category what it is about.
    if (out.label.empty())
      out.label = usual_among(usual_right_columns(), others(table, out.choices));
    if (out.text.empty()) out.text = asked_in(table, out.choices);
  }
  if (out.text.empty())
    if (const std::string name = text_called_so(table, out); !name.empty()) out.text = {name};
  if (!out.choices.empty() && out.label.empty())
    out.label = usual_among(usual_label_columns(), others(table, out.choices));
  if (out.flags.empty()) fill(out.label, usual_label_columns());
  if (out.group.empty())
    if (const std::string name = usual_among(usual_group_columns(), table.columns);
        !name.empty() && different_values(table, name) >= kLeastGroups)
      out.group = name;
  const bool settled = !given.label.empty() || !given.flags.empty() || !out.choices.empty();
  if (wanted == LabelsAs::scores && !settled &&
      (out.label.empty() || !says_numbers(table, table.column(out.label)))) {
    // A column that is called as labels are and holds no number is not what is meant.
    const std::vector<std::string> numbers = number_columns(table, out);
    if (numbers.size() > 1 && out.label.empty()) ask(table, "label", numbers, out, wanted);
    if (numbers.size() == 1) out.label = numbers.front();
  }
  const bool labelled = !out.label.empty() || !out.flags.empty();
  if (!out.text.empty() && labelled) {
    if (given.text.empty()) check_title(table, out);
    return out;
  }

  std::vector<std::string> labels, texts, flags;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i];
    if (is_spoken_for(out, name) || says_split(table, i)) continue;
    const Kind kind = kind_of(table, i);
    if (can_be_flag(kind)) flags.push_back(name);
    if (can_be_label(kind))
      labels.push_back(name);
    else if (can_be_text(kind))
      texts.push_back(name);
  }
  if (out.text.empty()) {
    if (texts.size() != 1) ask(table, "text", texts, out);
    out.text = texts;
  }
  if (!labelled) {
    const bool all_flags = std::ranges::all_of(labels, [&](const std::string& name) {
      return std::ranges::find(flags, name) != flags.end();
    });
    if (flags.size() > 1 && all_flags) {
      out.flags = flags;
      return out;
    }
    if (labels.size() != 1)
      ask(table, "label", labels, out, wanted,
          wanted == LabelsAs::scores ? std::vector<std::string>() : number_columns(table, out));
    out.label = labels.front();
  }
  if (given.text.empty()) check_title(table, out);
  return out;
}

std::vector<std::string> doubts(const DataTable& table, const OwnColumns& given,
                                const OwnColumns& taken) {
  std::vector<std::string> out;
  const auto tell = [&](const std::string& key, const std::string& name,
                        std::vector<std::string> others) {
    constexpr size_t kShown = 5;
    if (others.empty()) return;
    const std::string first = others.front();
    const bool more = others.size() > kShown;
    others.resize(std::min(kShown, others.size()));
    out.push_back("note: \"" + name + "\" is taken for the " + key + " by its name; " +
                  joined(others) + (more ? ", …" : "") + " could be it, too (--column " + key +
                  "=" + (first.find(' ') == std::string::npos ? first : "'" + first + "'") + ")");
  };
  const bool found = given.label.empty() && given.flags.empty() && !taken.label.empty();
  const bool plain = taken.choices.empty() && taken.question.empty();
  if (found && plain && has_name_of(usual_label_columns(), taken.label)) {
    const bool sure = has_name_of(sure_label_columns(), taken.label);
    const std::vector<std::string_view>& usual_names = usual_label_columns();
    std::vector<std::string> labels;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& name = table.columns[i];
      if (is_spoken_for(taken, name) || table.is_unnamed(i) || says_split(table, i)) continue;
      const Kind kind = kind_of(table, i);
      // Beside a column that is called the label only one that is called so alone is worth a word.
      const bool usual = sure ? is_called(name, usual_names) : has_name_of(usual_names, name);
      if ((usual || !sure) && (can_be_label(kind) || (usual && kind.filled > 0 && kind.numbers)))
        labels.push_back(name);
    }
    tell("label", taken.label, labels);
  }
  if (found && !taken.choices.empty()) {
    std::vector<std::string> answers;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& name = table.columns[i];
      if (is_spoken_for(taken, name) || table.rows.front().cells[i].starts_with('[') ||
          (!has_name_of(usual_right_columns(), name) && !has_name_of(usual_label_columns(), name)))
        continue;
      if (const Kind kind = kind_of(table, i);
          can_be_label(kind) || (kind.filled > 0 && kind.numbers))
        answers.push_back(name);
    }
    tell("label", taken.label, answers);
  }
  if (given.text.empty() && plain && taken.pair.empty() && taken.text.size() == 1 &&
      has_name_of(usual_text_columns(), taken.text.front())) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (const std::string& name = table.columns[i];
          !is_spoken_for(taken, name) && !is_title(name) &&
          has_name_of(usual_text_columns(), name) && can_be_text(kind_of(table, i)))
        texts.push_back(name);
    tell("text", taken.text.front(), texts);
  }
  if (given.text.empty() && plain && taken.pair.empty() && taken.text.size() == 1) {
    const std::string& text = taken.text.front();
    if (const std::string name = fuller_text(table, text); !name.empty())
      out.push_back("note: \"" + text + "\" is taken for the text and is empty in " +
                    std::to_string(empty_cells(table, table.column(text))) + " of " +
                    std::to_string(table.rows.size()) + " rows, and \"" + name +
                    "\" in none (--column text=" +
                    (name.find(' ') == std::string::npos ? name : "'" + name + "'") + ")");
  }
  if (const std::string group = usual_among(usual_group_columns(), table.columns);
      (found || given.text.empty()) && !group.empty() && taken.group.empty() && plain &&
      group != taken.label)
    out.push_back("note: \"" + group + "\" has too few different values to keep them together (" +
                  std::to_string(different_values(table, group)) +
                  "), and is not taken for the group");
  return out;
}

std::vector<std::string> unread(const DataTable& table, const OwnColumns& given,
                                const OwnColumns& taken) {
  std::vector<std::string> out, texts;
  if (!taken.question.empty() || table.format == "folders") return out;
  const bool chosen = !taken.choices.empty();
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i];
    if (is_spoken_for(taken, name)) continue;
    if (says_split(table, i)) {
      std::map<std::string, size_t> rows;
      for (const TableRow& row : table.rows) ++rows[std::string(strip(row.cells[i]))];
      std::vector<std::string> counts;
      for (const auto& [value, count] : rows)
        counts.push_back((value.empty() ? "none" : value) + " " + std::to_string(count));
      constexpr size_t kMostValues = 10;
      const bool longer = counts.size() > kMostValues;
      counts.resize(std::min(kMostValues, counts.size()));
      out.push_back("note: \"" + name + "\" (" + joined(counts) + (longer ? ", …" : "") +
                    ") is not read: a row goes to the split whose file it stands in (--dev FILE, "
                    "--test FILE), else one is held out");
      continue;
    }
    // doubts() tells what could be the text by its name.
    const bool told = !chosen && given.text.empty() && has_name_of(usual_text_columns(), name);
    if (taken.pair.empty() && !told && !is_title(name) && can_be_text(kind_of(table, i)))
      texts.push_back(name);
  }
  constexpr size_t kMostTexts = 5;
  const bool more = texts.size() > kMostTexts;
  texts.resize(std::min(kMostTexts, texts.size()));
  if (!texts.empty())
    out.push_back(
        "note: not read: " + joined(texts) + (more ? ", …" : "") +
        (chosen ? "; a list" : "; --column pair=NAME makes one a second text, and a list") +
        " under \"text\" joins several");
  return out;
}

OwnColumns find_alternatives(const DataTable& table, const OwnColumns& given) {
  OwnColumns out = given;
  if (out.choices.empty()) out.choices = choice_columns(table);
  if (out.choices.empty()) refuse_joined_alternatives(table);
  if (out.choices.empty()) return {};
  if (out.text.empty()) out.text = asked_in(table, out.choices);
  if (out.text.empty()) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (std::ranges::find(out.choices, table.columns[i]) == out.choices.end() &&
          can_be_text(kind_of(table, i)))
        texts.push_back(table.columns[i]);
    if (texts.size() != 1) ask(table, "text", texts, out);
    out.text = texts;
  }
  return out;
}

std::string only_text_column(const DataTable& table) {
  if (table.columns.size() == 1) return table.columns.front();
  std::string found;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (!can_be_text(kind_of(table, i))) continue;
    if (!found.empty()) return "";
    found = table.columns[i];
  }
  return found;
}

std::string described(const OwnColumns& columns) {
  std::vector<std::string> words;
  const auto add = [&](const char* key, const std::string& name) {
    if (!name.empty()) words.push_back(std::string(key) + " \"" + name + "\"");
  };
  add("text", joined(columns.text, " "));
  add("pair", columns.pair);
  add("choices", joined(columns.choices, " "));
  if (!columns.flags.empty())
    words.push_back("labels " + count_of(columns.flags.size(), "column", "columns") +
                    " of yes and no");
  add("question", columns.question);
  add("context", columns.context);
  add("answer", columns.answer);
  add("label", columns.label);
  add("group", columns.group);
  return joined(words);
}

}  // namespace minibert
