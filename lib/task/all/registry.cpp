#include "task/all/registry.h"

#include <algorithm>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "task/pretrain/pretrain_kind.h"
#include "task/qa/qa_kind.h"
#include "task/sequence/sequence_kind.h"
#include "task/tagging/tagging_kind.h"

namespace minibert {
namespace {

constexpr Measure kBefore[] = {
    {"parameters", "parameters", -1, Better::neither},
};
constexpr Measure kAfter[] = {
    {.name = "ms_per_question", .heading = "ms/question", .decimals = 2, .better = Better::lower},
    {.name = "tokens_per_second", .heading = "tokens/s", .decimals = -1, .better = Better::higher},
    {.name = "wall_seconds", .heading = "wall s", .decimals = 1, .better = Better::lower},
    hidden("train_seconds", "train s", Better::lower, 1),
    hidden("flops", "FLOPs", Better::lower, -1),
    hidden("teacher_flops", "teacher's FLOPs", Better::lower, -1),
    hidden("cpu_seconds", "CPU s", Better::lower, 1),
    hidden("steps", "steps", Better::neither, -1),
};

void add_once(std::span<const Measure> more, std::vector<Measure>* all) {
  for (const Measure& measure : more)
    if (std::none_of(all->begin(), all->end(),
                     [&](const Measure& other) { return other.name == measure.name; }))
      all->push_back(measure);
}

struct Table {
  std::vector<const TaskKind*> kinds;
  std::vector<Measure> measures;  // of all of them, and of any run

  void find_measures() {
    measures.clear();
    add_once(kBefore, &measures);
    for (const TaskKind* kind : kinds) add_once(kind->measures(), &measures);
    add_once(kAfter, &measures);
  }
};

Table& table() {
  static const PretrainKind pretrain;
  static const QaKind korquad;
  static const TaggingKind tagging;
  static Table all = [] {
    Table made{{&pretrain, &korquad, &classification_kind(), &multilabel_kind(), &regression_kind(),
                &choice_kind(), &tagging},
               {}};
    made.find_measures();
    return made;
  }();
  return all;
}

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskKind* kind : table().kinds) names.emplace_back(kind->name());
  return names;
}

const TaskKind& task_kind(const std::string& name) {
  for (const TaskKind* kind : table().kinds)
    if (kind->name() == name) return *kind;
  throw usage_error("task: found \"" + name + "\", expected one of: " + joined(task_names()) +
                    did_you_mean(name, task_names()));
}

AddedTaskKind::AddedTaskKind(const TaskKind& kind) {
  table().kinds.push_back(&kind);
  table().find_measures();
}

AddedTaskKind::~AddedTaskKind() {
  table().kinds.pop_back();
  table().find_measures();
}

const std::vector<Measure>& all_measures() { return table().measures; }

}  // namespace minibert
