#include "data/own/word_sheet.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/tables/cells.h"
#include "data/tables/read_table.h"
#include "text/python_text.h"

namespace minibert {

std::optional<WordSheet> word_sheet_of(std::string_view text) {
  constexpr size_t kLongestRow = 4096;  // bytes; longer lines hold no word each
  for (const char separator : {',', ';', '\t'}) {
    WordSheet sheet{separator};
    size_t lines = 0, tagged = 0, blank = 0;
    std::string_view rest = text;
    bool first = true;
    while (!rest.empty() && lines < kLookedLines) {
      const std::string_view line = take_line(&rest);
      if (line.size() > kLongestRow) return std::nullopt;
      const std::vector<std::string_view> cells = cells_between(line, separator);
      if (std::ranges::all_of(
              cells, [](std::string_view cell) { return strip(unquoted(cell)).empty(); })) {
        ++blank;
        continue;
      }
      if (std::exchange(first, false)) {
        sheet.named = columns_named(cells);
        if (sheet.named) continue;
      }
      ++lines;
      // From the end, as a word in quotes may hold the separator.
      const size_t behind = sheet.named ? sheet.named->names.size() - sheet.named->tag : 1;
      if (cells.size() < 2 || cells.size() < behind || cells.size() <= sheet.word()) continue;
      const std::string_view tag = unquoted(cells[cells.size() - behind]);
      const bool is_word = unquoted(cells[sheet.word()]).find(' ') == std::string_view::npos;
      tagged += is_word && is_written_tag(tag) ? 1 : 0;
      sheet.entities += is_entity_tag(tag) ? 1 : 0;
    }
    const bool sentences = sheet.named && sheet.named->sentence;
    if (separator == '\t' && !sentences) continue;
    if (tagged * 10 > lines * 9 && (sheet.named || blank > 0)) return sheet;
  }
  return std::nullopt;
}

void read_word_sheet(const DecodedText& text, const std::string& path, const WordSheet& sheet,
                     const OwnSource& source, const Say& say, std::vector<TaggedSentence>* out) {
  TableOptions options = source.table_options();
  options.header = sheet.named.has_value();
  options.separator = sheet.separator == ','   ? "comma"
                      : sheet.separator == ';' ? "semicolon"
                                               : "tab";
  options.rewritten = options.blank_rows_divide = true;  // blank rows stay
  if (sheet.named) options.wanted.push_back(sheet.named->names[sheet.named->tag]);
  const DataTable table = table_of(text, path, options);
  for (const std::string& note : table.notes) say(path + ": " + note);
  const auto place = [&](const std::string& given, size_t otherwise) {
    return given.empty() ? otherwise : table.column(given);
  };
  const OwnColumns& columns = source.columns;
  const size_t word_at = place(columns.text.empty() ? "" : columns.text.front(), sheet.word());
  const size_t tag_at =
      place(columns.label, sheet.named ? sheet.named->tag : table.columns.size() - 1);
  const size_t width = table.columns.size();  // stands for no column
  const size_t sentence_at = sheet.named ? sheet.named->sentence.value_or(width) : width;
  // Where sentences end: behind these rows.
  std::vector<bool> ends(table.rows.size());
  TagSchemeFinder finder;
  std::string current;
  size_t merged = 0;
  bool characters = true, several = false;
  for (size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<std::string>& cells = table.rows[r].cells;
    const auto end_above = [&] {
      if (r > 0) ends[r - 1] = several = true;
      finder.end_sentence();
    };
    if (filled_size(cells) == 0) {
      end_above();
      continue;
    }
    if (sentence_at < width) {
      const std::string said(strip(cells[sentence_at]));
      merged += said.empty() ? 1 : 0;
      if (!said.empty() && said != current) end_above();
      if (!said.empty()) current = said;
    }
    finder.add(cells[tag_at]);
    characters = characters && to_code_points(strip(cells[word_at])).size() == 1;
  }
  if (!several) refuse_endless(table.rows.size(), path);
  tell_scheme(finder.scheme(), path, say);
  const size_t before = out->size();
  SentenceBuilder sentence(finder.scheme());
  for (size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    if (filled_size(row.cells) > 0) {
      const std::string where = table.where(row);
      const std::string word(strip(row.cells[word_at]));
      if (word.empty()) throw Error(where + ": found no word, expected one");
      const std::string tag = sentence.checked(row.cells[tag_at], where, row.place == 1);
      if (sentence.empty()) sentence.begin_at(where);
      if (characters)
        sentence.add_character(word, tag);
      else
        sentence.add_word(word, tag, true);
      sentence.stood_at(row.place);
    }
    if ((ends[r] || r + 1 == table.rows.size()) && !sentence.empty())
      out->push_back(sentence.take());
  }
  if (sheet.named) tell_columns(*sheet.named, columns, path, say);
  if (merged > 0)
    say(path + ": " +
        count_of(merged, "row does not say its sentence: it goes on",
                 "rows do not say their sentence: they go on") +
        " with the one above, as of a merged cell");
  say(path + ": " + table.format + " of words with tags in " + text.encoding + ", " +
      count_of(out->size() - before, "sentence", "sentences"));
}

}  // namespace minibert
