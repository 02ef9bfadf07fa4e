#include "task/task_kind.h"

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

void pass_over_pretraining_keys(ConfigReader& train, std::string_view task) {
  const std::string where = ", expected none in a " + std::string(task) + " experiment";
  if (!train.objects("phases").empty()) train.fail("phases", "found a list" + where);
  if (train.number("nsp_weight", 0, 1000, 1.0) != 1.0)
    train.fail("nsp_weight", "found a weight" + where);
}

}  // namespace minibert
