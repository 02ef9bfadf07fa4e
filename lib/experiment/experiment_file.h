// Finds experiment files, merges them, and finds the file that sets a value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/key_error.h"

namespace minibert {

// Returns the path of `name_or_file`: an experiment's name (experiments/NAME.json in the current
// folder, else NAME.json there, else the shipped one) or a path. Throws a usage Error with the
// known names and the nearest for an unknown one.
std::string experiment_path(const std::string& name_or_file,
                            const std::string& folder = "experiments");

struct ExperimentFile {
  std::string path;
  nlohmann::json root;      // an object, without "extends" and "profiles"
  nlohmann::json profiles;  // an object
};

// Returns the file and, before it, the files that it "extends": {"extends": "base/finetune"} names
// another file by its path from the extending file's folder, with or without ".json", or an
// experiment by its name. The last is the given file; the first extends none. Throws a usage Error
// naming a file that is missing, is no object, or extends itself in a circle.
std::vector<ExperimentFile> read_with_bases(const std::string& path);

// Returns the questions in an experiment's file: pairs of arms to compare. Empty without file or
// questions.
std::vector<Question> questions_of(const std::string& experiment);

// Returns the sorted names of the profiles in all files; a later file removes one by null.
std::vector<std::string> profile_names(const std::vector<ExperimentFile>& files);

// Returns the profile for a run that names none: full on a device; quick on the CPU, or if there is
// no full; the only one if there is neither. Throws a usage Error if several others exist.
std::string automatic_profile(const std::vector<ExperimentFile>& files, bool on_device);

// Merges the files, each into those before it (overrides.h), then their profiles of that name in
// the same order. A later file may add arms to a list; a profile changes existing ones. Only the
// last "name" counts, as runs are kept under it. Throws a usage Error for an unknown profile.
nlohmann::json merged(const std::vector<ExperimentFile>& files, const std::string& profile);

// Returns the path of the file with the wrong value: the last one with this value at this place
// (arms matched by name), else the last of all. `root`: the merged text.
std::string file_of(const KeyError& error, const nlohmann::json& root,
                    const std::vector<ExperimentFile>& files, const std::string& profile);

}  // namespace minibert
