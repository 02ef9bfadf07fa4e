#include "support/program.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/files.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert::testing {
namespace {

std::string path_of_program() {
  const char* path = std::getenv("MINIBERT_PROGRAM");
  REQUIRE(path != nullptr);
  return path;
}

// The process that has LibTorch loaded, for as long as this lives.
class WarmProgram {
 public:
  WarmProgram() {
    const std::string path = path_of_program();
    const auto folder = std::filesystem::path(path).parent_path();
    const std::string library = folder / "libwarm_start.so", client = folder / "warm_command";
    if (!std::filesystem::exists(library) || !std::filesystem::exists(client)) return;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string at = scratch_ / "warm";
    REQUIRE(at.size() < sizeof address.sun_path);
    std::strcpy(address.sun_path, at.c_str());
    const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(listen(listening, 16) == 0);
    const std::string warm = "MINIBERT_WARM=" + std::to_string(listening),
                      test = "MINIBERT_WARM_FOR=" + std::to_string(getpid()),
                      preload = "LD_PRELOAD=" + library;
    std::vector<char*> environment;
    for (char** one = environ; *one != nullptr; ++one) environment.push_back(*one);
    for (const std::string* one : {&warm, &test, &preload})
      environment.push_back(const_cast<char*>(one->c_str()));
    environment.push_back(nullptr);
    char* arguments[] = {const_cast<char*>(path.c_str()), nullptr};
    process_ = fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
      fcntl(listening, F_SETFD, 0);
      execve(arguments[0], arguments, environment.data());
      _exit(127);
    }
    close(listening);
    command_ = "MINIBERT_WARM_AT=" + single_quoted(at) + " " + single_quoted(client);
  }
  ~WarmProgram() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  WarmProgram(const WarmProgram&) = delete;
  WarmProgram& operator=(const WarmProgram&) = delete;
  const std::string& command() const { return command_; }

 private:
  Scratch scratch_;
  pid_t process_ = 0;
  std::string command_;
};

}  // namespace

std::string program() { return single_quoted(path_of_program()); }

std::string warm_program() {
  static const WarmProgram warm;
  return warm.command().empty() ? program() : warm.command();
}

ProgramResult run_program(const std::string& arguments, const std::string& input) {
  const Scratch scratch;
  write_bytes(scratch / "in", input);
  const std::string command = warm_program() + " " + arguments + " <" + scratch / "in" + " >" +
                              scratch / "out" + " 2>" + scratch / "err";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), read_file(scratch / "out"), read_file(scratch / "err")};
}

void check_refused(const std::string& arguments, const std::string& message) {
  const ProgramResult result = run_program(arguments);
  INFO(result.err);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.err, Catch::StartsWith("minibert: ") && Catch::Contains(message));
}

}  // namespace minibert::testing
