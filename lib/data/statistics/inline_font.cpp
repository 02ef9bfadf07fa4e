#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "core/base64.h"
#include "core/error.h"
#include "core/files.h"
#include "core/temporary.h"
#include "data/statistics/statistics_html.h"

namespace minibert {
namespace {

constexpr char kPython[] = "/usr/bin/python3";  // the one that packages are for
constexpr char kFont[] = "/usr/share/fonts/truetype/nanum/NanumGothic.ttf";

// Runs it in silence; whether it ended with status 0.
bool succeeds(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

std::string inline_font(const std::string& text) {
  if (access(kFont, R_OK) != 0) return "";
  std::optional<Temporary> folder;
  try {
    folder.emplace(Temporary::folder());
  } catch (const Error&) {
    return "";
  }
  const std::string letters = folder->path() + "/letters", subset = folder->path() + "/subset";
  write_file_atomically(letters, text);
  if (!succeeds({kPython, "-m", "fontTools.subset", kFont, "--text-file=" + letters,
                 "--flavor=woff2", "--output-file=" + subset}))
    return "";
  return "@font-face { font-family: \"Nanum Gothic\"; src: url(data:font/woff2;base64," +
         base64(read_file(subset)) + ") format(\"woff2\"); }\n";
}

}  // namespace minibert
