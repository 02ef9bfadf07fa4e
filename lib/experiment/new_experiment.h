// Makes an experiment file for a user's labelled files.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/files/file_source.h"
#include "data/files/held_out.h"

namespace minibert {

struct NewExperiment {
  nlohmann::ordered_json file;             // the file to write
  FileSource source;                       // with the columns found
  std::map<std::string, size_t> examples;  // in train, dev, test
  std::map<std::string, size_t> labels;    // count of each label or entity type; empty for numbers
  size_t length = 0;  // at least as many characters as 99 % of the examples have
};

// Reads the files and makes a small experiment that extends `base` (base/finetune of the shipped
// ones). `task`: if empty, the files decide (questions: korquad; tags: tagging; "choices": choice;
// several labels: multilabel; else classification). The experiment has their keys, lengths and
// epochs by their size, and suitable arms: baselines, an LSTM, and two pretrained BERTs. `title` is
// for people; `say` hears the readers' notes. Throws Error like the readers, and a usage Error for
// a task that does not suit the files.
NewExperiment new_experiment(const FileSource& source, const std::string& task,
                             const std::string& title, const std::string& base, const Say& say);

// Returns lines for people: the number of examples, and the labels.
std::vector<std::string> lines_of(const NewExperiment& made);

// Returns an experiment's name from a file's: letters and digits of any script, '_' and '-'; other
// characters between them become '_'. Returns "mine" if nothing is left.
std::string experiment_name_of(const std::string& path);

}  // namespace minibert
