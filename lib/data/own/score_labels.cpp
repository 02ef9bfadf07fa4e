#include "data/own/score_labels.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/shell_quote.h"
#include "data/own/label_cells.h"
#include "data/own/written_numbers.h"
#include "data/tables/usual_columns.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

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

// The same as refuse_as_numbers() before the rows are shared out, which they cannot be by labels that all differ.
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

}  // namespace

std::string on_one_line(std::string label) {
  std::ranges::replace(label, '\n', ' ');
  std::ranges::replace(label, '\r', ' ');
  return label;
}

std::string quoted_label(const std::string& label) {
  return "\"" + excerpt(on_one_line(label)) + "\"";
}

bool tell_numbers(const LabelledSplits& splits, const std::map<std::string, size_t>& labels,
                  const Say& say) {
  constexpr size_t kRarer = 10;
  std::vector<std::string_view> cells;
  for (const auto& [label, count] : labels) cells.push_back(label);
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

void refuse_as_numbers(const LabelledSplits& splits) {
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

}  // namespace minibert
