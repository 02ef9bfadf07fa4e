#include "data/files/labelled_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/excerpt.h"
#include "core/text.h"
#include "data/files/columns.h"
#include "score/label_set.h"
#include "text/composed.h"

namespace minibert {
namespace {

constexpr std::pair<std::string_view, char> kBetween[] = {{"comma", ','}, {"semicolon", ';'},
                                                          {"bar", '|'},   {"slash", '/'},
                                                          {"space", ' '}, {"hash", '#'}};

// The strings and numbers of a JSON list.
std::vector<std::string> items_of(const std::string& cell, const std::string& where) {
  const nlohmann::json list = nlohmann::json::parse(cell, nullptr, false);
  const auto is_item = [](const nlohmann::json& one) { return one.is_string() || one.is_number(); };
  if (!list.is_array() || !std::ranges::all_of(list, is_item))
    throw Error(where + ": found \"" + excerpt(cell) +
                "\", expected a JSON list, as [\"기쁨\", \"행복\"]");
  std::vector<std::string> out;
  for (const nlohmann::json& one : list)
    out.push_back(one.is_string() ? std::string(trimmed(one.get<std::string>())) : one.dump());
  return out;
}

// An empty part says nothing: "기쁨;슬픔;", "#기쁨 #슬픔".
std::vector<std::string> parts_of(std::string_view cell, char between) {
  std::vector<std::string> out;
  while (!cell.empty()) {
    const size_t end = std::min(cell.find(between), cell.size());
    if (const std::string_view part = trimmed(cell.substr(0, end)); !part.empty())
      out.emplace_back(part);
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
  return out;
}

class RowReader {
 public:
  RowReader(const FileTable& table, const TableLayout& layout) : table_(table), layout_(layout) {
    text_ = all(layout.text), choices_ = all(layout.choices), flags_ = all(layout.label_columns);
    pair_ = one(layout.pair), group_ = one(layout.group), label_ = one(layout.label);
  }

  // Nothing: a cell is empty, or "labels" leaves the row out.
  std::optional<LabelledRow> read(const TableRow& row) {
    where_ = table_.where(row);
    row_ = &row;
    empty_ = false;
    LabelledRow out;
    LabelledExample& example = out.example;
    for (const size_t column : text_)
      example.text += (example.text.empty() ? "" : " ") + cell(column);
    if (pair_) example.pair = cell(*pair_);
    std::vector<std::string> choices;
    for (const size_t column : choices_) choices.push_back(cell(column));
    const std::string written(label_ ? trimmed(composed(cell(*label_))) : "");
    if (empty_) return std::nullopt;
    if (!choices.empty()) example.choices = choices_of_row(choices);
    std::vector<std::string> labels = labels_in(written);
    for (std::string& label : labels) label = name_of(label);
    if (!layout_.several() && labels.front().empty()) return std::nullopt;
    std::erase(labels, "");
    example.label = layout_.several() ? as_label_set(std::move(labels)) : labels.front();
    if (layout_.first_choice) example.label = choice_of(example);
    if (group_) out.group = std::string(trimmed(row.cells[*group_]));
    example.where = where_;
    return out;
  }

 private:
  std::optional<size_t> one(const std::string& name) const {
    return name.empty() ? std::optional<size_t>() : std::optional(table_.column(name));
  }
  std::vector<size_t> all(const std::vector<std::string>& names) const {
    std::vector<size_t> out;
    for (const std::string& name : names) out.push_back(table_.column(name));
    return out;
  }

  std::string cell(size_t column) {
    std::string text(trimmed(row_->cells[column]));
    if (text.empty() && !layout_.skip_empty)
      throw Error(where_ + ": column " + excerpt(table_.columns[column]) +
                  " is empty, expected text");
    empty_ = empty_ || text.empty();
    return text;
  }

  std::vector<std::string> choices_of_row(const std::vector<std::string>& cells) {
    std::vector<std::string> out = choices_in(cells, where_);
    if (count_ == 0) count_ = out.size();
    if (out.size() != count_)
      throw Error(where_ + ": found " + count_of(out.size(), "choice", "choices") + ", expected " +
                  std::to_string(count_) + ", as in the first row");
    return out;
  }

  std::vector<std::string> labels_in(const std::string& written) const {
    if (!label_) return flagged();
    if (layout_.label_separator.empty()) return {written};
    const auto* between = std::ranges::find(kBetween, layout_.label_separator,
                                            &std::pair<std::string_view, char>::first);
    const std::vector<std::string> labels = between == std::end(kBetween)
                                                ? items_of(written, where_)
                                                : parts_of(written, between->second);
    for (const std::string& label : labels)
      if (label.empty() || label.find(kBetweenLabels) != std::string::npos)
        throw Error(where_ + ": found the labels \"" + excerpt(written) + "\", expected labels " +
                    (label.empty() ? "that are not empty" : "without |"));
    return labels;
  }

  // Returns the labels whose columns have a 1.
  std::vector<std::string> flagged() const {
    std::vector<std::string> out;
    for (const size_t column : flags_) {
      const std::string_view cell = trimmed(row_->cells[column]);
      const bool yes = cell == "1" || cell == "true" || cell == "True";
      if (!yes && cell != "0" && cell != "false" && cell != "False")
        throw Error(where_ + ": column " + excerpt(table_.columns[column]) + ": found \"" +
                    excerpt(cell) + "\", expected 0 or 1");
      if (yes) out.push_back(table_.columns[column]);
    }
    return out;
  }

  // A written label takes precedence over a name that is spelled alike.
  std::string name_of(const std::string& written) const {
    const std::vector<TableLabel>& labels = layout_.labels;
    if (const auto found = std::ranges::find(labels, written, &TableLabel::written);
        found != labels.end())
      return found->name;
    std::vector<std::string> known;
    bool names = false;
    for (const TableLabel& label : labels) {
      if (!label.name.empty() && label.name == written) return written;
      known.push_back(label.written);
      names = names || !label.name.empty();
    }
    if (!names) return written;  // the names only leave rows out
    throw Error(where_ + ": found the label \"" + excerpt(written) +
                "\", expected one of: " + joined(known));
  }

  std::string choice_of(const LabelledExample& example) const {
    const std::string& written = example.label;
    int number = 0;
    const auto [end, error] =
        std::from_chars(written.data(), written.data() + written.size(), number);
    const int place = number - *layout_.first_choice;
    const int count = static_cast<int>(example.choices.size());
    if (error != std::errc() || end != written.data() + written.size() || place < 0 ||
        place >= count)
      throw Error(where_ + ": found the answer \"" + excerpt(written) +
                  "\", expected a number from " + std::to_string(*layout_.first_choice) + " to " +
                  std::to_string(*layout_.first_choice + count - 1) + " (first_choice)");
    return std::to_string(place + 1);
  }

  const FileTable& table_;
  const TableLayout& layout_;
  std::vector<size_t> text_, choices_, flags_;
  std::optional<size_t> pair_, group_, label_;
  size_t count_ = 0;  // choices of the first row
  // of the present row
  const TableRow* row_ = nullptr;
  std::string where_;
  bool empty_ = false;
};

// Training needs options that the source may lack.
void check_required_keys(const FileTable& table, const TableLayout& layout, LabelUse use) {
  if (!layout.choices.empty() && !layout.first_choice && layout.labels.empty())
    throw usage_error(
        table.path +
        ": found choices without \"first_choice\", expected 0 or 1, the number of the "
        "first choice in " +
        layout.label + ": --column first_choice=0");
  if (use == LabelUse::sets && !layout.several())
    throw usage_error(table.path + ": found one label a text, expected \"label_separator\" (" +
                      joined(kLabelSeparators, ", ") +
                      ") or a list of columns of 0 and 1 under \"label\"");
}

std::vector<LabelledRow> read_split(const std::vector<std::string>& paths, const char* split,
                                    const FileSource& source, LabelUse use, const Say& say) {
  std::vector<LabelledRow> out;
  for (const std::string& path : paths) {
    const FileTable table = read_table(path, {.separator = source.table.separator});
    const TableLayout layout = find_columns(table, source.table);
    check_required_keys(table, layout, use);
    say(table.described() + ": " + described(layout));
    add_labelled_rows(table, layout, split, say, &out);
  }
  return out;
}

// One label, or one set of labels, is no task. Answers may well be right by their place.
void check_different(const LabelledSplits& splits, const FileSource& source) {
  if (source.train.empty() || splits.train.empty() || !splits.train.front().choices.empty()) return;
  const std::string& label = splits.train.front().label;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    if (!std::ranges::all_of(*split, [&](const auto& one) { return one.label == label; })) return;
  throw usage_error(source.train.front() + ": found the label \"" + excerpt(label) +
                    "\" in every row, expected at least two labels");
}

// Reports how many texts have different labels in different rows, of any split.
void report_other_labels(const LabelledSplits& splits, const Say& say) {
  std::map<std::string, std::string> label_of;
  std::set<std::string> several;
  std::string first;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split) {
      if (!one.choices.empty()) return;  // a question may come again with other alternatives
      const std::string asked = asked_in(one);
      if (label_of.try_emplace(asked, one.label).first->second == one.label) continue;
      if (several.empty()) first = place_of(one);
      several.insert(asked);
    }
  if (!several.empty())
    say("note: " + count_of(several.size(), "text has", "texts have") +
        " different labels in different rows (the first is " + first + ")");
}

std::vector<std::string> names_of(const LabelledExample& example, LabelUse use) {
  if (use == LabelUse::numbers) return {};
  return use == LabelUse::sets ? labels_of(example.label) : std::vector{example.label};
}

void take(std::vector<LabelledRow> rows, std::vector<LabelledExample>* out) {
  for (LabelledRow& row : rows) out->push_back(std::move(row.example));
}

}  // namespace

std::vector<std::string> choices_in(const std::vector<std::string>& cells,
                                    const std::string& where) {
  return cells.size() == 1 ? items_of(cells.front(), where) : cells;
}

void add_labelled_rows(const FileTable& table, const TableLayout& layout, const std::string& split,
                       const Say& say, std::vector<LabelledRow>* out) {
  RowReader reader(table, layout);
  size_t left_out = 0;
  std::string first;
  for (const TableRow& row : table.rows) {
    std::optional<LabelledRow> read = reader.read(row);
    if (!read) {
      if (left_out++ == 0) first = table.where(row);
      continue;
    }
    read->example.id = split + "-" + std::to_string(out->size() + 1);
    out->push_back(std::move(*read));
  }
  if (left_out > 0)
    say(table.path + ": " + count_of(left_out, "row", "rows") +
        " without a text or label: left out (the first is " + first + ")");
}

LabelledSplits read_labelled_files(const FileSource& source, LabelUse use, const Say& say) {
  if (source.table.several()) use = LabelUse::sets;
  std::vector<LabelledRow> train = read_split(source.train, "train", source, use, say);
  LabelledSplits splits;
  take(read_split(source.dev, "dev", source, use, say), &splits.dev);
  take(read_split(source.test, "test", source, use, say), &splits.test);
  const std::vector<size_t> split_of = hold_out(
      train, source,
      [](const LabelledRow& row) { return row.group.empty() ? row.example.text : row.group; },
      [&](const LabelledRow& row) { return names_of(row.example, use); });
  std::vector<LabelledExample>* parts[] = {&splits.train, &splits.dev, &splits.test};
  for (size_t i = 0; i < train.size(); ++i)
    parts[split_of[i]]->push_back(std::move(train[i].example));
  check_different(splits, source);
  check_filled(splits, source, "rows", "what has one group, else what is equal,");
  report_leaks(splits, asked_in, say);
  report_other_labels(splits, say);
  return splits;
}

}  // namespace minibert
