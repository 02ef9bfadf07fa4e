// Files are read by a process of its own: what it is kept from, and what its end means.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "core/h5.h"
#include "core/h5_confine.h"
#include "support/message.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::message_of;
using testing::Scratch;

std::vector<pid_t> children() {
  std::vector<pid_t> out;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) out.push_back(child);
  }
  return out;
}

void write_sample(const std::string& path, h5::Seal seal = h5::Seal::no) {
  h5::File file = h5::File::create(path, seal);
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  file.write("/values", {3, 2}, values.data());
  file.set_attribute("/", "format", std::string("sample"));
  file.close();
}

// A case with it runs twice: files are read through a fork server, or without one.
std::unique_ptr<h5::ForkServer> fork_server_or_none() {
  return GENERATE(false, true) ? std::make_unique<h5::ForkServer>() : nullptr;
}

// Returns the result of `attempt` in a process that may only read the file at `path`.
int confined(const std::string& path, const std::function<int()>& attempt) {
  const pid_t child = fork();
  if (child == 0) {
    h5::confine(path, int64_t{1} << 30, 60);
    _exit(attempt());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("the process that reads a file opens that file and no other, and writes none") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5", other = scratch / "b.h5";
  write_sample(path);
  write_sample(other);
  const h5::File file = h5::File::open(path);
  const bool landlock = file.confinement().find("Landlock") != std::string::npos;
  const bool seccomp = file.confinement().find("seccomp") != std::string::npos;
  const auto opens = [](const std::string& name, int flags) {
    return [=] { return open(name.c_str(), flags, 0600) >= 0 ? 1 : 0; };
  };
  CHECK(confined(path, opens(path, O_RDONLY)) == 1);
  if (!landlock && !seccomp) WARN("the kernel confines nothing: not tested");
  if (landlock) CHECK(confined(path, opens(other, O_RDONLY)) == 0);
  if (landlock) CHECK(confined(path, opens("/etc/passwd", O_RDONLY)) == 0);
  if (landlock || seccomp) {
    CHECK(confined(path, opens(path, O_RDWR)) == 0);
    CHECK(confined(path, opens(scratch / "new", O_WRONLY | O_CREAT)) == 0);
    CHECK(confined(path, [&] { return unlink(path.c_str()) == 0 ? 1 : 0; }) == 0);
    CHECK(std::filesystem::exists(path));
  }
  if (seccomp) {
    CHECK(confined(path, [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0; }) == 0);
    CHECK(confined(path, [] { return fork() >= 0 ? 1 : 0; }) == 0);
    CHECK(confined(path, [] { return kill(getppid(), 0) == 0 ? 1 : 0; }) == 0);
    CHECK(confined(path,
                   [] { return syscall(SYS_tgkill, getppid(), getppid(), 0) == 0 ? 1 : 0; }) == 0);
    CHECK(confined(path, [] { return raise(SIGUSR1), 0; }) == 128 + SIGUSR1);
    CHECK(confined(path, [] {
            return execl("/bin/true", "true", nullptr) == -1 ? 7 : 0;  // returns only if refused
          }) == 7);
    CHECK(confined(path, [] {
            return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                           MAP_FAILED
                       ? 0
                       : 1;
          }) == 0);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("the process that reads a file gets no more memory and time than it is given") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_sample(path);
  const pid_t child = fork();
  if (child == 0) {
    h5::confine(path, int64_t{64} << 20, 1);
    const bool small =
        mmap(nullptr, 16 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    const bool large = mmap(nullptr, size_t{512} << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                            0) != MAP_FAILED;
    if (!small || large) _exit(1);
    for (;;) {
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGXCPU);
}
#endif

TEST_CASE("a crash of the process that reads a file is an error of one line, then and later") {
  const auto server = fork_server_or_none();
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_sample(path);
  const std::vector<pid_t> before = children();
  const h5::File file = h5::File::open(path);
  CHECK(file.string_attribute("/", "format") == "sample");
  const h5::Dataset rows = file.open_rows("/values");
  const auto crash = [&] {
    int ended = 0;
    for (const pid_t child : children())
      if (std::ranges::find(before, child) == before.end()) ended += kill(child, SIGSEGV) == 0;
    REQUIRE(ended == 1);
  };
  // Once it is started again: memory may have been short.
  crash();
  CHECK(rows.read<float>(2, 1) == std::vector<float>{5, 6});
  CHECK(file.read<float>("/values").size() == 6);
  crash();
  const std::string expected = path +
                               ": is damaged or hostile: libhdf5 ended with signal 11 "
                               "(Segmentation fault) while reading it";
  CHECK(message_of([&] { file.read<float>("/values"); }) == expected);
  CHECK(message_of([&] { file.exists("/values"); }) == expected);
  CHECK(message_of([&] { file.children("/"); }) == expected);
}

TEST_CASE("no process is left of files that were read, and none keeps a lock or a pipe") {
  const auto server = fork_server_or_none();
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_sample(path);
  const size_t before = children().size();
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  {
    const h5::File file = h5::File::open(path);
    const h5::File again = h5::File::open(path);
    CHECK(children().size() == before + 2);
    close(ends[1]);
    char byte = 0;
    CHECK(read(ends[0], &byte, 1) == 0);  // would wait for ever for a writer that is left
  }
  close(ends[0]);
  CHECK(children().size() == before);
  for (int i = 0; i < 3; ++i)
    CHECK(message_of([&] { h5::File::open(scratch / "none.h5"); }) != "(no error)");
  testing::write_bytes(scratch / "text.h5", "no HDF5");
  CHECK(message_of([&] { h5::File::open(scratch / "text.h5"); }) ==
        scratch / "text.h5" + ": not an HDF5 file");
  CHECK(children().size() == before);
}

TEST_CASE("a fork server makes confined children, which hold nothing that came later") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_sample(path);
  const std::string expected = h5::File::open(path).confinement();
  const std::vector<pid_t> none = children();
  {
    const h5::ForkServer server;
    const std::vector<pid_t> before = children();
    const std::string later(size_t{64} << 20, 'a');
    const h5::File file = h5::File::open(path);
    CHECK(file.confinement() == expected);
    for (const pid_t child : children()) {
      if (std::ranges::find(before, child) != before.end()) continue;
      std::ifstream memory("/proc/" + std::to_string(child) + "/statm");
      size_t all = 0, resident = later.size();
      memory >> all >> resident;
      CHECK(resident * static_cast<size_t>(getpagesize()) < later.size());
    }
    CHECK(children().size() == none.size() + 2);
  }
  CHECK(children() == none);
}

TEST_CASE("files are read by several threads at once, each by a process of its own") {
  const auto server = fork_server_or_none();
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_sample(path, h5::Seal::yes);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          const h5::File file = h5::File::open(path);
          const h5::Dataset rows = file.open_rows("/values");
          right += file.is_sealed() && file.read<float>("/values").size() == 6 &&
                   rows.rows() == 3 && rows.read<float>(1, 2) == std::vector<float>{3, 4, 5, 6};
        }
      });
  }
  CHECK(right == 80);
}

TEST_CASE("a file that is replaced while it is opened is read as one of the two") {
  const auto server = fork_server_or_none();
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_sample(path, h5::Seal::yes);
  const std::string other = scratch / "b.h5";
  std::filesystem::copy_file(path, other);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    while (!done) {
      std::filesystem::copy_file(other, scratch / "c.h5",
                                 std::filesystem::copy_options::overwrite_existing);
      std::filesystem::rename(scratch / "c.h5", path);
    }
  });
  int right = 0;
  std::string message;
  for (int i = 0; i < 100; ++i) try {
      right += h5::File::open(path).string_attribute("/", "format") == "sample";
    } catch (const Error& error) {
      message = error.what();
    }
  done = true;
  INFO(message);
  CHECK(right == 100);
}

}  // namespace minibert
