#include "task/qa/qa_settings.h"

namespace minibert {

QaSettings read_qa_settings(ConfigReader reader, QaSettings qa) {
  const auto integer = [&](const char* key, int64_t min, int64_t max, int& value) {
    value = static_cast<int>(reader.integer(key, min, max, value));
  };
  integer("max_length", 16, 4096, qa.features.max_length);
  integer("max_question", 1, 1024, qa.features.max_question);
  integer("stride", 1, 4096, qa.features.stride);
  integer("max_answer", 1, 1024, qa.spans.max_answer);
  integer("n_best", 1, 1000, qa.spans.n_best);
  qa.cover_in_training = reader.choice("training_windows", {"first", "covering"},
                                       qa.cover_in_training ? "covering" : "first") == "covering";
  qa.features.overlap = reader.boolean("overlap", qa.features.overlap);
  reader.finish();
  if (qa.features.max_question + 8 > qa.features.max_length)
    reader.fail("max_question", "found " + std::to_string(qa.features.max_question) +
                                    ", expected at least 8 less than max_length " +
                                    std::to_string(qa.features.max_length));
  return qa;
}

nlohmann::json to_json(const QaSettings& qa) {
  return {{"max_length", qa.features.max_length},
          {"max_question", qa.features.max_question},
          {"stride", qa.features.stride},
          {"max_answer", qa.spans.max_answer},
          {"n_best", qa.spans.n_best},
          {"overlap", qa.features.overlap},
          {"training_windows", qa.cover_in_training ? "covering" : "first"}};
}

}  // namespace minibert
