// minibert data make-kowiki: the articles of a Wikipedia dump as plain text to train on.
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/error.h"
#include "data/made/wiki_dump.h"

namespace minibert {
namespace {

constexpr int kDevPercent = 2;  // of the articles

struct DataKowikiArguments {
  std::string dump, out, dev;
};

void make(const DataKowikiArguments& arguments) {
  refuse_same_file("--out", arguments.out, "the dump", {arguments.dump});
  refuse_same_file("--dev", arguments.dev, "the dump", {arguments.dump});
  if (!arguments.dev.empty() && std::filesystem::weakly_canonical(arguments.dev) ==
                                    std::filesystem::weakly_canonical(arguments.out))
    throw usage_error("--dev " + arguments.dev + ": is --out itself, expected another file");
  const WikiTextCounts counts =
      write_wiki_text(arguments.dump, arguments.out, arguments.dev, kDevPercent, /*limit=*/0);
  std::cout << nlohmann::json({{"articles", counts.articles},
                               {"dev_articles", counts.dev_articles},
                               {"paragraphs", counts.paragraphs},
                               {"bytes", counts.bytes},
                               {"articles_without_text", counts.empty}})
                   .dump(2)
            << "\n";
}

}  // namespace

void add_data_kowiki(CLI::App& data) {
  auto arguments = std::make_shared<DataKowikiArguments>();
  CLI::App* command = data.add_subcommand(
      "make-kowiki", "plain text of the articles in a MediaWiki dump (pages-articles.xml.bz2)");
  command->add_option("dump", arguments->dump, "the dump, compressed (bzip2, gzip, zstd) or not")
      ->required();
  command->add_option("--out", arguments->out, "text file to write")->required();
  command->add_option("--dev", arguments->dev, "text file for the 2 % of articles held out");
  command->callback([arguments] { make(*arguments); });
}

}  // namespace minibert
