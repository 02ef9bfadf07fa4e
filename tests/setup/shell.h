// Shell commands and scratch folders for the tests of scripts and programs.
#pragma once

#include <filesystem>
#include <string>

namespace minibert {

struct ShellResult {
  int status = -1;
  std::string output;  // stdout and stderr together
};

// Runs `command` with bash in the tests' working folder, the top of the sources.
ShellResult shell(const std::string& command);

std::string single_quoted(const std::string& text);
bool contains(const std::string& text, const std::string& part);

// A folder that goes with the object.
class ScratchDir {
 public:
  ScratchDir();
  ~ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

  void write(const std::string& name, const std::string& text) const;
  // An executable bash script.
  void script(const std::string& name, const std::string& body) const;
  std::string read(const std::string& name) const;  // empty when absent

 private:
  std::filesystem::path path_;
};

}  // namespace minibert
