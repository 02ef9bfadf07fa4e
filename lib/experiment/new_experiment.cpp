#include "experiment/new_experiment.h"

#include <algorithm>
#include <filesystem>

#include "core/characters.h"
#include "core/error.h"
#include "core/utf8.h"
#include "task/all/registry.h"
#include "text/composed.h"

namespace minibert {
namespace {

using nlohmann::ordered_json;

// Pieces of a row: about one for one and a half characters, with room, in steps of 32 and within what
// the shipped encoders have positions for.
int64_t row_length(size_t characters) {
  constexpr size_t kStep = 32, kLeast = 32, kMost = 384;
  const size_t wanted = characters + 3;
  return static_cast<int64_t>(std::clamp((wanted + kStep - 1) / kStep * kStep, kLeast, kMost));
}

// Small data need more passes.
int epochs_for(size_t examples) {
  return examples < 2000 ? 20 : examples < 10000 ? 10 : examples < 50000 ? 5 : 3;
}

struct TaskChoice {
  std::string task, monitor;
};

// The first task that such files are for.
TaskChoice choice_for(const Survey& survey) {
  for (const std::string& task : task_names())
    if (const std::string_view monitor = task_kind(task).monitor_for(survey); !monitor.empty())
      return {task, std::string(monitor)};
  throw Error("found files that no task is for");
}

}  // namespace

ordered_json new_experiment(const Survey& survey, const std::string& title,
                            const std::string& base) {
  const TaskChoice chosen = choice_for(survey);
  const bool questions = survey.form == OwnForm::questions;
  const size_t examples = survey.examples.at("train");
  const int epochs = epochs_for(examples), quick = std::max(1, epochs / 4);
  ordered_json out = {{"extends", base}, {"task", chosen.task}, {"title", title}};
  out["data"] = to_json(survey.source);
  if (questions)
    out["features"] = {{"max_length", 384}, {"max_question", 64}, {"stride", 128},
                       {"max_answer", 30},  {"n_best", 20},       {"overlap", true}};
  else
    out["features"] = {{"max_length", row_length(survey.long_length)}};
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
    if (survey.scores) arm["model"] = {{"output_unit", "deviation"}};
    arm["train"] = {{"epochs", large ? (epochs + 1) / 2 : epochs}, {"monitor", chosen.monitor}};
    arms.push_back(arm);
    if (!large) fewer.push_back({{"name", name}, {"train", {{"epochs", quick}}}});
  }
  if (questions)
    arms.push_back(
        {{"name", "overlap"}, {"model", {{"kind", "overlap"}}}, {"train", ordered_json::object()}});
  out["arms"] = arms;
  out["profiles"]["quick"] = {{"seeds", {1}}, {"arms", fewer}};
  return out;
}

std::string experiment_name_of(const std::string& path) {
  std::filesystem::path file = path;
  if (!file.has_filename()) file = file.parent_path();
  const std::string stem = file.stem().string();
  if (!is_utf8(stem)) return "mine";
  // What a name cannot have says where one word ends, and no more: "리뷰 (최종)" is "리뷰_최종".
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
