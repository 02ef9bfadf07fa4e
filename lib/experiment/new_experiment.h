// An experiment file for labelled files of one's own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/own/survey.h"

namespace minibert {

// A small file that extends `base` (base/finetune of the shipped ones): the task that the files fit, their
// keys, lengths and epochs after their size, the figure to choose by, and the arms that make sense for
// the task: floors, an LSTM, and two pretrained BERTs. `title` is for people.
nlohmann::ordered_json new_experiment(const Survey& survey, const std::string& title,
                                      const std::string& base);

// A file's name as an experiment's: letters and digits of any script, '_' and '-', and '_' for what stands between
// these; "mine" where nothing is left of it.
std::string experiment_name_of(const std::string& path);

}  // namespace minibert
