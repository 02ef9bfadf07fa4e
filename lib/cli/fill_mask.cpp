// minibert fill-mask: guesses for every [MASK] of a sentence.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interventions.h"
#include "cli/table_texts.h"
#include "core/error.h"
#include "core/percent.h"
#include "core/syllables.h"
#include "core/text.h"
#include "core/utf8.h"
#include "export/mbq_export.h"
#include "infer/fill_json.h"
#include "infer/intervene.h"
#include "infer/written_masks.h"
#include "rules/blanks.h"
#include "rules/particle_pairs.h"
#include "task/all/export_run.h"
#include "task/all/load_predictor.h"

namespace minibert {
namespace {

struct FillMaskArguments {
  std::string run;
  // One: CLI11 takes "[MASK] … [MASK]" among several for a list in brackets.
  std::optional<std::string> text;
  TableTexts table;
  size_t top_k = 5;
  bool json = false;
  InterventionArguments changes;
  bool half_layers = false;
  std::string word;
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
      std::printf("  %zu  %6s  %s\n", i + 1, percent(guess.probability).c_str(),
                  guess.piece.c_str());
  std::cout << "→ " << result.filled << "\n";
}

// Blanks become masks, as in the page.
std::string masked(const std::string& text) {
  if (first_invalid_utf8(text) != kValid) return text;  // the model refuses it
  return to_utf8(with_masks(to_syllables(to_code_points(text))));
}

// The same with one form in the place of both of a particle: 을(를).
std::string as_read(MaskPredictor& model, const std::string& text) {
  if (first_invalid_utf8(text) != kValid) return text;
  const auto guess = [&](std::u32string_view one, size_t mask) {
    return infer::guess_ends(model.fill(to_utf8(one), infer::kParticleGuesses), mask);
  };
  return to_utf8(with_one_particle(to_code_points(masked(text)), guess));
}

// A word's scores by layer at one mask: [n_layers + 1], or with halves [2 n_layers + 1].
using Followed = std::vector<infer::WordScore>;

void print_followed(const std::string& text, const std::string& word,
                    const std::vector<Followed>& masks, bool halves, bool json) {
  const double each = halves ? 0.5 : 1;
  if (json) {
    nlohmann::ordered_json object = {{"text", text}, {"word", word}};
    for (const Followed& stages : masks) {
      nlohmann::ordered_json all = nlohmann::ordered_json::array();
      for (size_t i = 0; i < stages.size(); ++i) {
        nlohmann::ordered_json stage = {{"layer", i}};
        if (halves) stage["layer"] = each * static_cast<double>(i);
        stage.update(infer::to_json(stages[i]));
        all.push_back(std::move(stage));
      }
      object["masks"].push_back(std::move(all));
    }
    std::cout << object.dump() << "\n";
    return;
  }
  std::cout << text << "\n";
  for (size_t i = 0; i < masks.size(); ++i)
    for (size_t k = 0; k < masks[i].size(); ++k) {
      const infer::WordScore& score = masks[i][k];
      std::printf("  %zu  layer %g  %9.5f %% ", i + 1, each * static_cast<double>(k),
                  100 * score.probability);
      for (const infer::PieceScore& piece : score.pieces)
        if (piece.rank == 0)
          std::printf("  %s never fits", piece.piece.c_str());
        else
          std::printf("  %s rank %zu", piece.piece.c_str(), piece.rank);
      std::printf("\n");
    }
}

// By the page's engine, of a record too.
void follow(const FillMaskArguments& arguments) {
  if (arguments.table.given()) throw usage_error("--word: expected a text, found a table");
  const AlignedBytes file(load_or_export(arguments.run));
  infer::FillMask model;
  const infer::Status loaded = model.load(file.span());
  if (!loaded.ok()) throw usage_error(arguments.run + ": " + loaded.message());
  const Intervention changes = arguments.changes.intervention();
  const Swap swap = arguments.changes.swap();
  const auto one = [&](const std::string& given, const std::string& where) {
    const std::string text = infer::with_one_particle(model, masked(given));
    const auto check = [&](const infer::Status& status) {
      if (!status.ok()) throw usage_error(where + ": " + status.message());
    };
    infer::FillResult found;
    check(infer::intervene(model, text, changes, swap));
    check(model.fill(text, 1, &found));
    std::vector<Followed> masks(found.masks.size());
    for (size_t i = 0; i < masks.size(); ++i)
      check(infer::follow_word(model, text, i, arguments.word, &masks[i], arguments.half_layers));
    print_followed(text, arguments.word, masks, arguments.half_layers, arguments.json);
  };
  if (arguments.text) return one(*arguments.text, "TEXT");
  for_each_line(arguments.json, one);
}

void fill_mask(const FillMaskArguments& arguments) {
  if (arguments.text && !arguments.table.given()) warn_of_file(*arguments.text, kReadByIn);
  if (!arguments.word.empty()) return follow(arguments);
  if (arguments.half_layers) throw usage_error("--half-layers: expected --word WORD with it");
  const auto model = load_predictor<MaskPredictor>(arguments.run);
  model->intervene(arguments.changes.intervention(), arguments.changes.swap());
  if (arguments.table.given())
    return for_each_row(
        arguments.table,
        [&](const std::vector<std::string>& cells) -> AddedCells {
          const std::string text = as_read(*model, cells[0]);
          if (text.find("[MASK]") == std::string::npos) return {};
          const infer::FillResult result = model->fill(text, arguments.top_k);
          std::vector<std::string> masks;
          for (const auto& mask : result.masks) {
            std::vector<std::string> guesses;
            for (const auto& guess : mask.guesses) guesses.push_back(guess.piece);
            masks.push_back(joined(guesses, " "));
          }
          return {{"prediction", result.filled}, {"guesses", joined(masks, " | ")}};
        },
        "a text with [MASK]");
  const auto fill = [&](const std::string& typed, const std::string& where) {
    try {
      const std::string text = as_read(*model, typed);
      print(text, model->fill(text, arguments.top_k), arguments.json);
    } catch (const Error& error) {
      throw usage_error(where + ": " + error.what());
    }
  };
  std::cout << std::unitbuf;
  if (arguments.text) return fill(*arguments.text, "TEXT");
  for_each_line(arguments.json, fill);
}

}  // namespace

void add_fill_mask(CLI::App& app) {
  auto arguments = std::make_shared<FillMaskArguments>();
  CLI::App* command = app.add_subcommand("fill-mask", "guess the [MASK]s of sentences");
  add_record(*command, "--run", &arguments->run,
             "pretraining record with weights, or .mbq, as wasm_demo/models/everyday-1m.mbq")
      ->required();
  command->add_option("TEXT", arguments->text,
                      "sentence with [MASK], ___, ( ), □ or ○○ (default: standard input)");
  add_table_texts(*command, {"text"}, &arguments->table);
  command->add_option("--top-k", arguments->top_k, "guesses a mask, best first")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add_interventions(*command, &arguments->changes);
  command->add_option("--word", arguments->word,
                      "instead: probability of this word after each layer");
  command->add_flag("--half-layers", arguments->half_layers,
                    "with --word: also between attention and feed-forward");
  command->add_flag("--json", arguments->json, "one JSON object a sentence");
  command->callback([arguments] { fill_mask(*arguments); });
}

}  // namespace minibert
