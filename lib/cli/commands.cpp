#include "cli/commands.h"

#include <algorithm>

namespace minibert {
namespace {

// Where a command has words of its own, options that may be given again take one argument each time: in "run --arms
// bert NAME" NAME is the experiment. What stands in place of these words may stand side by side, as a shell writes out
// *.h5 behind --runs.
void take_one_argument_each(CLI::App& command) {
  const std::vector<CLI::Option*> options = command.get_options();
  const auto is_word = [](const CLI::Option* option) { return option->get_positional(); };
  if (std::ranges::any_of(options, is_word))
    for (CLI::Option* option : options)
      if (!is_word(option) && option->get_items_expected_max() > 1 &&
          !std::ranges::any_of(option->get_excludes(), is_word)) {
        option->allow_extra_args(false);
        if (const std::string told = option->get_description();
            told.find("again") == std::string::npos)
          option->description(told + "; again for more");
      }
  for (CLI::App* below : command.get_subcommands(nullptr)) take_one_argument_each(*below);
}

}  // namespace

void add_commands(CLI::App& app) {
  app.require_subcommand(1);
  app.fallthrough(false);
  add_version(app);
  add_attention(app);
  add_compare(app);
  add_data(app);
  add_embed(app);
  add_evaluate(app);
  add_export(app);
  add_fill_mask(app);
  add_import(app);
  add_inspect(app);
  add_new(app);
  add_nsp(app);
  add_predict(app);
  add_query(app);
  add_report(app);
  add_reproduce(app);
  add_run(app);
  add_tokenizer(app);
  add_verify(app);
  add_watch(app);
  add_renamed(app);
  take_one_argument_each(app);
  add_language(app);
}

}  // namespace minibert
