#include "data/instances/instance_settings.h"

#include "data/instances/instance_fields.h"

namespace minibert {

nlohmann::json to_json(const InstanceSettings& settings) { return written_fields(settings); }

InstanceSettings read_instance_settings(ConfigReader& reader) {
  InstanceSettings settings;
  read_fields(reader, settings);
  if (settings.unit != InstanceUnit::document && settings.sentence_task != SentenceTask::none)
    reader.fail("unit", "found \"" + instance_units()[static_cast<size_t>(settings.unit)] +
                            "\", expected document where there is a sentence_task");
  if (settings.lone_paragraphs && settings.sentence_task == SentenceTask::none)
    reader.fail("lone_paragraphs",
                "found true, expected a sentence_task: without one they are instances anyway");
  return settings;
}

const std::vector<std::string>& article_parts() {
  static const std::vector<std::string> parts = {"all", "first_half", "second_half"};
  return parts;
}

std::string to_string(ArticlePart part) { return article_parts()[static_cast<size_t>(part)]; }

}  // namespace minibert
