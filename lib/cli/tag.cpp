// minibert tag: the entities that a stored run finds in lines of text.
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/text_lines.h"
#include "core/utf8.h"
#include "data/entity_score.h"
#include "task/tagging/tagging_kind.h"

namespace minibert {
namespace {

struct Arguments {
  std::string run;
  std::vector<std::string> texts;
  bool json = false;
};

// "<박:PS>씨의 딸": every entity with its type, the rest as it is.
std::string marked(const std::u32string& text, const std::vector<Entity>& entities) {
  std::string out;
  size_t at = 0;
  for (const Entity& entity : entities) {
    out += to_utf8(text.substr(at, entity.begin - at)) + "<" +
           to_utf8(text.substr(entity.begin, entity.end - entity.begin)) + ":" + entity.type + ">";
    at = entity.end;
  }
  return out + to_utf8(text.substr(at));
}

void tag(const Arguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  const StoredTagger stored = load_tagger(record, arguments.run);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, arguments.run);
  for_each_text(arguments.texts, [&](const std::string& line) {
    TaggingSplit one;
    append_tagging_row(tokenizer, line, stored.max_length, &one);
    const std::string tags = predict_tags(*stored.model, one, stored.tags, torch::kCPU).front();
    const std::vector<Entity> entities = entities_of(split_tags(tags));
    const std::u32string text = to_code_points(line);
    if (!arguments.json) {
      std::cout << marked(text, entities) << "\n";
      return;
    }
    nlohmann::ordered_json json = {{"text", line}, {"entities", nlohmann::json::array()}};
    for (const Entity& entity : entities)
      json["entities"].push_back(
          {{"type", entity.type},
           {"start", entity.begin},
           {"end", entity.end},
           {"text", to_utf8(text.substr(entity.begin, entity.end - entity.begin))}});
    std::cout << json.dump() << "\n";
  });
}

}  // namespace

void add_tag(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("tag", "mark the names in texts with a stored run");
  command->add_option("--run", arguments->run, "record of a tagging run, with weights")->required();
  command->add_option("TEXT", arguments->texts, "texts (else standard input, one a line)");
  command->add_flag("--json", arguments->json,
                    "one JSON object a text: entities with type, start, end in characters");
  command->callback([arguments] { tag(*arguments); });
}

}  // namespace minibert
