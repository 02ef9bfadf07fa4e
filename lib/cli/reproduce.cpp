// minibert reproduce: makes a stored run again from its record and says whether it came out alike.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>

#include "cli/commands.h"
#include "cli/console.h"
#include "core/error.h"
#include "core/text.h"
#include "experiment/runner.h"
#include "experiment/stored_model.h"

namespace minibert {
namespace {

struct Arguments {
  std::string run;
  RunOptions options;
  bool quiet = false, json = false;
};

// Figures that time, not training, decides.
const std::set<std::string> kTimings = {"ms_per_question", "tokens_per_second", "train_seconds",
                                        "wall_seconds"};

void print(const nlohmann::json& report, const std::vector<std::string>& different, bool as_json) {
  if (as_json) {
    std::cout << report.dump(2) << "\n";
    return;
  }
  std::printf("%-28s %14s %14s\n", "", "stored", "reproduced");
  for (const auto& [name, pair] : report["summary"].items())
    std::printf("%-28s %14.6g %14.6g%s\n", name.c_str(), pair["stored"].get<double>(),
                pair["reproduced"].get<double>(),
                std::ranges::count(different, name) > 0 ? "  differs" : "");
  std::printf("weights: %s\n", report["weights"].get<std::string>().c_str());
  std::fflush(stdout);
}

void reproduce(Arguments& arguments) {
  const RunRecord stored = load_record(arguments.run);
  const ExperimentConfig experiment = stored_experiment(stored, arguments.run);
  arguments.options.seeds = {stored.seed};
  if (arguments.options.threads == 0)
    arguments.options.threads = stored.environment.value("threads", 0);
  if (arguments.options.precision == "auto")
    arguments.options.precision = stored.config.value("precision", "auto");
  RunOutcome outcome;
  {
    Console console(arguments.quiet);
    outcome = run_experiment(experiment, arguments.options, console);
  }
  if (outcome.interrupted)
    throw Error("interrupted; the run is saved, and the same command goes on from there");
  if (!outcome.failures.empty()) throw Error(outcome.failures.front());
  const RunRecord made = load_record(outcome.records.front());

  nlohmann::json report = {{"stored", arguments.run}, {"reproduced", outcome.records.front()}};
  const bool comparable = !stored.weights.empty() && !made.weights.empty();
  const bool identical =
      comparable && weights_sha256(stored.weights) == weights_sha256(made.weights);
  report["weights"] = !comparable ? "not stored" : identical ? "identical" : "different";
  report["tokenizer_identical"] = stored.tokenizer_model == made.tokenizer_model;
  for (const auto& [name, value] : stored.summary)
    if (made.summary.count(name))
      report["summary"][name] = {{"stored", value}, {"reproduced", made.summary.at(name)}};
  std::vector<std::string> different;
  if (comparable && !identical) different.emplace_back("weights");
  for (const auto& [name, pair] : report["summary"].items())
    if (!kTimings.count(name) && pair["stored"] != pair["reproduced"]) different.push_back(name);
  print(report, different, arguments.json);
  if (!different.empty())
    throw Error(arguments.run + ": did not come out alike: " + joined(different));
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  arguments->options.results = "build/reproduced";
  CLI::App* command = app.add_subcommand("reproduce", "make a stored run again and compare");
  RunOptions& options = arguments->options;
  command->add_option("--run", arguments->run, "the record")->required();
  command->add_option("--results", options.results, "folder of the new record")
      ->capture_default_str();
  command->add_option("--data", options.data_dir, "data folder (else MINIBERT_DATA, else data/)");
  command->add_option("--device", options.device, "auto, cpu, cuda or cuda:N")
      ->capture_default_str();
  command->add_option("--precision", options.precision, "fp32, bf16 or auto: the record's")
      ->capture_default_str();
  command->add_option("--threads", options.threads, "of the CPU; 0: the record's")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--quiet", arguments->quiet, "no progress lines");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { reproduce(*arguments); });
}

}  // namespace minibert
