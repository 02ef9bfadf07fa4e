// A folder of one test's own, removed afterwards.
#pragma once

#include <string>

namespace minibert::testing {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return folder_; }
  std::string operator/(const std::string& name) const { return folder_ + "/" + name; }

  // Writes a file in it, creating folders.
  void write(const std::string& name, const std::string& bytes) const;
  // Writes an executable bash script.
  void script(const std::string& name, const std::string& body) const;
  std::string read(const std::string& name) const;  // empty when absent

 private:
  std::string folder_;
};

void write_bytes(const std::string& path, const std::string& bytes);

}  // namespace minibert::testing
