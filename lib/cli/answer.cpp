// minibert answer: the n-best answers of a stored run, or of a model file, to one question.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <vector>

#include "cli/commands.h"
#include "cli/table_texts.h"
#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "export/mbq_export.h"
#include "infer/answerer.h"
#include "task/qa/qa_data.h"
#include "task/qa/qa_evaluate.h"
#include "task/qa/qa_kind.h"

namespace minibert {
namespace {

struct AnswerArguments {
  std::string run, context, question;
  TableTexts table;
  int n_best = 5;
  bool json = false;
};

// Code points before byte `offset` of valid UTF-8: KorQuAD counts characters.
uint32_t character_offset(const std::string& text, uint32_t offset) {
  return static_cast<uint32_t>(code_point_offsets(std::string_view(text).substr(0, offset)).size() -
                               1);
}

void check_text(const std::string& flag, const std::string& text) {
  if (const size_t bad = first_invalid_utf8(text); bad != kValid)
    throw usage_error(flag + ": not valid UTF-8 at byte " + std::to_string(bad));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw usage_error(flag + ": is empty, expected text");
}

using AnswerFunction = std::function<std::vector<infer::Answer>(const std::string& question,
                                                                const std::string& context)>;

// As training computes it.
AnswerFunction answers_of_record(const AnswerArguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  auto [model, settings] = load_qa(record, arguments.run);
  auto tokenizer = std::make_shared<const Tokenizer>(
      Tokenizer::from_bytes(record.tokenizer_model, arguments.run));
  settings.spans.n_best = std::max(settings.spans.n_best, arguments.n_best);
  return [model = model, settings = settings, tokenizer](const std::string& question,
                                                         const std::string& context) {
    const QaSplit split = encode_open_question(context, question, *tokenizer, settings.features);
    std::vector<infer::Answer> out;
    for (const QaAnswer& one : answer_question(*model, split, 0, settings, torch::kCPU))
      out.push_back({one.text, one.begin, one.end, character_offset(context, one.begin),
                     character_offset(context, one.end), one.probability});
    if (out.empty()) throw Error("the context has no pieces to answer with");
    return out;
  };
}

// As the page computes it.
AnswerFunction answers_of_file(const AnswerArguments& arguments) {
  auto file = std::make_shared<const AlignedBytes>(read_file(arguments.run));
  auto model = std::make_shared<infer::Answerer>();
  if (const infer::Status loaded = model->load(file->span()); !loaded.ok())
    throw usage_error(arguments.run + ": " + loaded.message());
  return [file, model, n_best = arguments.n_best](const std::string& question,
                                                  const std::string& context) {
    infer::AnswerResult result;
    const infer::Status status = model->answer(question, context, n_best, &result);
    if (!status.ok()) throw usage_error(status.message());
    return result.answers;
  };
}

// The best answer to every row's question.
void answer_rows(AnswerArguments& arguments, const AnswerFunction& answers_to) {
  arguments.table.columns[0].second = arguments.question;
  arguments.table.columns[1].second = arguments.context;
  for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
    const std::vector<infer::Answer> answers = answers_to(cells[0], cells[1]);
    if (answers.empty()) return {{"prediction", ""}, {"probability", ""}};
    return {{"prediction", answers[0].text},
            {"probability", std::to_string(answers[0].probability)}};
  });
}

void answer(AnswerArguments& arguments) {
  const bool rows = arguments.table.given();
  if (!rows && arguments.context.starts_with("@"))
    arguments.context = read_file(arguments.context.substr(1));
  if (!rows) {
    check_text("--context", arguments.context);
    check_text("--question", arguments.question);
  }
  const AnswerFunction answers_to =
      arguments.run.ends_with(".mbq") ? answers_of_file(arguments) : answers_of_record(arguments);
  if (rows) return answer_rows(arguments, answers_to);
  std::vector<infer::Answer> answers = answers_to(arguments.question, arguments.context);
  answers.resize(std::min(answers.size(), static_cast<size_t>(arguments.n_best)));
  nlohmann::json list = nlohmann::json::array();
  for (const infer::Answer& one : answers) {
    list.push_back({{"text", one.text},
                    {"probability", one.probability},
                    {"start", one.first},
                    {"end", one.last}});
    if (!arguments.json)
      std::printf("%6.2f %%  %6u-%-6u %s\n", 100 * one.probability, one.first, one.last,
                  one.text.c_str());
  }
  if (arguments.json) std::cout << list.dump(2) << "\n";
}

}  // namespace

void add_answer(CLI::App& app) {
  auto arguments = std::make_shared<AnswerArguments>();
  CLI::App* command = app.add_subcommand("answer", "answer a question about a text");
  command
      ->add_option("--run", arguments->run, "record of a question-answering run, or a .mbq of one")
      ->required();
  command->add_option("--context", arguments->context, "the text, or @FILE; with --in its column");
  command->add_option("--question", arguments->question, "the question; with --in its column");
  add_table_texts(*command, {"question", "context"}, &arguments->table);
  command->add_option("--n-best", arguments->n_best, "answers shown")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", arguments->json,
                    "a list of {text, probability, start, end}; offsets in characters");
  command->callback([arguments] { answer(*arguments); });
}

}  // namespace minibert
