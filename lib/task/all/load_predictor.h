// Loads a finished run of any task, or its model file, to be put to use.
#pragma once

#include <memory>
#include <string>

#include "task/predictor.h"

namespace minibert {

enum class PredictBy {
  file,    // a `.mbq` by the engine, a record by LibTorch
  engine,  // both by the engine
};

// What a record or a `.mbq` predicts; `nothing` of a record whose task is not known. Throws an Error naming the file: no
// such file, damaged.
Predicts what_is_predicted(const std::string& path);

// The predictor of a record or a `.mbq`. Throws an Error naming the file: no such file, a usage Error where it
// is of a task that predicts something else.
template <class Kind>
std::unique_ptr<Kind> load_predictor(const std::string& path, PredictBy by = PredictBy::file);
template <>
std::unique_ptr<LabelPredictor> load_predictor(const std::string& path, PredictBy by);
template <>
std::unique_ptr<NamePredictor> load_predictor(const std::string& path, PredictBy by);
template <>
std::unique_ptr<AnswerPredictor> load_predictor(const std::string& path, PredictBy by);
template <>
std::unique_ptr<MaskPredictor> load_predictor(const std::string& path, PredictBy by);

}  // namespace minibert
