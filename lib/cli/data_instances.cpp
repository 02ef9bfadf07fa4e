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

namespace minibert {
namespace {

struct DataInstancesArguments {
  std::vector<std::string> exclude;
  std::string id, split = "train", data_dir, tokenizer, out;
  std::vector<std::string> texts;
  // By the names and within the limits that an experiment file has for them.
  nlohmann::json settings = to_json(InstanceSettings{.mask = {.at_least_one = true}});
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  uint64_t show = 0;
  bool json = false;
};

std::vector<std::string> texts(const DataInstancesArguments& arguments) {
  if (arguments.id.empty() == arguments.texts.empty())
    throw usage_error("expected one of ID and --text FILE");
  if (arguments.id.empty()) return arguments.texts;
  const TextFiles files =
      text_files(choose(Registry::load(), {arguments.id}, data_directory(arguments.data_dir)));
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
  ConfigReader reader(arguments.settings, "minibert data instances");
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
    return choose(Registry::load(), {id}, data_directory(arguments.data_dir));
  });
  const nlohmann::json statistics =
      to_json(create_instances(files, tokenizer, settings, out, arguments.threads,
                               arguments.exclude.empty() ? nullptr : &overlap));
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
  command->add_option("--data", arguments->data_dir,
                      "data folder (else MINIBERT_DATA, else data/)");
  command->add_option(
      "--text", arguments->texts,
      "instead of a data set: text files (.zst and .gz too) or WikiExtractor folders");
  command
      ->add_option("--tokenizer", arguments->tokenizer,
                   "SentencePiece model, vocab.txt, tokenizer.json or run record (.h5)")
      ->required();
  command->add_option("--out", arguments->out,
                      "HDF5 file to write (with --show it may be missing)");
  command->add_option("--show", arguments->show,
                      "print the first so many, as the course does, in place of the statistics");
  nlohmann::json* settings = &arguments->settings;
  const auto option = [&](const std::string& flag, const std::string& key, const std::string& text,
                          auto example) {
    using Value = decltype(example);
    command
        ->add_option_function<Value>(
            flag, [settings, key](const Value& value) { (*settings)[key] = value; }, text)
        ->default_str((*settings)[key].is_string() ? (*settings)[key].template get<std::string>()
                                                   : (*settings)[key].dump());
  };
  option("--sequence-length", "sequence_length", "longest instance, in pieces", int64_t{});
  option("--sentence-task", "sentence_task", "swap, random_next or none", std::string());
  option("--unit", "unit", "document, or line: every line an instance (without sentence task)",
         std::string());
  option("--masking", "masking", "static (stored) or dynamic (chosen in training)", std::string());
  option("--mask-probability", "mask_probability", "share of the pieces that are masked", double{});
  option("--mask-choice", "mask_choice", "budget, or independent: every word by its own throw",
         std::string());
  option("--passes", "passes", "times through the text, each with new random decisions", int64_t{});
  option("--part", "part", "articles: all, first_half or second_half (told by the title)",
         std::string());
  option("--seed", "seed", "of all random decisions", int64_t{});
  option("--limit", "limit", "the first so many instances; 0: all", int64_t{});
  command->add_flag_callback(
      "--token-level", [settings] { (*settings)["whole_words"] = false; },
      "mask single pieces instead of whole words");
  command->add_option("--exclude", arguments->exclude,
                      "ids of data sets; paragraphs that share thirty letters with what they "
                      "evaluate on are left out");
  command->add_option("--threads", arguments->threads, "the result does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "the statistics as JSON");
  command->callback([arguments] { make_instances(*arguments); });
}

}  // namespace minibert
