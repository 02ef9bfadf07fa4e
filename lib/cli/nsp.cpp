// minibert nsp: the probability that the second text follows the first.
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/percent.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/text_input.h"

namespace minibert {
namespace {

struct NspArguments {
  std::string run, first, second;
  bool json = false;
};

void nsp(const NspArguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  const StoredPretraining stored = stored_pretraining(record, arguments.run);
  if (stored.sentence_task == SentenceTask::none)
    throw usage_error(arguments.run +
                      ": instances.sentence_task: found \"none\", expected a run that learnt "
                      "\"swap\" or \"random_next\"");
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, arguments.run);
  if (arguments.second.empty()) throw usage_error("SECOND: the text is empty");
  TextInput input;
  try {
    input = text_input(tokenizer, arguments.first, arguments.second, stored.model.max_positions);
  } catch (const Error& error) {
    throw usage_error(std::string("FIRST and SECOND: ") + error.what());
  }
  torch::NoGradGuard no_grad;
  const auto model = load_pretrained(record, arguments.run);
  const double probability =
      model->nsp(model->encode(input.ids, input.segments)).softmax(-1)[0][1].item<double>();
  const bool swap = stored.sentence_task == SentenceTask::swap;
  if (arguments.json) {
    const nlohmann::ordered_json told = {{"first", arguments.first},
                                         {"second", arguments.second},
                                         {"sentence_task", swap ? "swap" : "random_next"},
                                         {"probability", probability}};
    std::cout << told.dump() << "\n";
    return;
  }
  // Which of its two answers the model was taught to give, in its own terms.
  std::printf("%6s  %s\n", percent(probability).c_str(),
              swap ? "in the right order" : "the second follows the first");
  std::printf("%6s  %s\n", percent(1 - probability).c_str(),
              swap ? "changed places" : "the second is from elsewhere");
}

}  // namespace

void add_nsp(CLI::App& app) {
  auto arguments = std::make_shared<NspArguments>();
  CLI::App* command = app.add_subcommand(
      "nsp", "the probability that a text follows another, or that two are in the right order");
  add_record(*command, "--run", &arguments->run,
             "record of a pretraining run with weights and a sentence task")
      ->required();
  command->add_option("FIRST", arguments->first, "a text")->required();
  command->add_option("SECOND", arguments->second, "the text that may follow it")->required();
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { nsp(*arguments); });
}

}  // namespace minibert
