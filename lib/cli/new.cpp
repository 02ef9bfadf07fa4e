// minibert new: reads a user's labelled files and writes an experiment for them.
#include <spdlog/spdlog.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/file_options.h"
#include "compare/render.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shell_quote.h"
#include "core/text.h"
#include "experiment/config.h"
#include "experiment/keys_document.h"
#include "experiment/new_experiment.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr char kBase[] = "base/finetune";  // an experiment's name
// A held-out share for small differences, if a tenth does not suffice.
constexpr int kMorePercent = 30;

// True in the folder of minibert's sources, whose Makefile trains the files in experiments/.
bool is_of_sources() { return fs::exists("Makefile") && fs::exists("experiments/datasets.json"); }

struct NewArguments {
  FileOptions files;
  std::string name, out, task;
  bool json = false;
};

void make_new(const NewArguments& arguments) {
  const std::string name =
      arguments.name.empty() ? experiment_name_of(arguments.files.train.front()) : arguments.name;
  const bool has_folder = fs::is_directory("experiments");
  const std::string out =
      !arguments.out.empty() ? arguments.out : (has_folder ? "experiments/" : "") + name + ".json";
  if (fs::exists(out))
    throw usage_error(out + ": exists already, expected another --name or --out");
  const fs::path folder = fs::absolute(out).parent_path();
  std::vector<std::string> told;
  const NewExperiment made = new_experiment(arguments.files.source(), arguments.task,
                                            "Own data: " + joined(arguments.files.train), kBase,
                                            [&](const std::string& line) { told.push_back(line); });
  // Put in place only when it can be run as it stands.
  const fs::path tried = fs::path(out).replace_extension(".new.json");
  write_file_atomically(tried.string(), made.file.dump(2) + "\n");
  try {
    for (const char* profile : {"full", "quick"}) load_experiment(tried.string(), profile, {});
    fs::rename(tried, out);
  } catch (...) {
    fs::remove(tried);
    throw;
  }
  const size_t examples = made.examples.at("test");
  const std::string few = too_few_note(examples, examples);
  if (arguments.json) {
    if (!few.empty()) told.push_back(few);
    const nlohmann::ordered_json found = {{"task", made.file.at("task")},
                                          {"data", made.file.at("data")},
                                          {"examples", made.examples},
                                          {"labels", made.labels},
                                          {"length_of_99_percent", made.length},
                                          {"notes", told},
                                          {"experiment", out}};
    std::cout << found.dump(2) << "\n";
    return;
  }
  for (const std::string& line : told) std::cout << line << "\n";
  for (const std::string& line : lines_of(made)) std::cout << line << "\n";
  const bool can_be_more = arguments.files.test.empty() && made.source.held_out < kMorePercent;
  if (!few.empty())
    std::cout << "note: the test set is " << few
              << (can_be_more
                      ? "; --column held_out=" + std::to_string(kMorePercent) + " holds out more"
                      : "")
              << "\n";
  const bool by_make = is_of_sources() && folder == fs::absolute("experiments");
  std::cout << "written: " << out << "; to train it: "
            << (by_make ? "make experiment NAME=" + for_shell(fs::path(out).stem().string())
                        : for_shell(program_invocation_name) + " run " + for_shell(out))
            << "\n";
}

}  // namespace

void add_new(CLI::App& app) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* command = app.add_subcommand(
      "new", "read labelled files of your own, and write an experiment for them");
  command
      ->add_option("FILE", arguments->files.train,
                   "CSV, TSV, JSON lines, JSON, SQuAD's JSON, CoNLL or CoNLL-U")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--dev", arguments->files.dev, "files to choose by (else held out)")
      ->check(CLI::ExistingPath);
  command->add_option("--test", arguments->files.test, "files to measure on (else held out)")
      ->check(CLI::ExistingPath);
  add_columns(*command, &arguments->files);
  command->add_option("--name", arguments->name, "of the experiment (else after the file)");
  command
      ->add_option("--task", arguments->task,
                   "kind of task (default: by the columns; numbers are classes)")
      ->check(CLI::IsMember(
          {"classification", "regression", "multilabel", "choice", "tagging", "korquad"}));
  command->add_option("--out", arguments->out, "file to write (else experiments/NAME.json)");
  command->add_flag("--json", arguments->json, "what was found as JSON");
  command->add_flag_callback(
      "--keys",
      [] {
        std::cout << keys_document();
        throw CLI::Success();
      },
      "print all keys of an experiment file, as experiments/KEYS.md has them");
  command->callback([arguments] { make_new(*arguments); });
}

}  // namespace minibert
