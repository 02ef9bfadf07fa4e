#include "report/example_texts.h"

#include <algorithm>
#include <string_view>

#include "core/config_reader.h"
#include "core/error.h"
#include "data/own/form.h"
#include "data/own/resolve_own.h"
#include "data/registry.h"
#include "data/splits/labelled_data.h"
#include "data/splits/question_data.h"
#include "data/splits/tagged_data.h"

namespace minibert {
namespace {

using nlohmann::json;

bool has_kind(const DataSet& set, std::string_view kind) {
  return std::ranges::any_of(set.files, [&](const DataFile& file) { return file.kind == kind; });
}

// Throws Error unless every file that the record names is there with the same bytes.
void check_same_files(const json& stored, const ResolvedData& found) {
  for (const json& file : stored.at("files")) {
    const std::string name = file.at("name");
    const auto here = std::ranges::find(found.set.files, name, &DataFile::name);
    if (here == found.set.files.end()) throw Error(name + ": is no file of this data set any more");
    const FileState& state = found.files[static_cast<size_t>(here - found.set.files.begin())];
    // An unpinned file's sum is not known without reading it; its pinned sum is checked already.
    const std::string& sum = state.sha256.empty() ? here->sha256 : state.sha256;
    if (sum != file.at("sha256").get<std::string>())
      throw Error(name + ": has other bytes than the runs saw");
  }
}

void add_set(const KorquadSet& set, std::map<std::string, std::string>* out) {
  for (const KorquadParagraph& paragraph : set.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions)
      (*out)[question.id] = question.question;
}

void add_questions(const ResolvedData& data, std::map<std::string, std::string>* out) {
  for (size_t i = 0; i < data.set.files.size(); ++i) {
    if (data.set.files[i].kind != "korquad") continue;
    add_set(read_korquad(data.files[i].path), out);
  }
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

void add_own(const ResolvedData& data, std::map<std::string, std::string>* out) {
  switch (form_of(*data.own)) {
    case OwnForm::labelled:
      return add_labelled(load_labelled(data), out);
    case OwnForm::tagged:
      return add_tagged(load_tagged(data), out);
    case OwnForm::questions:
      const KorquadSplits splits = load_korquad(data);
      for (const KorquadSet* set : {&splits.train, &splits.dev, &splits.test}) add_set(*set, out);
  }
}

ResolvedData found_again(const json& data, const DataPlaces& places) {
  if (data.contains("own")) {
    ConfigReader reader(data.at("own"), "/data", "own");
    return resolve_own(read_own_source(reader));
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
    if (found.own) {
      add_own(found, &out.by_id);
      return out;
    }
    if (has_kind(found.set, "korquad")) add_questions(found, &out.by_id);
    if (has_kind(found.set, "table")) add_labelled(load_labelled(found), &out.by_id);
    if (has_kind(found.set, "tags")) add_tagged(load_tagged(found), &out.by_id);
  } catch (const std::exception& error) {
    out.by_id.clear();
    out.missing = error.what();
  }
  return out;
}

}  // namespace minibert
