#include "data/files/columns.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"

namespace minibert {
namespace {

using Names = std::vector<std::string_view>;

const Names kText = {"text",   "sentence", "sentence1", "premise", "document", "review",
                     "텍스트", "문장",     "문장1",     "전제",    "리뷰"};
const Names kPair = {"pair", "sentence2", "hypothesis", "문장2", "가설"};
const Names kLabel = {"label", "labels", "라벨", "레이블"};
const Names kGroup = {"group", "그룹"};

// The only column with one of the names; empty: there is none.
std::string usual_column(const FileTable& table, const char* key, const Names& names) {
  std::string found;
  for (const std::string& column : table.columns) {
    if (std::ranges::find(names, small_letters(column)) == names.end()) continue;
    if (!found.empty())
      throw usage_error(table.path + ": found the columns " + found + " and " + column +
                        ", which both may be \"" + key + "\": --column " + key + "=" + found +
                        " names one");
    found = column;
  }
  return found;
}

// For the example in a message: the column with the longest cells.
std::string longest_column(const FileTable& table) {
  size_t longest = 0, most = 0;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    size_t bytes = 0;
    for (const TableRow& row : table.rows) bytes += row.cells[column].size();
    if (bytes > most) most = bytes, longest = column;
  }
  return table.columns[longest];
}

[[noreturn]] void refuse(const FileTable& table, const TableLayout& layout, bool lacks_label) {
  constexpr size_t kQuoted = 200;  // bytes
  const bool lacks_text = layout.text.empty();
  const std::string text = lacks_text ? longest_column(table) : layout.text.front();
  std::string other = "COLUMN";  // the last one, which is often the label
  for (const std::string& column : table.columns)
    if (column != text && !column.empty()) other = column;
  throw usage_error(table.path + (table.objects.empty() ? ":1" : "") + ": found the columns " +
                    excerpt(joined(table.columns), kQuoted) + "; expected " +
                    (lacks_text ? "\"text\"" : "") + (lacks_text && lacks_label ? " and " : "") +
                    (lacks_label ? "\"label\"" : "") + ":" +
                    (lacks_text ? " --column text=" + text : "") +
                    (lacks_label ? " --column label=" + other : ""));
}

}  // namespace

TableLayout with_usual_columns(const FileTable& table, const TableLayout& layout) {
  TableLayout out = layout;
  for (const std::vector<std::string>* named : {&out.text, &out.choices, &out.label_columns})
    for (const std::string& name : *named) table.column(name);
  for (const std::string* name : {&out.pair, &out.label, &out.group})
    if (!name->empty()) table.column(*name);
  if (out.text.empty())
    if (const std::string found = usual_column(table, "text", kText); !found.empty())
      out.text = {found};
  if (out.pair.empty() && out.choices.empty()) out.pair = usual_column(table, "pair", kPair);
  if (out.label.empty() && out.label_columns.empty())
    out.label = usual_column(table, "label", kLabel);
  if (out.group.empty()) out.group = usual_column(table, "group", kGroup);
  return out;
}

TableLayout find_columns(const FileTable& table, const TableLayout& layout) {
  TableLayout out = with_usual_columns(table, layout);
  const bool lacks_label = out.label.empty() && out.label_columns.empty();
  if (out.text.empty() || lacks_label) refuse(table, out, lacks_label);
  return out;
}

std::string described(const TableLayout& layout) {
  std::string out = "text " + joined(layout.text, " + ");
  const auto add = [&](const char* key, const std::string& names) {
    if (!names.empty()) out += std::string(", ") + key + " " + names;
  };
  add("pair", layout.pair);
  add("choices", joined(layout.choices, " | "));
  add("label", layout.label_columns.empty() ? layout.label : joined(layout.label_columns, " | "));
  if (layout.first_choice)
    out += " counted from " + std::to_string(*layout.first_choice) +
           (*layout.first_choice == 0 ? " (shown from 1)" : "");
  add("group", layout.group);
  return out;
}

}  // namespace minibert
