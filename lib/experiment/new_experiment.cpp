#include "experiment/new_experiment.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

#include "core/characters.h"
#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/files/columns.h"
#include "data/files/table.h"
#include "data/resolve_files.h"
#include "data/splits/example_kind.h"
#include "data/splits/labelled_data.h"
#include "data/splits/question_data.h"
#include "data/splits/tagged_data.h"
#include "score/label_set.h"
#include "task/all/registry.h"
#include "text/composed.h"

namespace minibert {
namespace {

using nlohmann::ordered_json;
using nlohmann::operator""_json_pointer;

size_t characters(const std::string& text) { return to_code_points(text).size(); }

// Pieces of a row: about one for one and a half characters, with room, in steps of 32 and within
// the shipped encoders' positions.
int64_t row_length(size_t characters) {
  constexpr size_t kStep = 32, kLeast = 32, kMost = 384;
  const size_t wanted = characters + 3;
  return static_cast<int64_t>(std::clamp((wanted + kStep - 1) / kStep * kStep, kLeast, kMost));
}

// Small data need more passes.
int epochs_for(size_t examples) {
  return examples < 2000 ? 20 : examples < 10000 ? 10 : examples < 50000 ? 5 : 3;
}

// Passes of the quick profile, in which bag and LSTM learn more than the most frequent label. Where a text may have
// several, no label reaches 50 % before some 40,000 texts were read.
int quick_epochs_for(size_t examples, const std::string& task) {
  if (task != "multilabel") return std::max(2, epochs_for(examples) / 2);
  constexpr size_t kTexts = 40000, kMost = 40;
  return static_cast<int>(std::clamp(kTexts / std::max<size_t>(examples, 1), size_t{2}, kMost));
}

// Calls use(split's name, split) for each.
template <class Splits, class Use>
void for_each_split(const Splits& splits, const Use& use) {
  use("train", splits.train);
  use("dev", splits.dev);
  use("test", splits.test);
}

void set_length(std::vector<size_t> lengths, NewExperiment* out) {
  if (lengths.empty()) return;
  std::ranges::sort(lengths);
  out->length = lengths[lengths.size() * 99 / 100];
}

// Counts a label of an example that stands at `where` in a split. Splits come in order: training first, and a label that
// it lacks is an Error, as in a run.
void count_label(const std::string& split, const std::string& label, const std::string& where,
                 NewExperiment* out) {
  if (split != "train" && !out->labels.contains(label)) {
    std::vector<std::string> known;
    for (const auto& [name, count] : out->labels) known.push_back(name);
    throw Error(where + ": found the label \"" + label +
                "\", expected one that training has: " + joined(known));
  }
  ++out->labels[label];
}

std::string look_at_labelled(const std::string& asked, const Say& say, NewExperiment* out) {
  TableLayout& table = out->source.table;
  table =
      find_columns(read_table(out->source.train.front(), {.separator = table.separator}), table);
  const std::string task = !asked.empty()           ? asked
                           : !table.choices.empty() ? "choice"
                           : table.several()        ? "multilabel"
                                                    : "classification";
  const LabelUse use = task == "multilabel"   ? LabelUse::sets
                       : task == "regression" ? LabelUse::numbers
                                              : LabelUse::names;
  std::vector<size_t> lengths;
  for_each_split(load_labelled(resolve_files(out->source), say, use),
                 [&](const char* name, const std::vector<LabelledExample>& split) {
                   out->examples[name] = split.size();
                   for (const LabelledExample& one : split) {
                     size_t second = characters(one.pair);
                     for (const std::string& choice : one.choices)
                       second = std::max(second, characters(choice));
                     lengths.push_back(characters(one.text) + second);
                     if (use == LabelUse::names) count_label(name, one.label, place_of(one), out);
                     if (use == LabelUse::sets)
                       for (const std::string& label : labels_of(one.label))
                         count_label(name, label, place_of(one), out);
                   }
                 });
  set_length(std::move(lengths), out);
  return task;
}

void look_at_tagged(const Say& say, NewExperiment* out) {
  std::vector<size_t> lengths;
  for_each_split(load_tagged(resolve_files(out->source), say),
                 [&](const char* name, const std::vector<TaggedSentence>& split) {
                   out->examples[name] = split.size();
                   for (const TaggedSentence& one : split) {
                     lengths.push_back(one.tags.size());
                     for (const std::string& tag : one.tags)
                       if (tag.starts_with("B-"))
                         count_label(name, tag.substr(2), place_of(one), out);
                   }
                 });
  set_length(std::move(lengths), out);
}

void look_at_questions(const Say& say, NewExperiment* out) {
  for_each_split(load_korquad(resolve_files(out->source), say),
                 [&](const char* name, const KorquadSet& split) {
                   out->examples[name] = split.question_count();
                 });
}

// The tasks that files of a kind may be for, the first unless another is asked for.
std::vector<std::string> tasks_for(ExampleKind kind) {
  switch (kind) {
    case ExampleKind::questions:
      return {"korquad"};
    case ExampleKind::tagged:
      return {"tagging"};
    case ExampleKind::labelled:
      return {"classification", "regression", "multilabel", "choice"};
  }
  return {};
}

}  // namespace

NewExperiment new_experiment(const FileSource& source, const std::string& task,
                             const std::string& title, const std::string& base, const Say& say) {
  NewExperiment made;
  made.source = source;
  const ExampleKind kind = example_kinds(resolve_files(source)).front();
  const std::vector<std::string> tasks = tasks_for(kind);
  if (!task.empty() && std::ranges::count(tasks, task) == 0)
    throw usage_error("--task: found " + task + ", expected for " + source.train.front() +
                      " one of: " + joined(tasks));
  std::string chosen = tasks.front();
  if (kind == ExampleKind::labelled) chosen = look_at_labelled(task, say, &made);
  if (kind == ExampleKind::tagged) look_at_tagged(say, &made);
  if (kind == ExampleKind::questions) look_at_questions(say, &made);
  const bool questions = kind == ExampleKind::questions;
  const size_t examples = made.examples.at("train");
  const int quick = quick_epochs_for(examples, chosen);
  const int epochs = std::max(epochs_for(examples), quick);
  const std::string monitor(task_kind(chosen).monitor());
  ordered_json& out = made.file;
  out = {{"extends", base}, {"task", chosen}, {"title", title}};
  out["data"] = to_json(made.source);
  if (questions)
    out["features"] = {{"max_length", 384}, {"max_question", 64}, {"stride", 128},
                       {"max_answer", 30},  {"n_best", 20},       {"overlap", true}};
  else
    out["features"] = {{"max_length", row_length(made.length)}};
  ordered_json arms = ordered_json::array(), fewer = ordered_json::array();
  if (questions) arms.push_back({{"name", "bag"}, {"skip", true}});
  arms.push_back({{"name", "bert_1m"}, {"skip", true}});
  for (const std::string name :
       {"bag", "lstm", "bert_1m_pretrained", "bert_1m_everyday", "bert_10m_everyday"}) {
    if (questions && name == "bag") continue;
    const bool large =
        name == "bert_10m_everyday";  // of profile 10m alone, and learns in fewer passes
    ordered_json arm = {{"name", name}};
    if (questions) arm["model"] = {{"answer_lengths", 30}};
    if (chosen == "regression") arm["model"] = {{"output_unit", "deviation"}};
    arm["train"] = {{"epochs", large ? (epochs + 1) / 2 : epochs}, {"monitor", monitor}};
    arms.push_back(arm);
    if (!large) fewer.push_back({{"name", name}, {"train", {{"epochs", quick}}}});
  }
  if (questions)
    arms.push_back(
        {{"name", "overlap"}, {"model", {{"kind", "overlap"}}}, {"train", ordered_json::object()}});
  out["arms"] = arms;
  out["profiles"]["quick"] = {{"seeds", {1}}, {"arms", fewer}};
  return made;
}

std::vector<std::string> lines_of(const NewExperiment& made) {
  std::vector<std::string> out = {
      made.file.at("task").get<std::string>() + ": " + std::to_string(made.examples.at("train")) +
          " to train on (train), " + std::to_string(made.examples.at("dev")) +
          " to choose by (dev), " + std::to_string(made.examples.at("test")) +
          " to measure on (test)",
      "profile quick: " + made.file.at("/profiles/quick/arms/0/train/epochs"_json_pointer).dump() +
          " epochs; the end of a run names each arm that does not beat a floor, which learns "
          "nothing"};
  if (made.labels.empty()) return out;
  std::vector<std::pair<size_t, std::string>> sorted;
  size_t all = 0;
  for (const auto& [label, count] : made.labels) {
    sorted.emplace_back(count, label);
    all += count;
  }
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<size_t, std::string>::first);
  constexpr size_t kShown = 30;
  std::vector<std::string> words;
  for (const auto& [count, label] : sorted) {
    if (words.size() == kShown) break;
    char share[32];
    std::snprintf(share, sizeof share, " (%.1f %%)",
                  100 * static_cast<double>(count) / static_cast<double>(all));
    words.push_back(label + " " + std::to_string(count) + share);
  }
  out.push_back(count_of(sorted.size(), "label: ", "labels: ") + joined(words) +
                (sorted.size() > kShown ? ", …" : ""));
  return out;
}

std::string experiment_name_of(const std::string& path) {
  std::filesystem::path file = path;
  if (!file.has_filename()) file = file.parent_path();
  const std::string stem = file.stem().string();
  if (!is_utf8(stem)) return "mine";
  // Characters that a name cannot have only separate words: "리뷰 (최종)" becomes "리뷰_최종".
  std::u32string name;
  for (const char32_t c : to_code_points(composed(stem))) {
    const bool joint = c == '_' || c == '-';
    if (is_letter_or_digit(c) || (joint && !name.empty()))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "mine" : to_utf8(name);
}

}  // namespace minibert
