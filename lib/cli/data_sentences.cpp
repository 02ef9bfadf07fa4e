// minibert data make-sentences: single sentences of texts as a text to pretrain on.
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "core/error.h"
#include "data/made/sentence_text.h"

namespace minibert {
namespace {

struct DataSentencesArguments {
  std::vector<std::string> texts, utterances;
  std::string out;
  SentenceTextSettings settings;
};

void make_sentences(const DataSentencesArguments& arguments) {
  std::vector<SentenceSource> sources;
  for (const std::string& path : arguments.texts) sources.push_back({path, false});
  for (const std::string& path : arguments.utterances) sources.push_back({path, true});
  if (sources.empty()) throw usage_error("expected a text, or --utterances");
  const std::vector<SentenceTextCounts> counts =
      write_sentence_text(sources, arguments.out, arguments.settings);
  std::printf("path\tparagraphs\tfound\tsentences\tbytes\n");
  for (const SentenceTextCounts& one : counts)
    std::printf("%s\t%ju\t%ju\t%ju\t%ju\n", one.path.c_str(), uintmax_t{one.paragraphs},
                uintmax_t{one.found}, uintmax_t{one.sentences}, uintmax_t{one.bytes});
}

}  // namespace

void add_data_sentences(CLI::App& data) {
  auto arguments = std::make_shared<DataSentencesArguments>();
  CLI::App* command = data.add_subcommand(
      "make-sentences", "write single sentences of texts, each a document, to pretrain on");
  command->add_option("text", arguments->texts, "texts whose sentences end in a mark");
  command->add_option("--utterances", arguments->utterances,
                      "texts whose lines may end without a full stop");
  command->add_option("--out", arguments->out, "text file to write")->required();
  command
      ->add_option("--most", arguments->settings.most,
                   "at most N sentences of each text, drawn evenly; 0: all")
      ->capture_default_str();
  command->callback([arguments] { make_sentences(*arguments); });
}

}  // namespace minibert
