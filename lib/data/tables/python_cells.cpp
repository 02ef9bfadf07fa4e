#include "data/tables/python_cells.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/characters.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr std::string_view kSpaces = " \n\r\t";

bool is_space(char c) { return kSpaces.find(c) != std::string_view::npos; }

bool begins_value(char c) { return c == '\'' || c == '"' || c == '[' || c == '-' || is_digit(c); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Python's notation rewritten as JSON's, from its beginning to its end.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  std::string rewritten() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_space(c)) {
        out_ += c, ++at_;
        continue;
      }
      if (begins_value(c) && is_behind_value()) out_ += ',';
      if (c == '\'' || c == '"')
        add_string(c);
      else if (is_letter(c))
        add_word();
      else if (c == ')' && arrays_ > 0)
        --arrays_, ++at_;
      else
        out_ += c, ++at_;
    }
    return std::move(out_);
  }

 private:
  // NumPy parts what it prints by white space alone: ['가' '나'] and [ 0 27].
  bool is_behind_value() const {
    if (out_.empty() || !is_space(out_.back())) return false;
    const size_t last = out_.find_last_not_of(kSpaces);
    return last != std::string::npos &&
           (out_[last] == '"' || out_[last] == ']' || is_digit(out_[last]));
  }

  void add_string(char quote) {
    out_ += '"';
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      char c = text_[at_];
      if (c == '"') out_ += '\\';
      if (c == '\\' && at_ + 1 < text_.size()) {
        c = text_[++at_];
        if (c == 'x')
          out_ += "\\u00";
        else if (c == '\'')
          out_ += c;
        else
          out_ += '\\', out_ += c;
        continue;
      }
      out_ += c;
    }
    out_ += '"';
    ++at_;
  }

  // None, True, False, and NumPy's array(…, dtype=…), which is its list.
  void add_word() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "array" && text_.substr(at_).starts_with('(')) {
      ++arrays_, ++at_;
    } else if (word == "dtype" && arrays_ > 0) {
      while (!out_.empty() && (out_.back() == ' ' || out_.back() == '\n')) out_.pop_back();
      if (!out_.empty() && out_.back() == ',') out_.pop_back();
      at_ = std::min(text_.find(')', at_), text_.size());
    } else {
      out_ += word == "None" ? "null" : word == "True" ? "true" : word == "False" ? "false" : word;
    }
  }

  std::string_view text_;
  size_t at_ = 0, arrays_ = 0;  // arrays that are open
  std::string out_;
};

// JSON's value, or null where the text is none.
json parsed(std::string_view text) {
  try {
    json value = parse_json(text);
    return value.is_structured() ? value : json();
  } catch (const Error&) {
    return nullptr;
  }
}

bool holds_answers(const std::string& column) {
  return plain_name(column) == "answers" || is_called(column, usual_answer_columns());
}

// A column for each key of the dictionaries.
void add_columns_of(const std::string& name, const std::vector<json>& values, DataTable* table) {
  for (size_t r = 0; r < values.size(); ++r)
    for (const auto& [key, value] : values[r].items()) {
      const std::string column = name + "." + key;
      auto found = std::ranges::find(table->columns, column);
      if (found == table->columns.end()) {
        table->columns.push_back(column);
        for (TableRow& row : table->rows) row.cells.emplace_back();
        found = std::prev(table->columns.end());
      }
      table->rows[r].cells[static_cast<size_t>(found - table->columns.begin())] =
          value.is_string() ? value.get<std::string>() : value.dump();
    }
}

}  // namespace

json python_value(std::string_view cell) {
  const std::string_view bare = strip(cell);
  if (!bare.starts_with('[') && !bare.starts_with('{')) return nullptr;
  json value = parsed(bare);
  return value.is_null() ? parsed(Rewriter(bare).rewritten()) : value;
}

void read_python_cells(DataTable* table) {
  const std::vector<std::string> columns = table->columns;
  for (size_t column = 0; column < columns.size(); ++column) {
    if (!holds_answers(columns[column])) continue;
    std::vector<json> values;
    size_t lists = 0, dictionaries = 0, filled = 0, foreign = 0;
    for (const TableRow& row : table->rows) {
      const std::string_view cell = strip(row.cells[column]);
      filled += cell.empty() ? 0 : 1;
      json value = python_value(cell);
      foreign += value.is_structured() && parsed(cell).is_null() ? 1 : 0;
      lists += value.is_array() ? 1 : 0;
      dictionaries += value.is_object() ? 1 : 0;
      if (value.is_null() && cell.starts_with('{') && plain_name(columns[column]) == "answers")
        throw Error(table->where(row) + ": column " + excerpt(columns[column]) + ": found \"" +
                    excerpt(cell) +
                    "\", expected a dictionary, as {'text': ['…'], 'answer_start': [0]}");
      values.push_back(std::move(value));
    }
    const bool are_lists = lists == filled && foreign > 0;  // those of JSON are known as they are
    if (filled == 0 || (!are_lists && dictionaries != filled)) continue;
    if (dictionaries > 0)
      add_columns_of(columns[column], values, table);
    else
      for (size_t r = 0; r < values.size(); ++r)
        if (!values[r].is_null()) table->rows[r].cells[column] = values[r].dump();
    table->notes.push_back("column \"" + excerpt(columns[column]) + "\": its cells are " +
                           (dictionaries > 0 ? "dictionaries" : "lists of Python") +
                           ", and are read as such");
  }
}

}  // namespace minibert
