// minibert-ask: asks a model file one question, through the C interface alone. The model sets the
// task.
#include <minibert.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/percent.h"

namespace {

constexpr const char* kUsage =
    "Usage: minibert-ask [--json] MODEL.mbq TEXT [CONTEXT]\n"
    "Fills every [MASK] of TEXT (or ___, ( ), □, ○○ in its place), labels it, or marks its\n"
    "names, as the model does; a model of questions finds the answer to TEXT in CONTEXT, and one\n"
    "of pairs labels TEXT with CONTEXT. --json prints the whole result.\n";

using Text = std::unique_ptr<char, void (*)(char*)>;

int fail(char* error) {
  std::fprintf(stderr, "minibert-ask: %s\n",
               error == nullptr ? "there is not enough memory" : error);
  minibert_free(error);
  return 1;
}

void print_row(const nlohmann::json& row, const char* name) {
  std::printf("  %6s  %s\n", minibert::percent(row.at("probability").get<double>()).c_str(),
              row.at(name).get<std::string>().c_str());
}

void print(const nlohmann::json& result) {
  for (const auto& mask : result.value("masks", nlohmann::json::array())) {
    for (const auto& guess : mask.at("guesses")) print_row(guess, "text");
    std::printf("\n");
  }
  if (result.contains("filled")) std::printf("%s\n", result["filled"].get<std::string>().c_str());
  for (const auto& answer : result.value("answers", nlohmann::json::array()))
    print_row(answer, "text");
  for (const auto& label : result.value("labels", nlohmann::json::array()))
    print_row(label, "label");
  for (const auto& name : result.value("entities", nlohmann::json::array()))
    std::printf("  %s  %s\n", name.at("type").get<std::string>().c_str(),
                name.at("text").get<std::string>().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  const int first = json ? 2 : 1;
  if (argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  for (int i = first; i < argc; ++i)
    if (std::strncmp(argv[i], "--", 2) == 0) {
      std::fprintf(stderr,
                   "minibert-ask: found %s as argument %d, expected --json as the first alone\n",
                   argv[i], i);
      return 2;
    }
  if (argc - first < 2 || argc - first > 3) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const char* const text = argv[first + 1];
  const char* const context = argc - first == 3 ? argv[first + 2] : nullptr;
  char* error = nullptr;
  const std::unique_ptr<minibert_model, void (*)(minibert_model*)> model(
      minibert_open(argv[first], &error), minibert_close);
  if (!model) return fail(error);
  const std::string task = minibert_task(model.get());
  if (task == "answers" && context == nullptr) {
    std::fprintf(stderr, "minibert-ask: %s answers questions: expected a CONTEXT behind TEXT\n",
                 argv[first]);
    return 2;
  }
  if ((task == "masks" || task == "names") && context != nullptr) {
    std::fprintf(
        stderr,
        "minibert-ask: found \"%s\" behind the text, expected one text for %s: put it in quotes\n",
        context, argv[first]);
    return 2;
  }
  Text result(nullptr, minibert_free);
  if (task == "masks") result.reset(minibert_fill(model.get(), text, 5, &error));
  if (task == "answers") result.reset(minibert_answer(model.get(), text, context, 3, &error));
  if (task == "labels") result.reset(minibert_classify(model.get(), text, context, 0, &error));
  if (task == "names") result.reset(minibert_tag(model.get(), text, &error));
  if (!result) return fail(error);
  if (json)
    std::printf("%s\n", result.get());
  else
    print(nlohmann::json::parse(result.get()));
  return std::fflush(stdout) == 0 ? 0 : 1;
}
