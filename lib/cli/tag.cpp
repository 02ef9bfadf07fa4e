// minibert tag: the entities that a stored run, or a model file, finds in lines of text.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/table_texts.h"
#include "core/utf8.h"
#include "infer/particles.h"
#include "task/all/load_predictor.h"

namespace minibert {
namespace {

struct TagArguments {
  std::string run;
  std::vector<std::string> texts;
  TableTexts table;
  bool json = false;
};

// The names in a text, of whole words and without particles.
std::vector<FoundName> names(NamePredictor& model, const std::string& text) {
  const std::u32string characters = to_code_points(text);
  std::vector<FoundName> found = model.names(text);
  for (FoundName& name : found)
    name.end = infer::without_particle(characters, name.begin, name.end, name.type);
  return found;
}

// "<박:PS>씨의 딸": every entity with its type, the rest as it is.
std::string marked(const std::u32string& text, const std::vector<FoundName>& found) {
  std::string out;
  size_t at = 0;
  for (const FoundName& name : found) {
    out += to_utf8(text.substr(at, name.begin - at)) + "<" +
           to_utf8(text.substr(name.begin, name.end - name.begin)) + ":" + name.type + ">";
    at = name.end;
  }
  return out + to_utf8(text.substr(at));
}

nlohmann::ordered_json entities_json(const std::u32string& text,
                                     const std::vector<FoundName>& found) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const FoundName& name : found) {
    list.push_back({{"type", name.type},
                    {"start", name.begin},
                    {"end", name.end},
                    {"text", to_utf8(text.substr(name.begin, name.end - name.begin))}});
    if (name.probability) list.back()["probability"] = *name.probability;
  }
  return list;
}

void print(const std::string& line, const std::vector<FoundName>& found, bool as_json) {
  const std::u32string text = to_code_points(line);
  if (!as_json) {
    std::cout << marked(text, found) << "\n";
    return;
  }
  const nlohmann::ordered_json json = {{"text", line}, {"entities", entities_json(text, found)}};
  std::cout << json.dump() << "\n";
}

void tag(const TagArguments& arguments) {
  const auto model = load_predictor<NamePredictor>(arguments.run);
  if (arguments.table.given())
    return for_each_row(arguments.table, [&](const std::vector<std::string>& cells) -> AddedCells {
      const std::u32string text = to_code_points(cells[0]);
      const std::vector<FoundName> found = names(*model, cells[0]);
      return {{"prediction", marked(text, found)},
              {"entities", entities_json(text, found).dump(), true}};
    });
  if (arguments.texts.size() == 1) warn_of_file(arguments.texts.front(), kReadByIn);
  for_each_text(arguments.texts, [&](const std::string& line, const std::string&) {
    print(line, names(*model, line), arguments.json);
  });
}

}  // namespace

void add_tag(CLI::App& app) {
  auto arguments = std::make_shared<TagArguments>();
  CLI::App* command =
      app.add_subcommand("tag",
                         "mark the names in texts with a stored run; KLUE's types: PS person, LC "
                         "place, OG organization, DT date, TI time, QT quantity");
  add_record(*command, "--run", &arguments->run,
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
