// Arms of question answering that learn no weights.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "task/qa/qa_data.h"
#include "task/task_kind.h"

namespace minibert {

// Is this arm's "model" a floor, `majority` or `overlap`? Then it has no other key: else a usage
// Error.
bool is_qa_floor(const nlohmann::json& model, const std::string& file);

// majority: the words of the context that stand where most answers of the training split stand
// (first word, number of words), of equally frequent places the first. overlap: data/questions/overlap_answer.h,
// which does not look at the training split.
std::unique_ptr<Arm> make_qa_floor(const std::string& kind, QaData& data);

}  // namespace minibert
