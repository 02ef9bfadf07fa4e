// Loads a finished run of any task, or its model file, as a predictor.
#pragma once

#include <memory>
#include <string>

#include "task/predictor.h"

namespace minibert {

enum class PredictBy {
  file,    // a `.mbq` with the engine, a record with LibTorch
  engine,  // both with the engine
};

// Returns what a record or a `.mbq` predicts; `nothing` for a record of an unknown task. Throws
// Error naming a missing or damaged file.
Predicts read_prediction_kind(const std::string& path);

// Loads the predictor of a record or a `.mbq`. Throws Error naming a missing file, and a usage
// Error if its task predicts something else.
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
