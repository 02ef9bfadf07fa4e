#include "task/floor.h"

namespace minibert {

bool is_floor(std::string_view kind, const nlohmann::json& model, const std::string& file) {
  if (!model.is_object() || model.value("kind", nlohmann::json()) != kind) return false;
  ConfigReader reader(model, file, "model");
  reader.string("kind");
  reader.strings("labels");  // of a stored run
  reader.finish();
  return true;
}

}  // namespace minibert
