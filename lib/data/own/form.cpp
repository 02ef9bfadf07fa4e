#include "data/own/form.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "data/own/choice_cells.h"
#include "data/own/columns.h"
#include "data/own/own_questions.h"
#include "data/own/own_tagged.h"
#include "data/tables/read_table.h"
#include "data/tables/usual_columns.h"

namespace minibert {
namespace {

// Words and tags as pandas writes their lists into cells of a table, "['가', '나']": JSON has lists of its own.
void refuse_lists_in_cells(const DataTable& table, const OwnColumns& given) {
  const auto column =
      [&](const std::vector<std::string_view>& names) -> std::optional<std::string> {
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (std::ranges::find(names, table.columns[i]) != names.end() &&
          table.rows.front().cells[i].starts_with('[') &&
          table.rows.front().cells[i].find(',') != std::string::npos)
        return table.columns[i];
    return std::nullopt;
  };
  const auto words = column(usual_word_list_columns());
  const auto tags = column(usual_tag_list_columns());
  if (!words || !tags || (!given.text.empty() && given.text.front() != *words)) return;
  const std::string& cell = table.rows.front().cells[table.column(*words)];
  if ((table.format == "JSON" || table.format == "JSON lines") && !cell.starts_with("['")) return;
  throw usage_error(table.where(table.rows.front()) + ": found lists of " + *words + " and " +
                    *tags + " in cells, expected lists of JSON ({\"" + *words + "\": [\"…\"], \"" +
                    *tags + "\": [\"…\"]} a line) or a word and its tag a line");
}

}  // namespace

OwnForm form_of(const OwnSource& source, std::optional<DataTable>* table) {
  const std::string& path = !source.train.empty() ? source.train.front()
                            : !source.dev.empty() ? source.dev.front()
                                                  : source.test.front();
  if (std::filesystem::is_directory(path)) {
    if (table != nullptr) *table = read_table(path, source.table_options());
    return OwnForm::labelled;
  }
  if (is_question_json(path)) return OwnForm::questions;
  const DecodedText text = read_decoded(path);
  if (looks_tagged(text.text)) return OwnForm::tagged;
  DataTable read = table_of(text, path, source.table_options());
  if (!source.columns.question.empty() ||
      (source.columns.text.empty() && source.columns.choices.empty() &&
       choice_columns(read).empty() && has_questions(read, source.columns) &&
       answered_column(read).empty()))
    return OwnForm::questions;
  refuse_lists_in_cells(read, source.columns);
  // Lists of words with lists of tags.
  const std::string& label = source.columns.label;
  const std::vector<std::string_view>& words = usual_word_list_columns();
  for (size_t i = 0; i < read.columns.size(); ++i)
    if (read.rows.front().cells[i].starts_with("[\"") &&
        (std::ranges::find(words, read.columns[i]) != words.end() ||
         (!source.columns.text.empty() && read.columns[i] == source.columns.text.front() &&
          !label.empty() && read.rows.front().cells[read.column(label)].starts_with('['))))
      return OwnForm::tagged;
  refuse_marked_parts(read, source.columns);
  if (table != nullptr) *table = std::move(read);
  return OwnForm::labelled;
}

}  // namespace minibert
