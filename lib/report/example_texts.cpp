#include "report/example_texts.h"

#include <algorithm>

#include "core/config_reader.h"
#include "core/error.h"
#include "data/registry.h"
#include "data/resolve_files.h"
#include "data/splits/example_kind.h"
#include "data/splits/labelled_data.h"
#include "data/splits/question_data.h"
#include "data/splits/tagged_data.h"

namespace minibert {
namespace {

using nlohmann::json;

// Throws Error unless every file that the record names is there with the same bytes.
void check_same_files(const json& stored, const ResolvedData& found) {
  for (const json& file : stored.at("files")) {
    const std::string name = file.at("name");
    const auto here = std::ranges::find(found.set.files, name, &DataFile::name);
    if (here == found.set.files.end()) throw Error(name + ": is no longer a file of this data set");
    const FileState& state = found.files[static_cast<size_t>(here - found.set.files.begin())];
    // An unpinned file's sum is not known without reading it; its pinned sum is checked already.
    const std::string& sum = state.sha256.empty() ? here->sha256 : state.sha256;
    if (sum != file.at("sha256").get<std::string>())
      throw Error(name + ": has changed since the runs read it");
  }
}

void add_questions(const KorquadSplits& splits, std::map<std::string, std::string>* out) {
  for (const KorquadSet* set : {&splits.train, &splits.dev, &splits.test})
    for (const KorquadParagraph& paragraph : set->paragraphs)
      for (const KorquadQuestion& question : paragraph.questions)
        (*out)[question.id] = question.question;
}

void add_labelled(const LabelledSplits& splits, std::map<std::string, std::string>* out) {
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& example : *split) {
      std::string text = example.text;
      if (!example.pair.empty()) text += " / " + example.pair;
      for (size_t i = 0; i < example.choices.size(); ++i)
        text += (i == 0 ? " → " : " | ") + example.choices[i];
      (*out)[example.id] = std::move(text);
    }
}

void add_tagged(const TaggedSplits& splits, std::map<std::string, std::string>* out) {
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const TaggedSentence& sentence : *split) (*out)[sentence.id] = sentence.text;
}

ResolvedData found_again(const json& data, const DataPlaces& places) {
  if (data.contains("own")) {
    ConfigReader reader(data.at("own"), "/data", "own");
    return resolve_files(read_file_source(reader));
  }
  return choose(Registry::load(places.registry), {data.at("id").get<std::string>()},
                data_directory(places.data_dir));
}

}  // namespace

ExampleTexts example_texts(const json& data, const DataPlaces& places) {
  ExampleTexts out;
  try {
    const ResolvedData found = found_again(data, places);
    check_same_files(data, found);
    for (const ExampleKind kind : example_kinds(found)) {
      switch (kind) {
        case ExampleKind::questions:
          add_questions(load_korquad(found), &out.by_id);
          break;
        case ExampleKind::labelled:
          add_labelled(load_labelled(found), &out.by_id);
          break;
        case ExampleKind::tagged:
          add_tagged(load_tagged(found), &out.by_id);
          break;
      }
    }
  } catch (const std::exception& error) {
    out.by_id.clear();
    out.missing = error.what();
  }
  return out;
}

}  // namespace minibert
