// minibert: the program. Data to stdout, talk to stderr; exit 0 done, 1 failed, 2 bad arguments.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <iostream>

#include "cli/commands.h"
#include "core/error.h"

int main(int argc, char** argv) {
  using namespace minibert;
  auto logger = spdlog::stderr_color_mt("minibert");
  logger->set_pattern("%^%v%$");
  spdlog::set_default_logger(logger);

  CLI::App app{"minibert: train a mini BERT for Korean, compare it, and fill masks with it"};
  app.require_subcommand(1);
  app.fallthrough(false);
  add_version(app);
  // commands (one line each, alphabetical)
  add_answer(app);
  add_classify(app);
  add_compare(app);
  add_data(app);
  add_evaluate(app);
  add_export(app);
  add_fill_mask(app);
  add_inspect(app);
  add_reproduce(app);
  add_run(app);
  add_tag(app);
  add_tokenizer(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const Error& error) {
    std::cerr << "minibert: " << error.what() << "\n";
    return error.kind() == ErrorKind::usage ? 2 : 1;
  } catch (const std::exception& error) {
    std::cerr << "minibert: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
