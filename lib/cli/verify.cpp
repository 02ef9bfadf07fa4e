// minibert verify: checks if stored runs can be trusted.
#include "record/verify.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "core/error.h"
#include "core/file_kind.h"
#include "core/shipped_files.h"
#include "core/shown_json.h"

namespace minibert {
namespace {

struct VerifyArguments {
  std::vector<std::string> files;
  bool json = false, verbose = false;
};

// Refuses a folder of records and a model file: they have no faults as records.
void refuse_others(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw usage_error(file + ": is a folder, expected records: " + file + "/*.h5");
  if (std::filesystem::is_regular_file(file, ignored) && is_safetensors(file))
    throw usage_error(file +
                      ": a model file (.mbq or safetensors), expected records; a .mbq is checked "
                      "whenever it is read");
}

void verify(const VerifyArguments& arguments) {
  for (const std::string& file : arguments.files) refuse_others(file);
  size_t bad = 0;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::string& file : arguments.files) {
    const Verification found = verify_record(file);
    bad += !found.problems.empty();
    all.push_back({{"file", file},
                   {"ok", found.problems.empty()},
                   {"status", found.status},
                   {"problems", found.problems},
                   {"notes", found.notes},
                   {"weights_sha256", found.weights_sha256},
                   {"config_sha256", found.config_sha256},
                   {"tokenizer_sha256", found.tokenizer_sha256},
                   {"read_by", found.reading}});
    if (arguments.json) continue;
    std::printf("%s: %s%s%s\n", file.c_str(), found.problems.empty() ? "ok" : "WRONG",
                found.status.empty() ? "" : ", a run that is ", found.status.c_str());
    for (const std::string& problem : found.problems) std::printf("  wrong: %s\n", problem.c_str());
    for (const std::string& note : found.notes) std::printf("  note: %s\n", note.c_str());
    if (!found.config_sha256.empty())
      std::printf("  SHA-256: configuration %.12s…, tokenizer %.12s…, weights %.12s…\n",
                  found.config_sha256.c_str(), found.tokenizer_sha256.c_str(),
                  found.weights_sha256.c_str());
    if (arguments.verbose && !found.reading.empty())
      std::printf("  read by: %s\n", found.reading.c_str());
  }
  if (arguments.json) std::cout << shown_json(all) << "\n";
  if (bad > 0)
    throw Error(std::to_string(bad) + " of " + std::to_string(arguments.files.size()) +
                " records cannot be trusted");
}

}  // namespace

void add_verify(CLI::App& app) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "check stored runs: format, checksums, completeness, finite numbers");
  command->add_option("files", arguments->files, "run records")
      ->required()
      ->transform(shipped_path);
  command->add_flag("--json", arguments->json, "as JSON, with the hashes that identify a run");
  command->add_flag("--verbose", arguments->verbose,
                    "what the process that reads a record is kept from, too");
  command->callback([arguments] { verify(*arguments); });
}

}  // namespace minibert
