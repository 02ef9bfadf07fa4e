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

// Values of "separator": of cells. "auto" is told from the file's name and header row (table.h).
inline const std::vector<std::string> kSeparators = {"auto", "comma", "tab", "semicolon"};
// Values of "label_separator". A list is JSON's.
inline const std::vector<std::string> kLabelSeparators = {"list",  "comma", "semicolon", "bar",
                                                          "slash", "space", "hash"};

// How a table's columns make examples. Columns are called by their names.
struct TableLayout {
  std::string separator = "auto";
  std::vector<std::string> header = {};   // names of the columns of a file without a header row
  std::vector<std::string> text = {};     // joined by spaces
  std::string pair = {};                  // the second text; empty: there is one text
  std::vector<std::string> choices = {};  // alternatives, or one column of JSON lists; empty: none
  std::string label = {};
  std::vector<std::string> label_columns = {};  // in its place: a column of 0 and 1 for each label
  std::string group = {};  // rows with the same value stay in one split; empty: with the same text
  std::string label_separator = {};      // between several labels in a cell; empty: there is one
  std::optional<int> first_choice = {};  // 0 or 1: what the label calls the first of `choices`
  std::vector<TableLabel> labels = {};   // all that may occur; empty: any
  bool skip_empty = false;               // rows with an empty cell are left out

  // A text may have several labels, or none.
  bool several() const { return !label_columns.empty() || !label_separator.empty(); }
};

struct FileSource {
  std::vector<std::string> train = {}, dev = {}, test = {};  // paths
  TableLayout table = {};
  // Percent of the training files' groups that make a split without a file.
  int held_out = 10;
};

// Keys: train, dev, test (a path or a list), text (a column or a list), pair, choices (a column or a list), label (a
// column, or a list of one for each label), group, separator, label_separator, first_choice (0 or 1), labels
// ({"written": "name"}), held_out (1 to 40). Throws a usage Error that names the key; of a key that is gone it says
// what to write instead.
FileSource read_file_source(ConfigReader& data);
// The same keys, those alone that say something.
nlohmann::json to_json(const FileSource& source);

}  // namespace minibert
