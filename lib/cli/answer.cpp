// minibert answer: the n-best answers of a stored run, or of a model file, to one question.
#include <spdlog/spdlog.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/table_texts.h"
#include "core/percent.h"
#include "infer/particles.h"
#include "task/all/load_predictor.h"

namespace minibert {
namespace {

struct AnswerArguments {
  std::string run, context, question;
  TableTexts table;
  int n_best = 5;
  bool json = false;
};

std::vector<infer::Answer> best_answers(AnswerPredictor& model, const std::string& question,
                                        const std::string& context, int top,
                                        LongQuestion long_question) {
  return infer::answers_without_particles(context, static_cast<size_t>(top), [&](size_t count) {
    return model.answers(question, context, static_cast<int>(count), long_question);
  });
}

// The best answer to every row's question. One that is too long is cut as in training, and told.
void answer_rows(AnswerArguments& arguments) {
  arguments.table.columns[0].second = arguments.question;
  arguments.table.columns[1].second = arguments.context;
  arguments.table.learnt = learnt_columns(arguments.run);
  const auto model = load_predictor<AnswerPredictor>(arguments.run);
  size_t cut = 0;
  for_each_row(
      arguments.table,
      [&](const std::vector<std::string>& cells) -> AddedCells {
        if (cells[1].empty()) return {};
        const auto answers = best_answers(*model, cells[0], cells[1], 1, LongQuestion::cut);
        cut += model->reads_whole(cells[0]) ? 0 : 1;
        if (answers.empty()) return {{"prediction", ""}, {"probability", "", true}};
        return {{"prediction", answers[0].text},
                {"probability", std::to_string(answers[0].probability), true}};
      },
      "a question and a context");
  if (cut > 0)
    spdlog::warn("{}: {} questions are longer than the model reads: the rest of them is not read",
                 arguments.table.in, cut);
}

void answer(AnswerArguments& arguments) {
  if (arguments.table.given()) return answer_rows(arguments);
  warn_of_file(arguments.context, "--context @FILE reads it");
  arguments.context = text_or_file(arguments.context, "--context");
  check_text(arguments.question, "--question");
  const auto answers =
      best_answers(*load_predictor<AnswerPredictor>(arguments.run), arguments.question,
                   arguments.context, arguments.n_best, LongQuestion::refused);
  nlohmann::json list = nlohmann::json::array();
  for (const infer::Answer& one : answers) {
    list.push_back({{"text", one.text},
                    {"probability", one.probability},
                    {"start", one.first},
                    {"end", one.last}});
    if (!arguments.json)
      std::printf("%6s  %6u-%-6u %s\n", percent(one.probability).c_str(), one.first, one.last,
                  one.text.c_str());
  }
  if (arguments.json) std::cout << list.dump(2) << "\n";
}

}  // namespace

void add_answer(CLI::App& app) {
  auto arguments = std::make_shared<AnswerArguments>();
  CLI::App* command = app.add_subcommand("answer", "answer a question about a text");
  add_record(*command, "--run", &arguments->run,
             "record of a question-answering run, or a .mbq of one")
      ->required();
  command->add_option("--context", arguments->context,
                      "the text, or @FILE (a text that begins with @: @@…); with --in its column");
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
