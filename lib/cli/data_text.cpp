// minibert data make-text: the training part of labelled data sets as a text to pretrain on.
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "data/made/table_text.h"
#include "data/registry.h"

namespace minibert {
namespace {

struct DataTextArguments {
  std::vector<std::string> ids;
  std::string out;
};

void make_text(const DataTextArguments& arguments) {
  std::vector<ResolvedData> sets;
  for (const std::string& id : arguments.ids)
    sets.push_back(choose(Registry::load(), {id}, data_directory()));
  const std::vector<TableTextCounts> counts = write_table_text(sets, arguments.out);
  std::printf("id\texamples\tdocuments\tparagraphs\tbytes\n");
  for (const TableTextCounts& one : counts)
    std::printf("%s\t%ju\t%ju\t%ju\t%ju\n", one.id.c_str(), uintmax_t{one.examples},
                uintmax_t{one.documents}, uintmax_t{one.paragraphs}, uintmax_t{one.bytes});
}

}  // namespace

void add_data_text(CLI::App& data) {
  auto arguments = std::make_shared<DataTextArguments>();
  CLI::App* command = data.add_subcommand(
      "make-text", "write the training part of labelled data sets as a text to pretrain on");
  command->add_option("id", arguments->ids, "data sets with tables, as `minibert data list` names")
      ->required();
  command->add_option("--out", arguments->out, "text file to write")->required();
  command->callback([arguments] { make_text(*arguments); });
}

}  // namespace minibert
