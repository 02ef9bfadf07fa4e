// Experiment files before they are read: where they are, what they start from, and which of them says
// a value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/key_error.h"

namespace minibert {

// `name_or_file`: an experiment's name (experiments/NAME.json of the current folder, else NAME.json in it, else the
// shipped one) or a path. An unknown name is a usage Error that lists the known ones and the nearest.
std::string experiment_path(const std::string& name_or_file,
                            const std::string& folder = "experiments");

struct ExperimentFile {
  std::string path;
  nlohmann::json root;      // an object, without "extends" and "profiles"
  nlohmann::json profiles;  // an object
};

// The file, and before it those that it "extends": {"extends": "base/finetune"} names another file by
// its path from the folder of the one that says so, with or without ".json", or an experiment by its
// name. The last is the given one, the first extends none. Throws a usage Error that names the file: it
// is not there, is no object, or stands in a circle.
std::vector<ExperimentFile> read_with_bases(const std::string& path);

// The pairs of arms that an experiment's file asks about ("questions"), by the experiment's name. Nothing where there is
// no such file, or it asks nothing.
std::vector<Question> questions_of(const std::string& experiment);

// The names of the profiles of all files together, sorted; one that a later file sets to null is none.
std::vector<std::string> profile_names(const std::vector<ExperimentFile>& files);

// The profile that a run without a wish takes: full on a device, quick on the CPU and where there is no
// full, the only one where there is neither. Throws a usage Error that lists the profiles of a file with
// several others.
std::string automatic_profile(const std::vector<ExperimentFile>& files, bool on_device);

// One text: the files, each merged into those before it (overrides.h), and then their profiles of that
// name in the same order. A later file may add arms to a list, a profile changes those that are there.
// A "name" counts in the last file alone, as runs are kept under it. Throws a usage Error: no such
// profile.
nlohmann::json merged(const std::vector<ExperimentFile>& files, const std::string& profile);

// What the given file says and an inherited profile says otherwise, a line each: "arms[bag].train.epochs: 5, not 50".
std::vector<std::string> overruled(const std::vector<ExperimentFile>& files,
                                   const std::string& profile);

// The path of the file that says the wrong value: the last one with this value at this place, arms
// matched by name; the last of all where none has it. `root`: the text that was read.
std::string file_of(const KeyError& error, const nlohmann::json& root,
                    const std::vector<ExperimentFile>& files, const std::string& profile);

}  // namespace minibert
