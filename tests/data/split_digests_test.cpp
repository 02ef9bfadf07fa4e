// Ids, texts and labels of every split of every registered data set are what they were when its runs were recorded.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "data/registry.h"
#include "data/splits/example_kind.h"
#include "data/splits/labelled_data.h"
#include "data/splits/question_data.h"
#include "data/splits/tagged_data.h"
#include "support/real_data.h"

namespace minibert {
namespace {

using nlohmann::json;

// Appends a text and its length, so that no two lists of texts are the same bytes.
void put(const std::string& text, std::string* out) {
  *out += std::to_string(text.size()) + ":" + text;
}

std::string digest(const std::vector<LabelledExample>& examples) {
  std::string all;
  for (const LabelledExample& example : examples) {
    for (const std::string& text : {example.id, example.text, example.pair, example.label})
      put(text, &all);
    for (const std::string& choice : example.choices) put(choice, &all);
  }
  return sha256_hex(all);
}

std::string digest(const std::vector<TaggedSentence>& sentences) {
  std::string all;
  for (const TaggedSentence& sentence : sentences) {
    put(sentence.id, &all);
    put(sentence.text, &all);
    for (const std::string& tag : sentence.tags) put(tag, &all);
  }
  return sha256_hex(all);
}

std::string digest(const KorquadSet& set) {
  std::string all;
  for (const KorquadParagraph& paragraph : set.paragraphs) {
    put(paragraph.title, &all);
    put(paragraph.context, &all);
    for (const KorquadQuestion& question : paragraph.questions) {
      put(question.id, &all);
      put(question.question, &all);
      put(std::to_string(question.answer_start), &all);
      for (const std::string& answer : question.answers()) put(answer, &all);
    }
  }
  return sha256_hex(all);
}

template <class Splits>
json digests(const Splits& splits) {
  return {
      {"train", digest(splits.train)}, {"dev", digest(splits.dev)}, {"test", digest(splits.test)}};
}

json digests_of(const ResolvedData& data, ExampleKind kind) {
  switch (kind) {
    case ExampleKind::questions:
      return digests(load_korquad(data));
    case ExampleKind::labelled:
      return digests(load_labelled(data));
    case ExampleKind::tagged:
      return digests(load_tagged(data));
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the splits of registered data sets never change") {
  const json expected = json::parse(read_file("tests/data/split_digests.json"));
  const Registry registry = Registry::load();
  size_t checked = 0;
  for (const std::string& id : registry.ids()) {
    const DataSet& set = registry.at(id);
    for (const ExampleKind kind : example_kinds(set)) {
      ResolvedData data;
      try {
        data = choose(registry, {id}, testing::data_folder());
      } catch (const Error&) {  // its files are not here
        continue;
      }
      INFO(id);
      CHECK(digests_of(data, kind).dump() == expected.value(id, json()).dump());
      ++checked;
    }
  }
  CHECK(checked >= 1);
}

}  // namespace minibert
