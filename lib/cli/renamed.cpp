// Command names of version 0.1, hidden from --help; each prints the present name in one line.
#include "cli/commands.h"
#include "core/error.h"

namespace minibert {

void add_renamed(CLI::App& app) {
  static constexpr std::pair<const char*, const char*> kNames[] = {
      {"answer", "predict --run RECORD --context TEXT --question TEXT"},
      {"classify", "predict --run RECORD TEXT"},
      {"compact", "export --format record --run RECORD --out FILE"},
      {"diff", "inspect RECORD RECORD"},
      {"tag", "predict --run RECORD TEXT"}};
  for (const auto& [old, now] : kNames) {
    CLI::App* command = app.add_subcommand(old, std::string("is now: ") + now)->group("");
    command->set_help_flag();
    command->prefix_command();
    command->callback([old = old, now = now] {
      throw usage_error(std::string("minibert ") + old + " is now: minibert " + now);
    });
  }
}

}  // namespace minibert
