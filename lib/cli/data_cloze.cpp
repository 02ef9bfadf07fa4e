// minibert data make-cloze: questions by rule from the articles of a text, as SQuAD JSON.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/error.h"
#include "data/made/cloze_set.h"
#include "data/registry.h"
#include "data/splits/evaluation_texts.h"

namespace minibert {
namespace {

struct DataClozeArguments {
  std::vector<std::string> texts, exclude;
  std::string out;
  ClozeSettings settings = {
      .threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))};
};

void make_cloze(DataClozeArguments arguments) {
  refuse_same_file("--out", arguments.out, "the text", arguments.texts);
  const TextOverlap overlap = evaluation_overlap(arguments.exclude, [&](const std::string& id) {
    return choose(Registry::load(), {id}, data_directory());
  });
  if (!arguments.exclude.empty()) arguments.settings.exclude = &overlap;
  const nlohmann::json counts =
      to_json(make_cloze_set(arguments.texts, arguments.out, arguments.settings));
  for (const auto& [name, count] : counts.items())
    if (count.is_number()) std::printf("%-20s %s\n", name.c_str(), count.dump().c_str());
  for (const auto& [kind, count] : counts.at("kinds").items())
    std::printf("  %-18s %s\n", kind.c_str(), count.dump().c_str());
}

}  // namespace

void add_data_cloze(CLI::App& data) {
  auto arguments = std::make_shared<DataClozeArguments>();
  CLI::App* command =
      data.add_subcommand("make-cloze", "make questions by rule from Korean articles");
  command
      ->add_option("text", arguments->texts,
                   "text files (.zst and .gz too) or WikiExtractor folders")
      ->required();
  command->add_option("--out", arguments->out, "SQuAD JSON file to write")->required();
  command->add_option("--exclude", arguments->exclude,
                      "leave out paragraphs that these data sets evaluate on");
  command->callback([arguments] { make_cloze(*arguments); });
}

}  // namespace minibert
