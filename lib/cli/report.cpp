// minibert report: stored runs as a page to look at.
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "compare/compare.h"
#include "core/error.h"
#include "core/files.h"
#include "record/run_record.h"
#include "report/report_data.h"
#include "report/report_page.h"
#include "task/all/registry.h"

namespace minibert {
namespace {

struct ReportArguments {
  std::string name, profile, results = "results", out, assets = "lib/report/page";
  std::vector<std::string> runs;
};

// The record's experiment; of a damaged one, of which the page warns, whose folder it lies in.
std::string experiment_of(const std::string& path) {
  try {
    return load_record(path, Load::summary).experiment;
  } catch (const Error&) {
    return std::filesystem::absolute(path).parent_path().parent_path().filename().string();
  }
}

void report(const ReportArguments& arguments) {
  std::vector<std::vector<std::string>> groups = {arguments.runs};
  if (arguments.runs.empty())
    groups = find_runs(arguments.results, arguments.name, arguments.profile);
  // A page an experiment, whatever its profiles; with --out or --runs one page of all.
  std::map<std::string, std::vector<std::string>> pages;
  for (const auto& paths : groups) {
    refuse_same_file("--out", arguments.out, "the record", paths);
    for (const std::string& path : paths)
      pages[arguments.out.empty() ? arguments.results + "/" + experiment_of(path) + "/report.html"
                                  : arguments.out]
          .push_back(path);
  }
  for (const auto& [file, paths] : pages) {
    write_file_atomically(file, report_page(report_data(paths, all_measures()), arguments.assets));
    std::cout << file << "\n";
  }
}

}  // namespace

void add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command =
      app.add_subcommand("report", "write stored runs as a page of charts that opens offline");
  auto* name =
      command->add_option("EXPERIMENT,--name", arguments->name, "the experiment (default: all)");
  auto* profile =
      command->add_option("--profile", arguments->profile, "the profile (default: all)");
  command->add_option("--results", arguments->results, "where runs are stored")
      ->capture_default_str();
  command->add_option("--runs", arguments->runs, "these records, separated by commas, instead")
      ->delimiter(',')
      ->excludes(name)
      ->excludes(profile);
  command->add_option("--out", arguments->out,
                      "the page (default: report.html in the experiment's folder)");
  command->add_option("--assets", arguments->assets, "folder of the page's parts")
      ->capture_default_str();
  command->callback([arguments] { report(*arguments); });
}

}  // namespace minibert
