// An experiment file for labelled files of one's own.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/files/file_source.h"
#include "data/files/held_out.h"

namespace minibert {

struct NewExperiment {
  nlohmann::ordered_json file;             // what is to be written
  FileSource source;                       // with the columns that were found
  std::map<std::string, size_t> examples;  // of train, dev, test
  std::map<std::string, size_t> labels;    // how often each; types of entities; none of numbers
  size_t length = 0;                       // characters that 99 % of the examples have at most
};

// Reads the files and makes a small experiment that extends `base` (base/finetune of the shipped ones): `task` or, where
// that is empty, the one that the files say (questions: korquad; tags: tagging; "choices": choice; several labels:
// multilabel; else classification), their keys, lengths and epochs after their size, and the arms that make sense for
// the task: floors, an LSTM, and two pretrained BERTs. `title` is for people; `say` is told what the readers tell.
// Throws Error as the readers do, and a usage Error for a task that such files are not for.
NewExperiment new_experiment(const FileSource& source, const std::string& task,
                             const std::string& title, const std::string& base, const Say& say);

// A line each, for people: how many examples, which labels.
std::vector<std::string> lines_of(const NewExperiment& made);

// A file's name as an experiment's: letters and digits of any script, '_' and '-', and '_' for what stands between
// these; "mine" where nothing is left of it.
std::string experiment_name_of(const std::string& path);

}  // namespace minibert
