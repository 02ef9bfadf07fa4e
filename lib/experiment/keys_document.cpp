#include "experiment/keys_document.h"

#include <iterator>
#include <vector>

#include "core/key_section.h"
#include "core/text.h"
#include "experiment/config_fields.h"
#include "model/model_config.h"
#include "task/all/registry.h"
#include "task/all/task_keys.h"
#include "train/config_fields.h"

namespace minibert {
namespace {

std::vector<KeySection> all_sections() {
  std::vector<KeySection> all = {
      {"The file", "", listed_fields<ExperimentConfig>()},
      {"`tokenizer`", "One of the first four keys says where it is from.",
       listed_fields<TokenizerSource>()}};
  std::ranges::move(experiment_key_sections(), std::back_inserter(all));
  all.push_back({"`arms[]`", "", listed_fields<ArmConfig>()});
  std::ranges::move(model_kind_sections(), std::back_inserter(all));
  std::ranges::move(model_key_sections(), std::back_inserter(all));
  all.push_back({"`arms[].train`", "", listed_fields<TrainConfig>()});
  std::ranges::move(train_key_sections(), std::back_inserter(all));
  return all;
}

// A bar would end a cell.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

}  // namespace

std::string keys_document() {
  std::string text =
      "# Keys of an experiment file\n\nWritten by `minibert new --keys`, not by hand. A key that "
      "is "
      "not here is an error that names the nearest. Tasks: " +
      joined(task_names()) +
      ". What a run really used, defaults included, is what its record stores.\n";
  for (const KeySection& section : all_sections()) {
    text += "\n## " + section.title + "\n\n";
    if (!section.text.empty()) text += section.text + "\n\n";
    text += "| key | values | default | meaning |\n|---|---|---|---|\n";
    for (const KeyText& key : section.keys)
      text += "| `" + key.key + "` | " + cell(key.values) + " | " + cell(key.otherwise) + " | " +
              cell(key.meaning) + " |\n";
  }
  return text;
}

}  // namespace minibert
