// minibert classify: the labels of a stored run, or of a model file, for lines of text.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/table_texts.h"
#include "cli/text_lines.h"
#include "core/error.h"
#include "core/utf8.h"
#include "export/mbq_export.h"
#include "infer/classifier.h"
#include "task/sequence/sequence_kind.h"
#include "task/sequence/sequence_task.h"

namespace minibert {
namespace {

struct ClassifyArguments {
  std::string run;
  std::vector<std::string> texts;
  TableTexts table;
  bool words = false, json = false;
};

// A line's text, and behind a tab the second one of a pair.
struct Texts {
  std::string first, second;
  Texts(std::string one, std::string other) : first(std::move(one)), second(std::move(other)) {}
  explicit Texts(const std::string& line) : first(line.substr(0, line.find('\t'))) {
    if (first.size() < line.size()) second = line.substr(first.size() + 1);
  }
};

// [{text, start, end, probability, effect}], offsets in characters of the text.
nlohmann::ordered_json words_json(const std::string& text, const infer::ClassifyResult& result) {
  nlohmann::ordered_json words = nlohmann::json::array();
  const std::vector<uint32_t> offsets = code_point_offsets(text);
  const auto character = [&](uint32_t byte) {
    return std::ranges::lower_bound(offsets, byte) - offsets.begin();
  };
  for (const infer::WordWeight& word : result.words)
    words.push_back({{"text", text.substr(word.begin, word.end - word.begin)},
                     {"start", character(word.begin)},
                     {"end", character(word.end)},
                     {"probability", word.probability},
                     {"effect", result.labels[0].probability - word.probability}});
  return words;
}

void print(const std::string& line, const infer::ClassifyResult& result,
           const ClassifyArguments& arguments) {
  if (arguments.json) {
    nlohmann::ordered_json json = {{"text", line}, {"label", result.labels[0].label}};
    for (const auto& [label, probability] : result.labels)
      json["probabilities"][label] = probability;
    if (arguments.words) json["words"] = words_json(Texts(line).first, result);
    std::cout << json.dump() << "\n";
    return;
  }
  std::cout << line << "\n";
  for (const auto& [label, probability] : result.labels)
    std::printf("  %6.2f %%  %s\n", 100 * probability, label.c_str());
  for (const infer::WordWeight& word : result.words)
    std::printf("  %+6.2f     %s\n", 100 * (result.labels[0].probability - word.probability),
                line.substr(word.begin, word.end - word.begin).c_str());
  std::fflush(stdout);
}

// Labels every text that the command was given, to where its answer belongs.
void label_all(const ClassifyArguments& arguments,
               const std::function<infer::ClassifyResult(const Texts&)>& label) {
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const infer::ClassifyResult result = label(Texts(cells[0], cells[1]));
      return {{"prediction", result.labels[0].label},
              {"probability", std::to_string(result.labels[0].probability)}};
    });
  for_each_text(arguments.texts,
                [&](const std::string& line) { print(line, label(Texts(line)), arguments); });
}

// As training computes it.
void classify_by_record(const ClassifyArguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  const StoredClassifier stored = load_classifier(record, arguments.run);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, arguments.run);
  label_all(arguments, [&](const Texts& texts) {
    SequenceSplit one;
    one.ids = {texts.first};
    append_row(tokenizer, texts.first, texts.second, stored.max_length, &one.rows);
    const torch::Tensor probability_C =
        outputs_of(*stored.model, one, torch::kCPU).softmax(-1).contiguous();
    infer::ClassifyResult result;
    for (size_t i = 0; i < stored.labels.size(); ++i)
      result.labels.push_back({stored.labels[i], probability_C.data_ptr<float>()[i]});
    std::ranges::stable_sort(result.labels, std::greater(), &infer::LabelProbability::probability);
    return result;
  });
}

// As the page computes it.
void classify_by_engine(const ClassifyArguments& arguments) {
  const AlignedBytes file(load_or_export(arguments.run));
  infer::Classifier model;
  if (const infer::Status loaded = model.load(file.span()); !loaded.ok())
    throw usage_error(arguments.run + ": " + loaded.message());
  label_all(arguments, [&](const Texts& texts) {
    infer::ClassifyResult result;
    const infer::Status status =
        model.classify(texts.first, texts.second, arguments.words, &result);
    if (!status.ok()) throw usage_error(status.message());
    return result;
  });
}

void classify(const ClassifyArguments& arguments) {
  if (arguments.words || arguments.run.ends_with(".mbq")) return classify_by_engine(arguments);
  classify_by_record(arguments);
}

}  // namespace

void add_classify(CLI::App& app) {
  auto arguments = std::make_shared<ClassifyArguments>();
  CLI::App* command = app.add_subcommand("classify", "label texts with a stored run");
  command
      ->add_option("--run", arguments->run,
                   "record of a classification run, with weights, or a .mbq of one")
      ->required();
  add_texts(*command, &arguments->texts,
            "texts, a pair with a tab between (else standard input, one a line)");
  add_table_texts(*command, {"text", "pair"}, &arguments->table);
  command->add_flag("--words", arguments->words,
                    "also each word's part in the best label: how much less probable that is with "
                    "the word masked (of a BERT)");
  command->add_flag("--json", arguments->json, "one JSON object a text");
  command->callback([arguments] { classify(*arguments); });
}

}  // namespace minibert
