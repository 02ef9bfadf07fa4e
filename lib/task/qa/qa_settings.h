// The keys of a question-answering experiment: windows and spans.
#pragma once

#include "core/config_reader.h"
#include "data/questions/qa_features.h"
#include "rules/span_decode.h"
#include "task/arm_config.h"

namespace minibert {

// "features" of an experiment, and of an arm with its own.
struct QaSettings : TaskSettings {
  QaFeatureSettings features;
  SpanSettings spans;
};

// Reads the keys of "features"; missing keys keep the value in `defaults`.
QaSettings read_qa_settings(ConfigReader reader, QaSettings defaults);
nlohmann::json to_json(const QaSettings& settings);

}  // namespace minibert
