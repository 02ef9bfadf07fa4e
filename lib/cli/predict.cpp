// minibert predict: a stored run's or model file's predictions for texts: answers, labels, numbers,
// alternatives or names, by its task.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/table_texts.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/percent.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/files/labelled_file.h"
#include "infer/particles.h"
#include "score/label_set.h"
#include "task/all/load_predictor.h"

namespace minibert {
namespace {

struct PredictArguments {
  std::string run, context, question;
  std::vector<std::string> texts;
  TableTexts table;
  int n_best = 5;
  bool words = false, json = false;
};

std::vector<infer::Answer> best_answers(AnswerPredictor& model, const std::string& question,
                                        const std::string& context, int top,
                                        LongQuestion long_question) {
  return infer::answers_without_particles(context, static_cast<size_t>(top), [&](size_t count) {
    return model.answers(question, context, static_cast<int>(count), long_question);
  });
}

// The best answer to every row's question. One that is too long is cut as in training, and told.
void answer_rows(AnswerPredictor& model, const PredictArguments& arguments) {
  size_t cut = 0;
  for_each_row(
      arguments.table,
      [&](const std::vector<std::string>& cells) -> AddedCells {
        if (cells[1].empty()) return {};
        const auto answers = best_answers(model, cells[0], cells[1], 1, LongQuestion::cut);
        cut += model.reads_whole(cells[0]) ? 0 : 1;
        if (answers.empty()) return {{"prediction", ""}, {"probability", "", true}};
        return {{"prediction", answers[0].text},
                {"probability", std::to_string(answers[0].probability), true}};
      },
      "a question and a context");
  if (cut > 0)
    spdlog::warn("{}: {} questions are longer than the model reads and are cut off",
                 arguments.table.in, cut);
}

void answer(PredictArguments& arguments) {
  if (arguments.table.given())
    return answer_rows(*load_predictor<AnswerPredictor>(arguments.run), arguments);
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

// The names in a text, of whole words and without particles.
std::vector<FoundName> names(NamePredictor& model, const std::string& text) {
  const std::u32string characters = to_code_points(text);
  std::vector<FoundName> found = model.names(text);
  for (FoundName& name : found)
    name.end = infer::without_particle(characters, name.begin, name.end, name.type);
  return found;
}

// "<박:PS>씨의 딸": every entity with its type, the rest as it is.
std::string marked(const std::u32string& text, const std::vector<FoundName>& found) {
  std::string out;
  size_t at = 0;
  for (const FoundName& name : found) {
    out += to_utf8(text.substr(at, name.begin - at)) + "<" +
           to_utf8(text.substr(name.begin, name.end - name.begin)) + ":" + name.type + ">";
    at = name.end;
  }
  return out + to_utf8(text.substr(at));
}

nlohmann::ordered_json entities_json(const std::u32string& text,
                                     const std::vector<FoundName>& found) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const FoundName& name : found) {
    list.push_back({{"type", name.type},
                    {"start", name.begin},
                    {"end", name.end},
                    {"text", to_utf8(text.substr(name.begin, name.end - name.begin))}});
    if (name.probability) list.back()["probability"] = *name.probability;
  }
  return list;
}

void print(const std::string& line, const std::vector<FoundName>& found, bool as_json) {
  const std::u32string text = to_code_points(line);
  if (!as_json) {
    std::cout << marked(text, found) << "\n";
    return;
  }
  const nlohmann::ordered_json json = {{"text", line}, {"entities", entities_json(text, found)}};
  std::cout << json.dump() << "\n";
}

void mark(const PredictArguments& arguments) {
  const auto model = load_predictor<NamePredictor>(arguments.run);
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const std::u32string text = to_code_points(cells[0]);
      const std::vector<FoundName> found = names(*model, cells[0]);
      return {{"prediction", marked(text, found)},
              {"entities", entities_json(text, found).dump(), true}};
    });
  for_each_text(arguments.texts, arguments.json, [&](const std::string& line, const std::string&) {
    print(line, names(*model, line), arguments.json);
  });
}

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
           const PredictArguments& arguments) {
  if (arguments.json) {
    nlohmann::ordered_json json = {{"text", line}};
    if (result.several)
      json["labels"] = result.given();
    else
      json["label"] = result.labels[0].label;
    for (const auto& [label, probability] : result.labels)
      json["probabilities"][label] = probability;
    if (arguments.words) json["words"] = words_json(Texts(line).first, result);
    json["pieces"] = result.pieces;
    json["read"] = result.read;
    std::cout << json.dump() << "\n";
    return;
  }
  std::cout << line << "\n";
  for (const auto& [label, probability] : result.labels)
    std::printf("%s%6s  %s\n",
                result.several && probability >= infer::kLabelThreshold ? "+ " : "  ",
                percent(probability).c_str(), label.c_str());
  if (!result.words.empty())
    std::printf("  percentage points that \"%s\" loses without the word:\n",
                result.labels[0].label.c_str());
  for (const infer::WordWeight& word : result.words)
    std::printf("  %+6.2f  %s\n", 100 * (result.labels[0].probability - word.probability),
                line.substr(word.begin, word.end - word.begin).c_str());
  std::fflush(stdout);
}

