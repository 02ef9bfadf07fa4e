#include "cli/interventions.h"

#include "core/error.h"

namespace minibert {

Intervention InterventionArguments::intervention() const {
  Intervention what;
  for (const std::string& text : layers)
    if (!read_layer(text, &what))
      throw usage_error("--without-layer: found \"" + text +
                        "\", expected a layer, counted from 1, as 2");
  for (const std::string& text : heads)
    if (!read_head(text, &what))
      throw usage_error("--without-head: found \"" + text +
                        "\", expected a layer and a head, counted from 1, as 1.3");
  return what;
}

Swap InterventionArguments::swap() const {
  Swap swap;
  if (!other) {
    if (stage) throw usage_error("--patch-layer: expected --patch TEXT with it");
    if (!moves.empty()) throw usage_error("--patch-at: expected --patch TEXT with it");
    return swap;
  }
  if (other->empty()) throw usage_error("--patch: the other text is empty");
  if (!stage) throw usage_error("--patch: expected --patch-layer N with it");
  swap.text = *other;
  swap.stage = *stage;
  for (const std::string& text : moves)
    if (!read_move(text, &swap))
      throw usage_error("--patch-at: found \"" + text +
                        "\", expected a position, [CLS] being 0, as 3, or two, as 3:5");
  return swap;
}

void add_interventions(CLI::App& command, InterventionArguments* arguments) {
  command
      .add_option("--without-head", arguments->heads,
                  "LAYER.HEAD, both counted from 1: its output is zero; again for more")
      ->allow_extra_args(false);
  command
      .add_option("--without-layer", arguments->layers,
                  "counted from 1: it adds nothing; again for more")
      ->allow_extra_args(false);
  command.add_option(
      "--patch", arguments->other,
      "another text, whose states after --patch-layer take the place of this text's");
  command
      .add_option("--patch-layer", arguments->stage,
                  "0 what enters the first layer, n what leaves layer n")
      ->check(CLI::Range(0, 1000000));
  command
      .add_option("--patch-at", arguments->moves,
                  "position in both texts (0: [CLS]) or FROM:TO; again for more")
      ->allow_extra_args(false);
}

}  // namespace minibert
