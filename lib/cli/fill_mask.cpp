// minibert fill-mask: guesses for every [MASK] of a sentence.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/table_texts.h"
#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "infer/fill_json.h"
#include "rules/blanks.h"
#include "task/predictor.h"

namespace minibert {
namespace {

struct FillMaskArguments {
  std::string run;
  // One: CLI11 takes "[MASK] … [MASK]" among several for a list in brackets.
  std::optional<std::string> text;
  TableTexts table;
  size_t top_k = 5;
  bool json = false;
};

void print(const std::string& text, const infer::FillResult& result, bool json) {
  if (json) {
    // One object a line, so that many sentences stream.
    nlohmann::ordered_json object = {{"text", text}};
    object.update(infer::to_json(result));
    std::cout << object.dump() << "\n";
    return;
  }
  std::cout << text << "\n";
  for (size_t i = 0; i < result.masks.size(); ++i)
    for (const infer::Guess& guess : result.masks[i].guesses)
      std::printf("  %zu  %6.2f %%  %s\n", i + 1, 100 * guess.probability, guess.piece.c_str());
  std::cout << "→ " << result.filled << "\n";
}

// Blanks become masks, as in the page.
std::string masked(const std::string& text) {
  if (first_invalid_utf8(text) != kValid) return text;  // the model refuses it
  return to_utf8(with_masks(to_code_points(text)));
}

void fill_mask(const FillMaskArguments& arguments) {
  const auto model = load_predictor<MaskPredictor>(arguments.run);
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const infer::FillResult result = model->fill(masked(cells[0]), arguments.top_k);
      std::vector<std::string> guesses;
      for (const auto& mask : result.masks)
        guesses.push_back(mask.guesses.empty() ? "" : mask.guesses[0].piece);
      return {{"prediction", result.filled}, {"guesses", joined(guesses, " ")}};
    });
  const auto fill = [&](const std::string& typed, const std::string& where) {
    try {
      const std::string text = masked(typed);
      print(text, model->fill(text, arguments.top_k), arguments.json);
    } catch (const Error& error) {
      throw usage_error(where + ": " + error.what());
    }
  };
  std::cout << std::unitbuf;
  if (arguments.text) return fill(*arguments.text, "TEXT");
  for_each_line(fill);
}

}  // namespace

void add_fill_mask(CLI::App& app) {
  auto arguments = std::make_shared<FillMaskArguments>();
  CLI::App* command = app.add_subcommand("fill-mask", "guess the [MASK]s of sentences");
  command->add_option("--run", arguments->run, "pretraining record with weights, or a .mbq")
      ->required();
  command->add_option(
      "TEXT", arguments->text,
      "a sentence with [MASK], or ___, ( ), □, [mask] in its place (else standard input, one "
      "a line)");
  add_table_texts(*command, {"text"}, &arguments->table);
  command->add_option("--top-k", arguments->top_k, "guesses a mask")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "one JSON object a sentence");
  command->callback([arguments] { fill_mask(*arguments); });
}

}  // namespace minibert
