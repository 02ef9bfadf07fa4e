// minibert classify: the labels of a stored run, or of a model file, for lines of text.
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
#include "data/own/choice_cells.h"
#include "data/own/columns.h"
#include "data/tables/read_table.h"
#include "score/label_set.h"
#include "task/all/load_predictor.h"

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

// Counts the texts without a second one that a run gets which was trained on pairs.
class LackingSeconds {
 public:
  explicit LackingSeconds(const LabelPredictor& model) : pairs_(model.reads_pairs() == true) {}
  void look_at(const std::string& second) { count_ += pairs_ && second.empty() ? 1 : 0; }
  // `in`: the table; empty: they were arguments or lines.
  void tell(const std::string& in) const {
    if (count_ > 0)
      spdlog::warn("{}{} no second one, and the run was trained on pairs: {} read alone",
                   in.empty() ? "" : in + ": ", count_of(count_, "text has", "texts have"),
                   count_ == 1 ? "it is" : "they are");
  }

 private:
  bool pairs_;
  size_t count_ = 0;
};

// Prints what a run that gives texts numbers gives.
void give_numbers(LabelPredictor& model, const ClassifyArguments& arguments) {
  constexpr int kDecimals = 4;
  LackingSeconds lacking(model);
  const auto number_of = [&](const std::string& text, const std::string& second) {
    lacking.look_at(second);
    return model.number(text, second);
  };
  if (arguments.table.given())
    for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      return {{"prediction", fixed(number_of(cells[0], cells[1]), kDecimals), true}};
    });
  else
    for_each_text(arguments.texts, [&](const std::string& line, const std::string&) {
      const Texts texts(line);
      const double number = number_of(texts.first, texts.second);
      if (arguments.json)
        std::cout << nlohmann::ordered_json{{"text", line}, {"number", number}}.dump() << "\n";
      else
        std::cout << line << "\n  " << fixed(number, kDecimals) << "\n" << std::flush;
    });
  lacking.tell(arguments.table.in);
}

// The best alternative of every row, its number from 1 and its probability.
void choose(LabelPredictor& model, const ClassifyArguments& arguments) {
  if (!arguments.table.given())
    throw usage_error(
        arguments.run +
        ": found a run that chooses among alternatives, expected --in FILE --out FILE "
        "with columns of them");
  TableTexts wanted = arguments.table;
  OwnColumns given;
  for (const auto& [key, column] : wanted.columns)
    if (!column.empty()) given.text.push_back(column);
  const DataTable table = read_table(wanted.in, {});
  const OwnColumns learnt = learnt_there(wanted.learnt, table);
  if (given.text.empty()) given.text = learnt.text;
  given.choices = learnt.choices;
  const OwnColumns found = find_alternatives(table, given);
  if (found.choices.empty())
    throw usage_error(wanted.in + ": found no columns of alternatives among " +
                      joined(table.columns) +
                      ", expected choice1, choice2, …, a list in choices or numbers before "
                      "alternatives in one cell");
  const ChoiceCells read(table, found.choices, found.text);
  wanted.columns.clear();
  for (const std::string& name : found.text) wanted.columns.emplace_back("text", name);
  for (const std::string& name : found.choices) wanted.columns.emplace_back("choices", name);
  for_each_row(
      wanted,
      [&](const std::vector<std::string>& cells) -> AddedCells {
        const auto choices = cells.begin() + static_cast<std::ptrdiff_t>(found.text.size());
        const std::vector<std::string> written(choices, cells.end());
        if (std::ranges::any_of(written, &std::string::empty)) return {};
        const Alternatives row = read.of(written);
        if (!row.problem.empty()) throw usage_error(row.problem);
        const std::vector<std::string>& alternatives = row.texts;
        if (alternatives.empty()) return {};
        std::string text;
        for (size_t i = 0; i < found.text.size(); ++i) {
          const bool too = read.asks() && found.text[i] == found.choices.front();
          const std::string& part = too ? row.asked : cells[i];
          text += (text.empty() || part.empty() ? "" : " ") + part;
        }
        const std::vector<double> share = model.choose(text, alternatives);
        const auto best = static_cast<size_t>(std::ranges::max_element(share) - share.begin());
        return {{"prediction", alternatives[best]},
                {"choice", std::to_string(best + 1), true},
                {"probability", std::to_string(share[best]), true}};
      },
      "a text and its alternatives");
}

void classify(ClassifyArguments& arguments) {
  if (arguments.table.given()) arguments.table.learnt = learnt_columns(arguments.run);
  if (arguments.texts.size() == 1) warn_of_file(arguments.texts.front(), kReadByIn);
  const auto model = load_predictor<LabelPredictor>(
      arguments.run, arguments.words ? PredictBy::engine : PredictBy::file);
  if (model->gives_numbers()) return give_numbers(*model, arguments);
  if (model->chooses()) return choose(*model, arguments);
  const std::optional<bool> pairs = model->reads_pairs();
  LackingSeconds lacking(*model);
  bool told = false;
  if (arguments.table.given()) {
    for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const bool left_out = pairs == false && !cells[1].empty();
      if (left_out && !std::exchange(told, true))
        spdlog::warn("{}: second texts are not read: the run was trained without pairs",
                     arguments.table.in);
      lacking.look_at(cells[1]);
      return added_cells(model->labels(cells[0], left_out ? "" : cells[1], false));
    });
    return lacking.tell(arguments.table.in);
  }
  for_each_text(arguments.texts, [&](const std::string& line, const std::string& where) {
    const Texts texts(line);
    const bool is_pair = !texts.second.empty();
    if (is_pair && pairs == false)
      throw usage_error(where +
                        ": found a tab, expected one text: the run was trained without pairs "
                        "(columns of a table are read with --in FILE --out FILE)");
    if (is_pair && !pairs && !std::exchange(told, true))
      spdlog::info("{}: has a tab and is read as a pair of texts", where);
    lacking.look_at(texts.second);
    const infer::ClassifyResult result = model->labels(texts.first, texts.second, arguments.words);
    if (result.read < result.pieces)
      spdlog::warn("{}: {} of {} pieces are read: both texts are long", where, result.read,
                   result.pieces);
    print(line, result, arguments);
  });
  lacking.tell("");
}

}  // namespace

void add_classify(CLI::App& app) {
  auto arguments = std::make_shared<ClassifyArguments>();
  CLI::App* command = app.add_subcommand(
      "classify", "label texts with a stored run, score them, or choose among alternatives");
  add_record(*command, "--run", &arguments->run,
             "record of a run that labels texts, gives them a number or chooses among "
             "alternatives (with --in), with weights, or a .mbq of one that labels; of "
             "several labels a text those of at least 50 % have a +")
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
