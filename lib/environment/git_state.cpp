// The state of the source tree, asked of git.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "core/shell_quote.h"
#include "core/text.h"
#include "environment/build_info.h"
#include "environment/environment.h"

namespace minibert {
namespace {

struct CommandResult {
  bool ok = false;
  bool truncated = false;
  std::string output;
};

// Output beyond `limit` bytes is dropped. The tree is trusted whoever owns it: it was built.
CommandResult git(const std::string& source_dir, const std::string& arguments, std::size_t limit) {
  const std::string dir = shell_quoted(source_dir);
  const std::string command =
      "git -c safe.directory=" + dir + " -C " + dir + " " + arguments + " 2>/dev/null </dev/null";
  CommandResult result;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  char buffer[8192];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    const auto room = limit - result.output.size();
    result.output.append(buffer, std::min(n, room));
    result.truncated |= n > room;
  }
  const int status = pclose(pipe);
  result.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

// `base`: a commit, or HEAD where that is empty or git does not know it.
GitState state_against(const std::string& base, const std::string& source_dir) {
  GitState state;
  // The sources must be the top of the work tree, not a copy inside some other project's.
  std::error_code ignored;
  const std::filesystem::path source = source_dir;
  const auto head = std::filesystem::exists(source / ".git", ignored)
                        ? git(source_dir, "rev-parse HEAD", 200)
                        : CommandResult{};
  const bool known = !base.empty() && head.ok &&
                     git(source_dir, "cat-file -e " + shell_quoted(base + "^{commit}"), 200).ok;
  if (!head.ok) {
    state.commit = build_info::commit;
    state.dirty = build_info::dirty;
    return state;
  }
  state.commit = known ? base : head.output.substr(0, head.output.find('\n'));
  // Records are outputs; writing one does not make the program another.
  const std::string only_sources = " -- . ':(exclude)results'";
  auto diff = git(source_dir,
                  "diff " + shell_quoted(state.commit) + " --no-color --no-ext-diff" + only_sources,
                  max_diff_bytes);
  // Untracked files count only if the program is built from them: a record holds a user's
  // experiments, and names data by its hash.
  const auto untracked = git(source_dir,
                             "ls-files --others --exclude-standard -- lib tests wasm_demo .setup "
                             "'*.cpp' '*.h' '*.cmake' '*CMakeLists.txt' ':(exclude)results'",
                             64 * 1024);
  if (diff.truncated)
    diff.output.resize(diff.output.rfind('\n') + 1);  // whole lines, whole letters
  state.diff = std::move(diff.output);
  state.diff_truncated = diff.truncated;
  std::istringstream lines(untracked.output);
  for (std::string line; next_line(lines, &line);) state.untracked.push_back(line);
  state.dirty = !state.diff.empty() || !state.untracked.empty();
  return state;
}

}  // namespace

std::string built_source_dir() { return build_info::source_dir; }

GitState git_state(const std::string& source_dir) { return state_against("", source_dir); }

GitState state_when_built(const std::string& commit, bool dirty, const std::string& source_dir) {
  if (commit.empty() || dirty) return state_against(commit, source_dir);
  GitState state;
  state.commit = commit;
  return state;
}

GitState program_state() {
  return state_when_built(build_info::commit, build_info::dirty, build_info::source_dir);
}

bool is_tracked(const std::string& path, const std::string& source_dir) {
  const std::string file = std::filesystem::absolute(path).lexically_normal().string();
  return git(source_dir, "ls-files --error-unmatch -- " + shell_quoted(file), 4096).ok;
}

}  // namespace minibert
