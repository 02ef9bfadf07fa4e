#include "data/own/own_labelled.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/excerpt.h"
#include "core/text.h"
#include "data/own/columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

struct Row {
  LabelledExample example;
  std::string group;
};

class LabelledReader {
 public:
  LabelledReader(const OwnSource& source, const Say& say) : source_(source), say_(say) {}

  std::vector<Row> read(const std::vector<std::string>& paths, const std::string& split) {
    std::vector<Row> out;
    for (const std::string& path : paths) read_file(path, split, &out);
    return out;
  }

 private:
  void read_file(const std::string& path, const std::string& split, std::vector<Row>* out) {
    const DataTable table = read_table(path, source_.table_options());
    say_(described(table));
    for (const std::string& note : table.notes) say_(path + ": " + note);
    if (!columns_) {
      columns_ = find_columns(table, source_.columns);
      if (columns_->text.empty() || columns_->label.empty())
        throw usage_error(path + ": found questions, expected a text and a label a row");
      say_(path + ": " + described(*columns_));
    }
    const auto all = [&](const std::vector<std::string>& names) {
      std::vector<size_t> found;
      for (const std::string& name : names) found.push_back(table.column(name));
      return found;
    };
    const auto one = [&](const std::string& name) {
      return name.empty() ? std::optional<size_t>() : std::optional(table.column(name));
    };
    const std::vector<size_t> text = all(columns_->text), choices = all(columns_->choices);
    const std::optional<size_t> pair = one(columns_->pair), group = one(columns_->group),
                                id = one(columns_->id);
    const size_t label = table.column(columns_->label);
    size_t skipped = 0;
    std::string first_skipped;
    for (const TableRow& row : table.rows) {
      bool whole = true;
      const auto cell = [&](size_t column) {
        const std::string_view bare = strip(row.cells[column]);
        whole = whole && !bare.empty();
        return std::string(bare);
      };
      Row read;
      LabelledExample& example = read.example;
      for (const size_t column : text)
        example.text += (example.text.empty() ? "" : " ") + cell(column);
      if (pair) example.pair = cell(*pair);
      for (const size_t column : choices) example.choices.push_back(cell(column));
      example.label = unlisted(cell(label));
      if (!whole) {
        if (skipped++ == 0) first_skipped = table.where(row);
        continue;
      }
      example.where = table.where(row);
      example.label = name_of(example.label, example.where);
      if (group) read.group = std::string(strip(row.cells[*group]));
      if (read.group.empty()) read.group = example.text;
      example.id =
          id ? unique(cell(*id), example.where) : split + "-" + std::to_string(out->size() + 1);
      out->push_back(std::move(read));
    }
    if (skipped > 0)
      say_(path + ": " + std::to_string(skipped) +
           " rows have an empty text or label: left out (the first is " + first_skipped + ")");
  }

  // A list of one label, as doccano writes it, is that label.
  static std::string unlisted(const std::string& label) {
    if (!label.starts_with("[\"") || !label.ends_with("\"]")) return label;
    const auto list = nlohmann::json::parse(label, nullptr, false);
    return list.is_array() && list.size() == 1 ? list[0].get<std::string>() : label;
  }

  std::string name_of(const std::string& written, const std::string& where) const {
    if (source_.labels.empty()) return written;
    std::vector<std::string> known;
    for (const auto& [from, name] : source_.labels) {
      if (from == written || name == written) return name;
      known.push_back(from);
    }
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
  std::optional<OwnColumns> columns_;
  std::unordered_set<std::string> ids_;
};

// Several labels a text, which classification has not: a list, or labels with a separator, whose parts
// are fewer than their combinations.
void refuse_several_labels(const std::vector<Row>& rows) {
  for (const char separator : {',', ';', '|'}) {
    std::unordered_set<std::string> values, parts;
    const Row* first = nullptr;
    size_t several = 0;
    for (const Row& row : rows) {
      std::string_view label = row.example.label;
      if (!values.insert(row.example.label).second) continue;
      if (label.starts_with('[') && label.ends_with(']'))
        label = label.substr(1, std::max<size_t>(label.size(), 2) - 2);
      if (label.find(separator) != std::string_view::npos) {
        if (first == nullptr) first = &row;
        ++several;
      }
      while (!label.empty()) {
        const size_t end = std::min(label.find(separator), label.size());
        parts.emplace(strip(label.substr(0, end)));
        label.remove_prefix(std::min(end + 1, label.size()));
      }
    }
    if (several > 1 && parts.size() < values.size())
      throw usage_error(first->example.where + ": found the labels \"" +
                        excerpt(first->example.label) +
                        "\" in one cell, expected one label a text; of texts with several labels "
                        "each label is learnt by itself: a column of it with yes or no");
  }
}

void take(std::vector<Row> rows, std::vector<LabelledExample>* out) {
  for (Row& row : rows) out->push_back(std::move(row.example));
}

void tell_leaks(const LabelledSplits& splits, const Say& say) {
  const auto key = [](const LabelledExample& one) { return one.text + "\t" + one.pair; };
  std::unordered_set<std::string> trained;
  for (const LabelledExample& one : splits.train) trained.insert(key(one));
  for (const auto& [name, split] :
       {std::pair("dev", &splits.dev), std::pair("test", &splits.test)}) {
    const auto count = std::ranges::count_if(
        *split, [&](const LabelledExample& one) { return trained.contains(key(one)); });
    if (count > 0)
      say("note: " + std::to_string(count) + " of the " + std::to_string(split->size()) +
          " texts of " + name + " stand in training, too");
  }
}

}  // namespace

std::string described(const DataTable& table) {
  return table.path + ": " + table.format + " in " + table.encoding +
         (table.format == "CSV" || table.format == "TSV"
              ? table.header ? ", with a header" : ", without a header"
              : "") +
         ", " + std::to_string(table.rows.size()) + " rows";
}

LabelledSplits load_own_labelled(const OwnSource& source, const Say& say) {
  LabelledReader reader(source, say);
  std::vector<Row> train = reader.read(source.train, "train");
  LabelledSplits splits;
  take(reader.read(source.dev, "dev"), &splits.dev);
  take(reader.read(source.test, "test"), &splits.test);
  if (source.labels.empty()) refuse_several_labels(train);
  const std::vector<size_t> split_of = hold_out(
      train, source, [](const Row& row) { return row.group; },
      [](const Row& row) { return std::vector<std::string>{row.example.label}; });
  std::vector<LabelledExample>* parts[] = {&splits.train, &splits.dev, &splits.test};
  for (size_t i = 0; i < train.size(); ++i)
    parts[split_of[i]]->push_back(std::move(train[i].example));
  check_filled(splits, source, "rows");
  tell_leaks(splits, say);
  return splits;
}

}  // namespace minibert
