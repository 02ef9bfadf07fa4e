// minibert --language: the language of tables, verdicts, reports and common errors.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "cli/commands.h"
#include "words/phrases.h"

namespace minibert {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// MINIBERT_LANGUAGE, else the locale's if standard output is a terminal.
Language language_of_environment() {
  std::string name = environment("MINIBERT_LANGUAGE");
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (name.empty() && isatty(STDOUT_FILENO) != 0) name = environment(variable);
  return name.starts_with("ko") ? Language::korean : Language::english;
}

}  // namespace

void add_language(CLI::App& app) {
  set_language(language_of_environment());
  // Set at once, because the arguments that follow may be wrong.
  app.add_option_function<std::string>(
         "--language",
         [](const std::string& name) {
           set_language(name == "ko" ? Language::korean : Language::english);
         },
         "language of tables, verdicts, reports and common errors")
      ->type_name("{ko,en}")
      ->check(CLI::IsMember({"ko", "en"}).description(""))
      ->trigger_on_parse();
  // Whose output it changes most: there it may stand behind the command, too.
  for (const char* command : {"compare", "report", "run"})
    app.get_subcommand(command)->fallthrough();
}

}  // namespace minibert
