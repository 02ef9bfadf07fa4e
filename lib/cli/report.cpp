// minibert report: stored runs as a page.
#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "compare/compare.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "experiment/experiment_file.h"
#include "record/record_folder.h"
#include "report/report_data.h"
#include "report/report_page.h"
#include "task/all/registry.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string name, profile, results = "results", out, assets = kReportAssets;
  std::vector<std::string> runs;
};

// Beside the profiles of the folder of `results` that the record lies in, whatever experiment it names (below "own", of
// that experiment's folder there); of a record elsewhere in its own folder.
std::string page_of(const std::string& path, const std::string& results) {
  const fs::path below = fs::absolute(path).lexically_normal().lexically_relative(
      fs::absolute(results).lexically_normal());
  const bool is_stored = below.has_parent_path() && *below.begin() != "..";
  if (!is_stored) return (fs::path(path).lexically_normal().parent_path() / "report.html").string();
  auto part = below.begin();
  fs::path folder = fs::path(results) / *part;
  if (*part == kOwnRuns && std::distance(part, below.end()) > 2) folder /= *++part;
  return (folder / "report.html").string();
}

void report(const ReportArguments& arguments) {
  std::vector<std::vector<std::string>> groups = {arguments.runs};
  for (std::string& path : groups.front()) {
    const std::string shipped = shipped_path(path);
    // Whose page would lie beside it.
    if (shipped != path && arguments.out.empty())
      throw usage_error("--runs: found " + path +
                        ", which the program ships, expected --out with it");
    path = shipped;
  }
  if (arguments.runs.empty()) {
    const std::string results = results_with(arguments.results, arguments.name);
    if (results != arguments.results && arguments.out.empty())
      throw usage_error(arguments.name +
                        ": found runs that the program ships, expected --out with it");
    groups = find_runs(results, arguments.name, arguments.profile);
  }
  // A page an experiment's folder, whatever its profiles; with --out or --runs one page of all.
  std::map<std::string, std::vector<std::string>> pages;
  for (const auto& paths : groups) {
    refuse_same_file("--out", arguments.out, "the record", paths);
    for (const std::string& path : paths)
      pages[arguments.out.empty() ? page_of(path, arguments.results) : arguments.out].push_back(
          path);
  }
  refuse_record("--out", arguments.out);
  if (!arguments.runs.empty() && pages.size() > 1) {
    std::vector<std::string> files;
    for (const auto& [file, paths] : pages) files.push_back(file);
    throw usage_error("--runs: found runs of several pages (" + joined(files) +
                      "), expected --out with them");
  }
  for (const auto& [file, paths] : pages) {
    const nlohmann::json data = report_data(paths, all_measures(), {}, questions_of);
    write_file_atomically(file, report_page(data, shipped_path(arguments.assets)));
    for (const auto& warning : data.value("warnings", nlohmann::json::array()))
      spdlog::warn("{}", warning.get<std::string>());
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
  auto* profile = command->add_option("--profile", arguments->profile,
                                      "folder of a profile's runs, as quick-2-core (default: all)");
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
