// Labelled files that an experiment names, and how their columns make examples: the keys of "data".
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config_reader.h"

namespace minibert {

// A label as a file writes it, and its name for people. An empty name leaves its rows out.
struct TableLabel {
  std::string written, name;
};

// Values of "separator", between cells. "auto" uses the file's name and header row (table.h).
inline const std::vector<std::string> kSeparators = {"auto", "comma", "tab", "semicolon"};
// Values of "label_separator". "list" is a JSON list.
inline const std::vector<std::string> kLabelSeparators = {"list",  "comma", "semicolon", "bar",
                                                          "slash", "space", "hash"};

// Names the columns that make examples.
struct TableLayout {
  std::string separator = "auto";
  std::vector<std::string> header = {};   // column names of a file without a header row
  std::vector<std::string> text = {};     // joined by spaces
  std::string pair = {};                  // the second text, or empty
  std::vector<std::string> choices = {};  // the alternatives, or one column of JSON lists
  std::string label = {};
  std::vector<std::string> label_columns = {};  // instead of `label`: columns of 0 and 1
  // Rows with an equal value stay in one split; empty: rows with equal text.
  std::string group = {};
  std::string label_separator = {};      // between several labels in a cell; empty: one label
  std::optional<int> first_choice = {};  // the first choice's number, 0 or 1
  std::vector<TableLabel> labels = {};   // all labels that may occur; empty: any
  bool skip_empty = false;               // leaves out rows with an empty cell

  // True if a text may have several labels or none.
  bool several() const { return !label_columns.empty() || !label_separator.empty(); }
};

struct FileSource {
  std::vector<std::string> train = {}, dev = {}, test = {};  // paths
  TableLayout table = {};
  // Percent of the training files' groups for each split without a file.
  int held_out = 10;
};

// Reads the keys train, dev, test (a path or a list), text (a column or a list), pair, choices (a
// column or a list), label (a column, or a list with one for each label), group, separator,
// label_separator, first_choice (0 or 1), labels ({"written": "name"}), held_out (1 to 40). Throws
// a usage Error naming the key; for a removed key it says what to write instead.
FileSource read_file_source(ConfigReader& data);
// Writes the same keys, without those at their default.
nlohmann::json to_json(const FileSource& source);

}  // namespace minibert