// The label and its probability; of several the labels, and the probability of every one in a column.
AddedCells added_cells(const infer::ClassifyResult& result) {
  if (!result.several)
    return {{"prediction", result.labels[0].label},
            {"probability", std::to_string(result.labels[0].probability), true}};
  AddedCells cells = {{"prediction", as_label_set(result.given())}};
  std::vector<infer::LabelProbability> labels = result.labels;
  std::ranges::sort(labels, {}, &infer::LabelProbability::label);
  for (const auto& [label, probability] : labels)
    cells.push_back({"probability of " + label, std::to_string(probability), true});
  return cells;
}

// Prints what a run that gives texts numbers gives.
void give_numbers(LabelPredictor& model, const PredictArguments& arguments) {
  constexpr int kDecimals = 4;
  if (arguments.table.given())
    for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      return {{"prediction", fixed(model.number(cells[0], cells[1]), kDecimals), true}};
    });
  else
    for_each_text(
        arguments.texts, arguments.json, [&](const std::string& line, const std::string&) {
          const Texts texts(line);
          const double number = model.number(texts.first, texts.second);
          if (arguments.json)
            std::cout << nlohmann::ordered_json{{"text", line}, {"number", number}}.dump() << "\n";
          else
            std::cout << line << "\n  " << fixed(number, kDecimals) << "\n" << std::flush;
        });
}

// The best alternative of every row, its number as the run's files count (from 1, or data.first_choice) and its
// probability. The columns of alternatives are called as in the run's files.
void choose(LabelPredictor& model, const PredictArguments& arguments) {
  TableTexts wanted = arguments.table;
  const TableLayout& learnt = wanted.learnt;
  if (!wanted.given())
    throw usage_error(
        arguments.run +
        ": found a run that chooses among alternatives, expected --in FILE --out FILE "
        "with their columns");
  if (learnt.choices.empty())
    throw usage_error(arguments.run +
                      ": found a model file, which does not name the columns of alternatives, "
                      "expected the run's record");
  const std::string named = wanted.columns.front().second;
  const std::vector<std::string> text = named.empty() ? learnt.text : std::vector{named};
  wanted.columns.clear();
  for (const std::string& name : text) wanted.columns.emplace_back("text", name);
  for (const std::string& name : learnt.choices) wanted.columns.emplace_back("choices", name);
  for_each_row(
      wanted,
      [&](const std::vector<std::string>& cells) -> AddedCells {
        const auto choices = cells.begin() + static_cast<std::ptrdiff_t>(text.size());
        const std::vector<std::string> written(choices, cells.end());
        if (std::ranges::any_of(written, &std::string::empty)) return {};
        const std::vector<std::string> alternatives = choices_in(written, "choices");
        if (alternatives.empty()) return {};
        const std::vector<double> share =
            model.choose(joined({cells.begin(), choices}, " "), alternatives);
        const auto best = std::ranges::max_element(share) - share.begin();
        return {{"prediction", alternatives[static_cast<size_t>(best)]},
                {"choice", std::to_string(best + learnt.first_choice.value_or(1)), true},
                {"probability", std::to_string(share[static_cast<size_t>(best)]), true}};
      },
      "a text and its alternatives");
}

