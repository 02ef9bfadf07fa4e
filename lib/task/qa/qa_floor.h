// Arms of question answering that learn no weights.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "task/qa/qa_data.h"
#include "task/task_kind.h"

namespace minibert {

// Returns true if this arm's "model" is a floor, `majority` or `overlap`. Throws a usage Error if
// it then has another key.
bool is_qa_floor(const nlohmann::json& model, const std::string& file);

// Makes a floor. majority: answers with the words of the context at the place (first word,
// number of words) where most answers of the training split stand; on a tie, the first place.
// overlap: data/questions/overlap_answer.h, which does not use the training split.
std::unique_ptr<Arm> make_qa_floor(const std::string& kind, QaData& data);

}  // namespace minibert
