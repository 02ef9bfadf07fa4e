#include "checkpoint/checkpoint.h"

#include <fstream>

#include "core/error.h"

namespace minibert {

void refuse_lfs_pointer(const std::string& path) {
  constexpr std::string_view kBegin = "version https://git-lfs";
  std::ifstream file(path, std::ios::binary);
  std::string found(kBegin.size(), '\0');
  if (file.read(found.data(), static_cast<std::streamsize>(found.size())) && found == kBegin)
    throw Error(path +
                ": found a pointer of Git LFS, expected the file that it stands for, which "
                "`git lfs pull` in its folder gets");
}

std::string shape_text(const std::vector<int64_t>& shape) { return nlohmann::json(shape).dump(); }

std::string shown_value(const nlohmann::json& value) {
  return value.is_structured() ? value.type_name() : value.dump();
}

void expect_object(const nlohmann::json& value, const std::string& where) {
  if (!value.is_object())
    throw Error(where + ": found " + shown_value(value) + ", expected an object");
}

}  // namespace minibert
