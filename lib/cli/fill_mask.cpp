// minibert fill-mask: guesses for every [MASK] of a sentence.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/table_texts.h"
#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "export/mbq_export.h"
#include "infer/fill_json.h"
#include "task/pretrain/mask_filler.h"

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

// A model file, computed as the page does.
class EngineFiller {
 public:
  explicit EngineFiller(const std::string& path) : file_(read_file(path)) {
    const infer::Status loaded = model_.load(file_.span());
    if (!loaded.ok()) throw usage_error(path + ": " + loaded.message());
  }
  infer::FillResult fill(const std::string& text, size_t top_k) {
    infer::FillResult result;
    const infer::Status status = model_.fill(text, top_k, &result);
    if (!status.ok()) throw usage_error(status.message());
    return result;
  }

 private:
  AlignedBytes file_;
  infer::FillMask model_;
};

template <class Filler>
void fill_with(Filler model, const FillMaskArguments& arguments) {
  size_t line = 0;
  const auto fill = [&](const std::string& text, const std::string& where) {
    try {
      print(text, model.fill(text, arguments.top_k), arguments.json);
    } catch (const Error& error) {
      throw usage_error(where + ": " + error.what());
    }
  };
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const infer::FillResult result = model.fill(cells[0], arguments.top_k);
      std::vector<std::string> guesses;
      for (const auto& mask : result.masks)
        guesses.push_back(mask.guesses.empty() ? "" : mask.guesses[0].piece);
      return {{"prediction", result.filled}, {"guesses", joined(guesses, " ")}};
    });
  std::cout << std::unitbuf;
  if (arguments.text) return fill(*arguments.text, "TEXT");
  for (std::string text; std::getline(std::cin, text);) {
    ++line;
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (!text.empty()) fill(text, "line " + std::to_string(line));
  }
}

void fill_mask(const FillMaskArguments& arguments) {
  if (arguments.run.ends_with(".mbq")) return fill_with(EngineFiller(arguments.run), arguments);
  fill_with(MaskFiller(load_record(arguments.run), arguments.run), arguments);
}

}  // namespace

void add_fill_mask(CLI::App& app) {
  auto arguments = std::make_shared<FillMaskArguments>();
  CLI::App* command = app.add_subcommand("fill-mask", "guess the [MASK]s of sentences");
  command->add_option("--run", arguments->run, "pretraining record with weights, or a .mbq")
      ->required();
  command->add_option("TEXT", arguments->text,
                      "a sentence with [MASK] (else standard input, one a line)");
  add_table_texts(*command, {"text"}, &arguments->table);
  command->add_option("--top-k", arguments->top_k, "guesses a mask")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "one JSON object a sentence");
  command->callback([arguments] { fill_mask(*arguments); });
}

}  // namespace minibert
