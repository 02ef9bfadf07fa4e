#include "data/own/form.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "data/own/choice_cells.h"
#include "data/own/columns.h"
#include "data/own/own_questions.h"
#include "data/own/own_tagged.h"
#include "data/tables/read_table.h"

namespace minibert {
OwnForm form_of(const OwnSource& source) {
  const std::string& path = !source.train.empty() ? source.train.front()
                            : !source.dev.empty() ? source.dev.front()
                                                  : source.test.front();
  if (std::filesystem::is_directory(path)) return OwnForm::labelled;
  if (is_question_json(path)) return OwnForm::questions;
  const DecodedText text = read_decoded(path);
  if (looks_tagged(text.text)) return OwnForm::tagged;
  const DataTable table = table_of(text, path, source.table_options());
  if (!source.columns.question.empty() ||
      (source.columns.text.empty() && source.columns.choices.empty() &&
       choice_columns(table).empty() && has_questions(table, source.columns)))
    return OwnForm::questions;
  // Lists of words with lists of tags.
  const std::string& label = source.columns.label;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (table.rows.front().cells[i].starts_with("[\"") &&
        (table.columns[i] == "tokens" || table.columns[i] == "words" ||
         (!source.columns.text.empty() && table.columns[i] == source.columns.text.front() &&
          !label.empty() && table.rows.front().cells[table.column(label)].starts_with('['))))
      return OwnForm::tagged;
  return OwnForm::labelled;
}

}  // namespace minibert
