// minibert tag: the entities that a stored run, or a model file, finds in lines of text.
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/table_texts.h"
#include "cli/text_lines.h"
#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "export/mbq_export.h"
#include "infer/tagger.h"
#include "score/entity_score.h"
#include "task/tagging/tagging_kind.h"

namespace minibert {
namespace {

struct TagArguments {
  std::string run;
  std::vector<std::string> texts;
  TableTexts table;
  bool json = false;
};

// Of a model file alone each has a probability.
struct Found {
  Entity entity;
  std::optional<float> probability;
};

// "<박:PS>씨의 딸": every entity with its type, the rest as it is.
std::string marked(const std::u32string& text, const std::vector<Found>& found) {
  std::string out;
  size_t at = 0;
  for (const auto& [entity, probability] : found) {
    out += to_utf8(text.substr(at, entity.begin - at)) + "<" +
           to_utf8(text.substr(entity.begin, entity.end - entity.begin)) + ":" + entity.type + ">";
    at = entity.end;
  }
  return out + to_utf8(text.substr(at));
}

nlohmann::ordered_json entities_json(const std::u32string& text, const std::vector<Found>& found) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const auto& [entity, probability] : found) {
    list.push_back({{"type", entity.type},
                    {"start", entity.begin},
                    {"end", entity.end},
                    {"text", to_utf8(text.substr(entity.begin, entity.end - entity.begin))}});
    if (probability) list.back()["probability"] = *probability;
  }
  return list;
}

void print(const std::string& line, const std::vector<Found>& found, bool as_json) {
  const std::u32string text = to_code_points(line);
  if (!as_json) {
    std::cout << marked(text, found) << "\n";
    return;
  }
  const nlohmann::ordered_json json = {{"text", line}, {"entities", entities_json(text, found)}};
  std::cout << json.dump() << "\n";
}

// Marks every text that the command was given, to where its answer belongs.
void mark_all(const TagArguments& arguments,
              const std::function<std::vector<Found>(const std::string&)>& find) {
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const std::u32string text = to_code_points(cells[0]);
      const std::vector<Found> found = find(cells[0]);
      return {{"prediction", marked(text, found)}, {"entities", entities_json(text, found).dump()}};
    });
  for_each_text(arguments.texts,
                [&](const std::string& line) { print(line, find(line), arguments.json); });
}

// As training computes it.
void tag_by_record(const TagArguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  const StoredTagger stored = load_tagger(record, arguments.run);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, arguments.run);
  mark_all(arguments, [&](const std::string& line) {
    TaggingSplit one;
    append_tagging_row(tokenizer, line, stored.max_length, &one);
    const std::string tags = predict_tags(*stored.model, one, stored.tags, torch::kCPU).front();
    std::vector<Found> found;
    for (const Entity& entity : entities_of(split_tags(tags))) found.push_back({entity, {}});
    return found;
  });
}

// As the page computes it.
void tag_by_engine(const TagArguments& arguments) {
  const AlignedBytes file(read_file(arguments.run));
  infer::Tagger model;
  if (const infer::Status loaded = model.load(file.span()); !loaded.ok())
    throw usage_error(arguments.run + ": " + loaded.message());
  mark_all(arguments, [&](const std::string& line) {
    infer::TagResult result;
    const infer::Status status = model.tag(line, &result);
    if (!status.ok()) throw usage_error(status.message());
    std::vector<Found> found;
    for (const infer::NamedEntity& one : result.entities)
      found.push_back({{one.type, one.first, one.last}, one.probability});
    return found;
  });
}

void tag(const TagArguments& arguments) {
  arguments.run.ends_with(".mbq") ? tag_by_engine(arguments) : tag_by_record(arguments);
}

}  // namespace

void add_tag(CLI::App& app) {
  auto arguments = std::make_shared<TagArguments>();
  CLI::App* command = app.add_subcommand("tag", "mark the names in texts with a stored run");
  command
      ->add_option("--run", arguments->run,
                   "record of a tagging run, with weights, or a .mbq of one")
      ->required();
  add_texts(*command, &arguments->texts, "texts (else standard input, one a line)");
  add_table_texts(*command, {"text"}, &arguments->table);
  command->add_flag(
      "--json", arguments->json,
      "one JSON object a text: entities with type, start, end in characters, and of a "
      ".mbq probability");
  command->callback([arguments] { tag(*arguments); });
}

}  // namespace minibert
