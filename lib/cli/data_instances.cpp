// minibert data instances: pretraining instances of a text, as an HDF5 file.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/temporary.h"
#include "data/instances/instances.h"
#include "data/instances/printed_instance.h"
#include "data/registry.h"
#include "data/splits/evaluation_texts.h"
#include "data/splits/question_data.h"
#include "experiment/overrides.h"

namespace minibert {
namespace {

struct DataInstancesArguments {
  std::vector<std::string> exclude;
  std::string id, split = "train", tokenizer, out;
  std::vector<std::string> texts;
  std::vector<std::string> overrides;  // KEY=VALUE of an experiment's instances
  uint64_t show = 0;
  bool json = false;
};

std::vector<std::string> texts(const DataInstancesArguments& arguments) {
  if (arguments.id.empty() == arguments.texts.empty())
    throw usage_error("expected one of ID and --text FILE");
  if (arguments.id.empty()) return arguments.texts;
  const TextFiles files = text_files(choose(Registry::load(), {arguments.id}, data_directory()));
  const auto& chosen = arguments.split == "train" ? files.train
                       : arguments.split == "dev" ? files.dev
                                                  : files.test;
  if (chosen.empty())
    throw usage_error("--split: " + arguments.id + " has no text for \"" + arguments.split + "\"");
  return chosen;
}

void print(const nlohmann::json& statistics) {
  for (const auto& [name, value] : statistics.items())
    if (value.is_number_float()) {
      std::printf("%-16s %.4f\n", name.c_str(), value.get<double>());
    } else if (value.is_number()) {
      std::printf("%-16s %s\n", name.c_str(), value.dump().c_str());
    }
  const auto& counts = statistics["length_histogram"]["counts"];
  const int width = statistics["length_histogram"]["bin_width"];
  int first = 1;
  for (const auto& count : counts) {
    std::printf("%3d-%3d pieces   %s\n", first, first + width - 1, count.dump().c_str());
    first += width;
  }
}

// The first instances of a file.
void show(const std::string& path, const DataInstancesArguments& arguments,
          const InstanceSettings& settings, const Tokenizer& tokenizer) {
  const InstanceFile file(path);
  for (size_t i = 0; i < std::min<size_t>(arguments.show, file.size()); ++i)
    std::cout << (i > 0 ? "\n" : "")
              << printed_instance(file, i, tokenizer, settings.mask, settings.seed);
}

void make_instances(const DataInstancesArguments& arguments) {
  if (arguments.out.empty() && arguments.show == 0)
    throw usage_error("expected --out FILE, or --show N to see the first ones");
  nlohmann::json json = to_json(InstanceSettings{.mask = {.at_least_one = true}});
  for (const std::string& assignment : arguments.overrides) apply_override(&json, assignment);
  ConfigReader reader(json, "minibert data instances");
  const InstanceSettings settings = read_instance_settings(reader);
  reader.finish();
  const std::vector<std::string> files = texts(arguments);
  refuse_same_file("--out", arguments.out, "the text", files);
  refuse_same_file("--out", arguments.out, "the tokenizer", {arguments.tokenizer});
  std::optional<Temporary> passing;
  if (arguments.out.empty()) passing.emplace(Temporary::folder());
  const std::string out = passing ? passing->path() + "/instances.h5" : arguments.out;
  const Tokenizer tokenizer = load_tokenizer(arguments.tokenizer);
  const TextOverlap overlap = evaluation_overlap(arguments.exclude, [&](const std::string& id) {
    return choose(Registry::load(), {id}, data_directory());
  });
  const auto threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const nlohmann::json statistics = to_json(create_instances(
      files, tokenizer, settings, out, threads, arguments.exclude.empty() ? nullptr : &overlap));
  if (arguments.show > 0) {
    show(out, arguments, settings, tokenizer);
  } else if (arguments.json) {
    std::cout << statistics.dump(2) << "\n";
  } else {
    print(statistics);
  }
}

}  // namespace

void add_data_instances(CLI::App& data) {
  auto arguments = std::make_shared<DataInstancesArguments>();
  CLI::App* command = data.add_subcommand("instances", "make pretraining instances of a text");
  command->add_option("id", arguments->id, "id of a data set");
  command->add_option("--split", arguments->split, "of the data set")
      ->check(CLI::IsMember({"train", "dev", "test"}))
      ->capture_default_str();
  command->add_option("--text", arguments->texts,
                      "instead: text files (.zst, .gz) or WikiExtractor folders");
  add_tokenizer_file(*command, "--tokenizer", &arguments->tokenizer);
  command->add_option("--out", arguments->out,
                      "HDF5 file to write (with --show it may be missing)");
  command->add_option("--show", arguments->show, "instead: print the first N, as the course does");
  command->add_option("--set", arguments->overrides,
                      "KEY=VALUE of \"instances\" (experiments/KEYS.md)");
  command->add_option("--exclude", arguments->exclude,
                      "leave out paragraphs that these data sets evaluate on");
  command->add_flag("--json", arguments->json, "the statistics as JSON");
  command->callback([arguments] { make_instances(*arguments); });
}

}  // namespace minibert
