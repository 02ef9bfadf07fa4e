#include "task/qa/qa_settings.h"

#include "task/qa/qa_fields.h"

namespace minibert {

QaSettings read_qa_settings(ConfigReader reader, QaSettings qa) {
  read_fields(reader, qa);
  reader.finish();
  if (qa.features.max_question + 8 > qa.features.max_length)
    reader.fail("max_question", "found " + std::to_string(qa.features.max_question) +
                                    ", expected at least 8 less than max_length " +
                                    std::to_string(qa.features.max_length));
  return qa;
}

nlohmann::json to_json(const QaSettings& qa) { return written_fields(qa); }

}  // namespace minibert
