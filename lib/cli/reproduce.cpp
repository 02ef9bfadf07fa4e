// minibert reproduce: makes a stored run again from its record and compares the results.
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "core/error.h"
#include "core/shown_json.h"
#include "core/text.h"
#include "environment/blas_core.h"
#include "environment/environment.h"
#include "experiment/runner.h"
#include "experiment/stored_model.h"
#include "record/reproduction.h"

namespace minibert {
namespace {

struct ReproduceArguments {
  std::string run, figure;
  RunOptions options;
  double tolerance = 1e-3;
  bool quiet = false, json = false;
};

const char* word(Likeness likeness) {
  switch (likeness) {
    case Likeness::equal:
      return "equal";
    case Likeness::near:
      return "near";
    case Likeness::different:
      return "different";
  }
  return "";
}

// OpenBLAS' kernels decide how sums are rounded: the recorded ones are taken where the processor has
// what they need. A line for the user.
std::string take_recorded_kernel(const RunRecord& stored) {
  const std::string core = blas_core_in(
      stored.environment.value(nlohmann::json::json_pointer("/blas/name"), std::string()));
  if (core.empty() || core == blas_core()) return "";
  if (!can_run_core(core, detect_vector_units()) || !set_blas_core(core))
    return "OpenBLAS computed with the kernels for " + core + ", which cannot be had here";
  // So that nothing chooses others again (blas_core.h).
  setenv("OPENBLAS_CORETYPE", core.c_str(), /*overwrite=*/1);
  return "OpenBLAS computes with the recorded kernels, those for " + core;
}

void print(const Reproduction& found, const std::vector<std::string>& elsewhere,
           const ReproduceArguments& arguments, const std::string& made) {
  if (arguments.json) {
    nlohmann::ordered_json report = {
        {"stored", arguments.run},   {"reproduced", made},
        {"alike", found.reproduced}, {"tolerance", arguments.tolerance},
        {"environment", elsewhere},  {"parts", nlohmann::ordered_json::array()}};
    for (const PartComparison& part : found.parts)
      report["parts"].push_back(
          {{"part", part.part}, {"likeness", word(part.likeness)}, {"detail", part.detail}});
    std::cout << shown_json(report) << "\n";
    return;
  }
  const bool near = std::ranges::any_of(
      found.parts, [](const PartComparison& part) { return part.likeness == Likeness::near; });
  if (near)
    std::printf("near: differs by at most %g times the stored value\n", arguments.tolerance);
  for (const PartComparison& part : found.parts)
    std::printf("%-9s  %s%s%s\n", word(part.likeness), part.part.c_str(),
                part.detail.empty() ? "" : ": ", part.detail.c_str());
  std::fflush(stdout);
}

// The measure of --figure; null where it is not asked for.
const Measure* figure_of(const ReproduceArguments& arguments, const TaskKind& task,
                         const RunRecord& stored) {
  if (arguments.figure.empty()) return nullptr;
  std::vector<std::string> names;
  for (const Measure& measure : task.measures()) {
    if (!stored.summary.contains(std::string(measure.name))) continue;
    if (measure.name == arguments.figure) return &measure;
    names.emplace_back(measure.name);
  }
  throw usage_error("--figure: found \"" + arguments.figure +
                    "\", expected one of: " + joined(names));
}

// A run that is made over the stored one would be compared with itself.
void check_place(const std::string& record, const std::string& stored) {
  if (std::filesystem::exists(record) && std::filesystem::equivalent(record, stored))
    throw usage_error("--results: found the folder that " + stored +
                      " lies in, expected another one for the new record");
}

void reproduce(ReproduceArguments& arguments) {
  RunOptions& options = arguments.options;
  const RunRecord stored = load_record(arguments.run);
  const ExperimentConfig experiment = stored_experiment(stored, arguments.run);
  const Measure* figure = figure_of(arguments, *experiment.task, stored);
  options.seeds = {stored.seed};
  options.again = &stored;
  if (options.threads == 0) options.threads = stored.environment.value("threads", 0);
  if (options.precision == "auto") options.precision = stored.config.value("precision", "auto");
  check_place(planned_runs(experiment, options).front().record, arguments.run);
  RunOutcome outcome;
  std::vector<std::string> elsewhere;
  {
    Console console(arguments.quiet);
    if (const std::string line = take_recorded_kernel(stored); !line.empty()) console.message(line);
    elsewhere = environment_differences(
        stored.environment,
        to_json(choose_environment(options.device, options.precision, options.threads),
                program_state()));
    for (const std::string& line : elsewhere) console.message("not as recorded: " + line);
    outcome = run_experiment(experiment, options, console);
  }
  if (outcome.interrupted)
    throw Error("interrupted; the run is saved, and the same command goes on from there");
  if (!outcome.failures.empty()) throw Error(outcome.failures.front());
  const std::string& made = outcome.records.front();
  const RunRecord again = load_record(made);
  const Reproduction found = figure != nullptr
                                 ? compare_figure(stored, again, *figure, arguments.tolerance)
                                 : compare_reproduction(stored, again, arguments.tolerance);
  print(found, elsewhere, arguments, made);
  if (!found.reproduced)
    throw Error(arguments.run + ": the new run differs from its record" +
                (elsewhere.empty() ? "" : "; see above for what was not as recorded"));
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto arguments = std::make_shared<ReproduceArguments>();
  arguments->options.results = "build/reproduced";
  CLI::App* command = app.add_subcommand(
      "reproduce",
      "make a stored run again and compare: exit status 0 where all is equal or near, else 1");
  RunOptions& options = arguments->options;
  add_record(*command, "RUN,--run", &arguments->run, "the record")->required();
  command->add_option("--results", options.results, "folder of the new record")
      ->capture_default_str();
  command->add_option("--device", options.device, "auto, cpu, cuda or cuda:N")
      ->type_name("{auto,cpu,cuda}")
      ->capture_default_str();
  command->add_option("--threads", options.threads, "of the CPU; 0: the record's")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "share by which numbers may differ and still be near")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--figure", arguments->figure,
                      "compare this figure alone (for runs ended by max_minutes)");
  command->add_flag("--quiet", arguments->quiet, "no progress lines");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { reproduce(*arguments); });
}

}  // namespace minibert
