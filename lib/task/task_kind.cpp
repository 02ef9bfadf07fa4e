#include "task/task_kind.h"

#include "core/error.h"

namespace minibert {

const char* to_string(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::dev:
      return "dev";
    case Split::test:
      return "test";
  }
  return "";
}

nlohmann::ordered_json Arm::measure_mbq(const MbqFiles&, Split, int) {
  throw usage_error("--check: the task does not measure what int8 costs, expected --no-check");
}

MbqHead TaskKind::mbq_head(const RunRecord&) const {
  throw Error("found a run of the task " + std::string(name()) +
              ", expected one that the engine computes");
}

std::unique_ptr<Predictor> TaskKind::predictor(const RunRecord&, const std::string& file) const {
  throw usage_error(file + ": found a run of the task " + std::string(name()) +
                    ", expected one that predicts something");
}

void pass_over_pretraining_keys(ConfigReader& train, std::string_view task) {
  const std::string where = ", expected none in a " + std::string(task) + " experiment";
  if (!train.objects("phases").empty()) train.fail("phases", "found a list" + where);
  if (train.number("nsp_weight", 0, 1000, 1.0) != 1.0)
    train.fail("nsp_weight", "found a weight" + where);
}

}  // namespace minibert
