// minibert compact: stored runs in as little space as today's format needs.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "compare/table.h"
#include "core/error.h"
#include "record/run_record.h"

namespace minibert {
namespace {

struct CompactArguments {
  std::vector<std::string> files;
  bool no_weights = false;
};

std::string kilobytes(const std::string& file) {
  return with_thousands(static_cast<double>(std::filesystem::file_size(file)) / 1000);
}

void compact_record(const std::string& given, bool no_weights) {
  if (!std::filesystem::exists(given)) throw usage_error(given + ": no such file");
  const std::string file = std::filesystem::canonical(given);  // what a link points to
  const RunLock lock(file);
  RunRecord record = load_record(file);
  if (record.status != "finished")
    throw Error(file + ": the run is " + record.status + ", expected a finished one");
  const std::string before = kilobytes(file);
  if (no_weights && !record.weights.empty()) {
    record.dropped_weights = weights_sha256(record.weights);
    record.weights.clear();
  }
  save_record(record, file);
  std::printf("%s: %s KB, %s before\n", file.c_str(), kilobytes(file).c_str(), before.c_str());
}

}  // namespace

void add_compact(CLI::App& app) {
  auto arguments = std::make_shared<CompactArguments>();
  CLI::App* command = app.add_subcommand(
      "compact",
      "write stored runs anew in less space, with all they hold or without their weights");
  command->add_option("files", arguments->files, "records of finished runs")->required();
  command->add_flag("--no-weights", arguments->no_weights,
                    "leave out the weights and keep their SHA-256: figures and predictions stay, "
                    "nothing can start from the run");
  command->callback([arguments] {
    for (const std::string& file : arguments->files) compact_record(file, arguments->no_weights);
  });
}

}  // namespace minibert
