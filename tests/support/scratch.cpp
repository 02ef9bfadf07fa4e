#include "support/scratch.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace minibert::testing {

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "minibert-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void Scratch::write(const std::string& name, const std::string& bytes) const {
  const std::filesystem::path path = *this / name;
  std::filesystem::create_directories(path.parent_path());
  write_bytes(path, bytes);
}

void Scratch::script(const std::string& name, const std::string& body) const {
  write(name, "#!/bin/bash\n" + body + "\n");
  std::filesystem::permissions(*this / name, std::filesystem::perms::owner_all);
}

std::string Scratch::read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(*this / name, std::ios::binary).rdbuf();
  return text.str();
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace minibert::testing
