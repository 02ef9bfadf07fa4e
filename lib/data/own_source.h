// Labelled files of one's own: where they are, and which columns hold what.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config_reader.h"
#include "data/tables/table.h"

namespace minibert {

// Names of columns; of a file without a header their numbers from 1. Empty: the usual names are looked
// for, as columns.h says.
struct OwnColumns {
  std::vector<std::string> text;     // joined by spaces
  std::string pair;                  // the second text
  std::vector<std::string> choices;  // alternatives to go on with
  std::string label;                 // of tagged words the tags
  std::vector<std::string> flags;    // in its place: a column of yes and no for every label
  std::string group;                 // rows with the same value stay in one split
  std::string id;
  std::string question, context, answer, answer_start;
};

// How a cell holds several labels: values of "label_separator". A list is JSON's or Python's. "hash" stands between labels,
// as doccano writes them, or before each.
inline constexpr char kListOfLabels[] = "list";
inline const std::vector<std::string> kLabelSeparators = {"auto", "comma", "semicolon",
                                                          "bar",  "hash",  kListOfLabels};

struct OwnSource {
  std::vector<std::string> train, dev, test;  // paths
  OwnColumns columns;
  std::optional<bool> header;
  std::string separator = "auto";
  // "auto": where a task wants several, as the cells say.
  std::string label_separator = "auto";
  // {written: name}, by what is written; empty: labels are called as they are written.
  std::vector<std::pair<std::string, std::string>> labels;
  // Percent of the training files' groups that make a split without a file.
  int held_out = 10;

  TableOptions table_options() const;
  // It says that a text may have several labels.
  bool several() const { return !columns.flags.empty() || label_separator != "auto"; }
};

// Keys: train, dev, test (a path or a list of paths), text, choices (a column or a list), label (a column,
// or a list of at least two, one for each label), pair, group, id, question, context, answer,
// answer_start, header, separator, label_separator, labels, held_out. Throws a usage Error.
OwnSource read_own_source(ConfigReader& data);
// The same keys, those alone that say something.
nlohmann::json to_json(const OwnSource& source);

}  // namespace minibert
