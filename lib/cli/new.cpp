// minibert new: looks at labelled files of one's own and writes an experiment for them.
#include <spdlog/spdlog.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/own_options.h"
#include "compare/render.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shell_quote.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "experiment/config.h"
#include "experiment/new_experiment.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr char kBase[] = "experiments/base/finetune.json";
// What suffices for small differences where a tenth does not.
constexpr int kMorePercent = 30;

// Whether the current folder is that of minibert's sources, whose Makefile trains what stands in experiments/.
bool is_of_sources() {
  return fs::exists("Makefile") && fs::exists("experiments/datasets.json") && fs::exists(kBase);
}

struct NewArguments {
  OwnOptions own;
  std::string name, out, title;
  LabelsAs task = LabelsAs::found;
  bool force = false, json = false;
};

void make_new(const NewArguments& arguments) {
  const Survey found = survey(arguments.own.source(), arguments.task,
                              [](const std::string& line) { spdlog::info("{}", line); });
  const std::string name =
      arguments.name.empty() ? experiment_name_of(arguments.own.train.front()) : arguments.name;
  const bool has_folder = fs::is_directory("experiments");
  const std::string out =
      !arguments.out.empty() ? arguments.out : (has_folder ? "experiments/" : "") + name + ".json";
  if (fs::exists(out) && !arguments.force)
    throw usage_error(out + ": is there already, expected another --name or --out, or --force");
  const std::string shipped_base = shipped_path(kBase);
  if (!fs::exists(shipped_base))
    throw usage_error(std::string(kBase) + ": is missing, expected to be in minibert's folder");
  const fs::path folder = fs::absolute(out).parent_path();
  const std::string base =
      fs::relative(fs::absolute(shipped_base), folder).replace_extension().string();
  const nlohmann::ordered_json experiment = new_experiment(
      found, arguments.title.empty() ? "Own data: " + joined(arguments.own.train) : arguments.title,
      base);
  // Put in place only when it can be run as it stands: a file that was there stays till then.
  const fs::path tried = fs::path(out).replace_extension(".new.json");
  write_file_atomically(tried.string(), experiment.dump(2) + "\n");
  try {
    for (const char* profile : {"full", "quick"}) load_experiment(tried.string(), profile, {});
    fs::rename(tried, out);
  } catch (...) {
    fs::remove(tried);
    throw;
  }
  const size_t examples = found.examples.at("test");
  const std::string few = too_few_note(examples, examples);
  if (arguments.json) {
    nlohmann::ordered_json told = to_json(found);
    if (!few.empty()) told["notes"].push_back(few);
    told["experiment"] = out;
    std::cout << told.dump(2) << "\n";
    return;
  }
  for (const std::string& line : lines_of(found)) std::cout << line << "\n";
  const bool can_be_more = arguments.own.test.empty() && found.source.held_out < kMorePercent;
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
      "new", "look at labelled files of your own, and write an experiment for them");
  command
      ->add_option("FILE", arguments->own.train,
                   "CSV, TSV, JSON, JSON lines, SQuAD's JSON, CoNLL, CoNLL-U, or a folder with a "
                   "folder for every label")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--dev", arguments->own.dev, "files to choose by (else held out)")
      ->check(CLI::ExistingPath);
  command->add_option("--test", arguments->own.test, "files to measure on (else held out)")
      ->check(CLI::ExistingPath);
  add_columns(*command, &arguments->own);
  command->add_option("--name", arguments->name, "of the experiment (else after the file)");
  command
      ->add_option("--task", arguments->task,
                   "what to learn of labels that are numbers: classification or regression (else "
                   "regression of fractions and of more than twenty different ones)")
      ->transform(CLI::Transformer(std::map<std::string, LabelsAs>{
          {"classification", LabelsAs::classes}, {"regression", LabelsAs::scores}}))
      ->type_name("{classification,regression}");
  command->add_option("--title", arguments->title, "for people");
  command->add_option("--out", arguments->out, "file to write (else experiments/NAME.json)");
  command->add_flag("--force", arguments->force, "write over a file that is there");
  command->add_flag("--json", arguments->json, "what was found as JSON");
  command->callback([arguments] { make_new(*arguments); });
}

}  // namespace minibert
