// minibert run: runs an experiment from its file to its table.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/terminal.h"
#include "compare/answers.h"
#include "compare/compare.h"
#include "compare/render.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "data/splits/clusters.h"
#include "environment/environment.h"
#include "experiment/experiment_file.h"
#include "experiment/runner.h"
#include "report/report_data.h"
#include "report/report_page.h"
#include "task/all/registry.h"
#include "task/start.h"
#include "train/process_group.h"
#include "train/workers.h"
#include "words/phrases.h"

namespace minibert {
namespace {

struct RunArguments {
  std::string experiment, profile = "auto";
  std::vector<std::string> overrides;
  RunOptions options;
  bool quiet = false, list = false;
  size_t only = 0;  // 0: all
};

void print(const std::vector<PlannedRun>& runs) {
  for (size_t i = 0; i < runs.size(); ++i)
    std::cout << i + 1 << "\t" << runs[i].arm->name << "\t" << runs[i].seed << "\t"
              << runs[i].record << "\n";
}

std::string chosen_profile(const RunArguments& arguments, const std::string& path) {
  if (arguments.profile != "auto") {
    spdlog::info("profile {}", arguments.profile);
    return arguments.profile;
  }
  const bool cuda = choose_device(arguments.options.device).is_cuda();
  const std::string profile = automatic_profile(read_with_bases(path), cuda);
  spdlog::info("profile {} (CUDA is {}available{})", profile, cuda ? "" : "not ",
               cuda && profile != "full" ? ", the experiment has no profile full" : "");
  return profile;
}

// Writes the page of these runs beside the first one's record, and returns its path.
std::string write_report(const Comparison& comparison, const std::vector<std::string>& records,
                         const RunArguments& arguments) {
  const std::string page =
      (std::filesystem::path(records.front()).parent_path() / "report.html").string();
  const nlohmann::json data = report_data(
      records, all_measures(), {.data_dir = arguments.options.data_dir}, questions_of, &comparison);
  write_file_atomically(page, report_page(data, shipped_path(kReportAssets)));
  return page;
}

// Names, before anything trains, each arm whose start is not here and is none of these runs.
void warn_of_missing_starts(const std::vector<PlannedRun>& runs) {
  for (const PlannedRun& one : runs) {
    if (one.arm->init_from.empty() || one.seed != runs.front().seed) continue;
    const std::string start = named_record(one.arm->init_from, one.seed);
    if (!std::filesystem::exists(start) &&
        std::ranges::count(runs, start, &PlannedRun::record) == 0)
      spdlog::warn("{} starts from {}, which is not here: train it first", one.arm->name, start);
  }
}

// A table of the arms, a sentence for each question, where the report lies, and how to see everything else.
void print_end(const Comparison& comparison, const std::vector<std::string>& records,
               const ExperimentConfig& experiment, const RunArguments& arguments) {
  std::cout << "\n"
            << title(comparison) << "\n\n"
            << render_summary(comparison, all_measures(), terminal_columns().value_or(SIZE_MAX));
  const std::vector<Answer> found = answers(comparison, experiment.questions, all_measures());
  if (!found.empty()) std::cout << "\n";
  for (const Answer& answer : found)
    std::cout << wrapped(language() == Language::korean ? answer.korean : answer.text,
                         terminal_columns().value_or(100))
              << "\n";
  std::cout << "\n";
  try {
    const std::string page = write_report(comparison, records, arguments);
    std::cout << phrase("Report: {0}", {page}) << "\n";
  } catch (const Error& error) {
    std::cout << phrase("Report: not written: {0}", {error.what()}) << "\n";
  }
  std::cout << phrase("All pairs, p values and speeds: make compare {0}",
                      {"NAME=" + experiment.name + " PROFILE=" + experiment.profile})
            << "\n";
}

void run(RunArguments& arguments) {
  const auto group = group_settings([](const char* name) { return std::getenv(name); });
  if (group && group->rank > 0) {  // which would say what the first says
    spdlog::set_level(spdlog::level::warn);
    arguments.quiet = true;
  }
  if (std::isnan(arguments.options.checkpoint_seconds))
    throw usage_error("--checkpoint-seconds: found nan, expected a number of seconds");
  const std::string path = experiment_path(arguments.experiment);
  const std::string profile = chosen_profile(arguments, path);
  const ExperimentConfig experiment =
      load_experiment(path, profile, arguments.overrides, arguments.options.arms);
  const std::vector<PlannedRun> runs = planned_runs(experiment, arguments.options);
  if (arguments.list) {
    print(runs);
    return;
  }
  if (arguments.only > runs.size())
    throw usage_error("--only: found " + std::to_string(arguments.only) + ", expected 1 to " +
                      std::to_string(runs.size()));
  if (arguments.only > 0) {
    arguments.options.arms = {runs[arguments.only - 1].arm->name};
    arguments.options.seeds = {runs[arguments.only - 1].seed};
  }
  warn_of_missing_starts(planned_runs(experiment, arguments.options));
  const std::unique_ptr<Workers> workers = group ? join_group(*group) : nullptr;
  arguments.options.workers = workers.get();
  RunOutcome outcome;
  {
    Console console(arguments.quiet);
    outcome = run_experiment(experiment, arguments.options, console);
  }
  if (outcome.interrupted)
    throw Error("interrupted; the run is saved, and the same command goes on from there");
  if (workers && workers->rank() > 0) return;
  std::vector<std::string> finished;
  for (const std::string& record : outcome.records)
    if (std::filesystem::exists(record)) finished.push_back(record);
  if (outcome.failures.size() < outcome.records.size()) {
    const Comparison comparison =
        compare_runs(finished, all_measures(),
                     {.runs_were_found = true,
                      .clusters_of_data = registered_clusters(arguments.options.data_dir),
                      .questions_of = questions_of});
    for (const std::string& warning : comparison.warnings) spdlog::warn(told(warning));
    print_end(comparison, finished, experiment, arguments);
  }
  if (outcome.failures.size() > 1)
    for (const std::string& failure : outcome.failures) spdlog::error(failure);
  if (!outcome.failures.empty())
    throw Error(outcome.failures.size() == 1
                    ? outcome.failures.front()
                    : std::to_string(outcome.failures.size()) + " of " +
                          std::to_string(outcome.records.size()) +
                          " runs failed; the same command tries them again");
}

}  // namespace

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand(
      "run", "train and compare the arms of an experiment; given again, go on where it stopped");
  RunOptions& options = arguments->options;
  command->add_option("experiment", arguments->experiment, "a name in experiments/ or a JSON file")
      ->required();
  command
      ->add_option("--profile", arguments->profile,
                   "profile of the file; auto: full with CUDA, else quick")
      ->capture_default_str();
  command->add_option("--data", options.data_dir, "data folder (else MINIBERT_DATA, else data/)");
  command->add_option("--results", options.results, "folder of the records")->capture_default_str();
  command->add_option("--set", arguments->overrides, "KEY=VALUE, as arms[0].train.epochs=2");
  command->add_option("--arms", options.arms, "only these arms")->delimiter(',');
  command->add_option("--seeds", options.seeds, "instead of the experiment's")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{0}, INT64_MAX - 1));  // a larger one is read as INT64_MAX
  command->add_option("--device", options.device, "auto, cpu, cuda or cuda:N")
      ->type_name("{auto,cpu,cuda}")
      ->capture_default_str();
  command->add_option("--precision", options.precision, "auto, fp32, bf16, or tf32 on CUDA")
      ->type_name("{auto,fp32,bf16,tf32}")
      ->capture_default_str();
  command->add_option("--threads", options.threads, "of the CPU; 0: all cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--checkpoint-seconds", options.checkpoint_seconds, "between checkpoints")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  command->add_flag("--force", options.force,
                    "replace runs of another configuration instead of renaming them");
  command
      ->add_option_function<std::string>(
          "--weights",
          [&options](const std::string& kept) {
            options.keep_weights = kept != "none";
            options.half_weights = kept == "half";
          },
          "what records keep; half is float16, rounded before measuring")
      ->check(CLI::IsMember({"full", "half", "none"}))
      ->default_str("full");
  command
      ->add_option("--keep-at", options.keep_at, "keep the model at these thousandths of all steps")
      ->delimiter(',')
      ->check(CLI::Range(0, 1000));
  command->add_flag("!--no-fetch", options.fetch, "do not try to download missing data");
  auto* only =
      command->add_option("--only", arguments->only, "only run N of --list, for an array of jobs")
          ->check(CLI::Range(1, 1000000));
  command->add_flag("--list", arguments->list, "run nothing: number, arm, seed, record of each run")
      ->excludes(only);
  command->add_flag("--quiet", arguments->quiet, "no progress lines");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace minibert