void label(const PredictArguments& arguments) {
  const auto model = load_predictor<LabelPredictor>(
      arguments.run, arguments.words ? PredictBy::engine : PredictBy::file);
  if (model->gives_numbers()) return give_numbers(*model, arguments);
  if (model->chooses()) return choose(*model, arguments);
  const std::optional<bool> pairs = model->reads_pairs();
  bool told = false;
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const bool left_out = pairs == false && !cells[1].empty();
      if (left_out && !std::exchange(told, true))
        spdlog::warn("{}: second texts are not read: the run was trained without pairs",
                     arguments.table.in);
      return added_cells(model->labels(cells[0], left_out ? "" : cells[1], false));
    });
  for_each_text(
      arguments.texts, arguments.json, [&](const std::string& line, const std::string& where) {
        const Texts texts(line);
        const bool is_pair = !texts.second.empty();
        if (is_pair && pairs == false)
          throw usage_error(where +
                            ": found a tab, expected one text: the run was trained without pairs "
                            "(columns of a table are read with --in FILE --out FILE)");
        if (is_pair && !pairs && !std::exchange(told, true))
          spdlog::info("{}: has a tab and is read as a pair of texts", where);
        const infer::ClassifyResult result =
            model->labels(texts.first, texts.second, arguments.words);
        if (result.read < result.pieces)
          spdlog::warn("{}: {} of {} pieces are read: both texts are long", where, result.read,
                       result.pieces);
        print(line, result, arguments);
      });
}

const char* said_of(Predicts what) {
  switch (what) {
    case Predicts::labels:
      return "labels texts";
    case Predicts::names:
      return "marks names";
    case Predicts::answers:
      return "answers questions";
    case Predicts::masks:
      return "fills masks";
    case Predicts::nothing:
      break;
  }
  return "predicts nothing of a text";
}

// Throws a usage Error for an option that is of no use with what the run predicts.
void check_options(const CLI::App& command, const std::string& run, Predicts what) {
  const std::pair<const char*, std::vector<Predicts>> kOptions[] = {
      {"TEXT", {Predicts::labels, Predicts::names}},
      {"--context", {Predicts::answers}},
      {"--question", {Predicts::answers}},
      {"--n-best", {Predicts::answers}},
      {"--text", {Predicts::labels, Predicts::names}},
      {"--pair", {Predicts::labels}},
      {"--words", {Predicts::labels}}};
  for (const auto& [option, kinds] : kOptions) {
    if (command.count(option) == 0 || std::ranges::find(kinds, what) != kinds.end()) continue;
    std::vector<std::string> expected;
    for (const Predicts kind : kinds) expected.emplace_back(said_of(kind));
    throw usage_error(std::string(option) + ": found with " + run + ", which " + said_of(what) +
                      ", expected one that " + joined(expected, " or "));
  }
}

void predict(const CLI::App& command, PredictArguments& arguments) {
  if (!arguments.question.empty()) check_text(arguments.question, "--question");
  const Predicts what = read_prediction_kind(arguments.run);
  if (what == Predicts::nothing || what == Predicts::masks)
    throw usage_error(arguments.run + ": found a model that " + said_of(what) +
                      ", expected one that answers questions, labels texts or marks names" +
                      (what == Predicts::masks ? "; fill-mask takes this one" : ""));
  check_options(command, arguments.run, what);
  TableTexts& table = arguments.table;
  if (table.given()) {
    if (!arguments.texts.empty()) throw usage_error("TEXT: found with --in, expected one of them");
    table.learnt = learnt_layout(arguments.run);
  }
  if (arguments.texts.size() == 1) warn_of_file(arguments.texts.front(), kReadByIn);
  if (what == Predicts::answers) {
    table.columns = {{"question", arguments.question}, {"context", arguments.context}};
    answer(arguments);
  } else if (what == Predicts::names) {
    table.columns = {{"text", table.columns[0].second}};
    mark(arguments);
  } else {
    label(arguments);
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict",
                                         "what a stored run says of texts: answers to questions, "
                                         "labels, numbers, alternatives, names");
  add_record(*command, "--run", &arguments->run,
             "record with weights, or .mbq, that answers, labels or tags")
      ->required();
  add_texts(*command, &arguments->texts,
            "texts, pairs with a tab between (default: lines of standard input)");
  command->add_option("--question", arguments->question, "the question; with --in its column");
  command->add_option("--context", arguments->context,
                      "text with the answer, or @FILE; with --in its column");
  add_table_texts(*command, {"text", "pair"}, &arguments->table);
  command->add_option("--n-best", arguments->n_best, "answers shown")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--words", arguments->words, "also: how much each word supports the label");
  command->add_flag("--json", arguments->json, "JSON: one object a text, offsets in characters");
  command->callback([arguments, command] { predict(*command, *arguments); });
}

}  // namespace minibert
