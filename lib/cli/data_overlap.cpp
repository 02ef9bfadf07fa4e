// minibert data overlap: finds test examples in a training text, for compare --leave-out.
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "data/splits/evaluation_texts.h"

namespace minibert {
namespace {

struct DataOverlapArguments {
  std::string id;
  std::vector<std::string> texts;
  double share = 0.5;
};

void overlap(const DataOverlapArguments& arguments) {
  const ResolvedData data = choose(Registry::load(), {arguments.id}, data_directory());
  const ExampleOverlap found = find_overlap(test_examples(data), arguments.texts, arguments.share);
  for (const std::string& id : found.ids) std::cout << id << "\n";
  std::fprintf(stderr, "%zu of %zu test examples of %s are in the text\n", found.ids.size(),
               found.examples, data.set.id.c_str());
}

}  // namespace

void add_data_overlap(CLI::App& data) {
  auto arguments = std::make_shared<DataOverlapArguments>();
  CLI::App* command = data.add_subcommand(
      "overlap", "the ids of test examples that a training text holds, one a line");
  command->add_option("id", arguments->id, "a data set, as `minibert data list` names it")
      ->required();
  command
      ->add_option("text", arguments->texts,
                   "text files (.zst and .gz too) or WikiExtractor folders")
      ->required();
  command
      ->add_option("--share", arguments->share,
                   "of an example's n-grams of thirty letters (of a question: its context's)")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->callback([arguments] { overlap(*arguments); });
}

}  // namespace minibert
