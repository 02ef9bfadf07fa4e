// minibert classify: a stored run's labels for lines of text, with probabilities.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <numeric>

#include "cli/commands.h"
#include "cli/text_lines.h"
#include "task/sequence/sequence_kind.h"
#include "task/sequence/sequence_task.h"

namespace minibert {
namespace {

struct Arguments {
  std::string run;
  std::vector<std::string> texts;
  bool json = false;
};

void print(const std::string& text, const std::vector<std::string>& labels,
           const torch::Tensor& probability_C, bool json) {
  const float* probability = probability_C.data_ptr<float>();
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return probability[a] > probability[b]; });
  if (json) {
    nlohmann::ordered_json line = {{"text", text}, {"label", labels[order[0]]}};
    for (const size_t i : order) line["probabilities"][labels[i]] = probability[i];
    std::cout << line.dump() << "\n";
    return;
  }
  std::cout << text << "\n";
  for (const size_t i : order)
    std::printf("  %6.2f %%  %s\n", 100 * probability[i], labels[i].c_str());
  std::fflush(stdout);
}

void classify(const Arguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  const StoredClassifier stored = load_classifier(record, arguments.run);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, arguments.run);
  for_each_text(arguments.texts, [&](const std::string& line) {
    const size_t tab = line.find('\t');
    SequenceSplit one;
    one.ids = {line};
    append_row(tokenizer, line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1),
               stored.max_length, &one.rows);
    print(line, stored.labels, outputs_of(*stored.model, one, torch::kCPU).softmax(-1).contiguous(),
          arguments.json);
  });
}

}  // namespace

void add_classify(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("classify", "label texts with a stored run");
  command->add_option("--run", arguments->run, "record of a classification run, with weights")
      ->required();
  command->add_option("TEXT", arguments->texts,
                      "texts, a pair with a tab between (else standard input, one a line)");
  command->add_flag("--json", arguments->json, "one JSON object a text");
  command->callback([arguments] { classify(*arguments); });
}

}  // namespace minibert
