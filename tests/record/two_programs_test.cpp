// Records among several processes: killed writers, and two that want the same run.
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "core/files.h"
#include "core/rng.h"
#include "record/run_lock.h"
#include "record/run_record.h"
#include "support/message.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace {
bool no_locks = false;  // the file system has none
}

// In the place of the C library's.
extern "C" int flock(int fd, int operation) noexcept {
  if (!no_locks) return static_cast<int>(syscall(SYS_flock, fd, operation));
  errno = ENOLCK;
  return -1;
}

namespace minibert {
namespace {

struct WithoutLocks {
  WithoutLocks() { no_locks = true; }
  ~WithoutLocks() { no_locks = false; }
};

using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

// Runs `work` in a child process that never returns into the test.
pid_t in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    try {
      work();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

TEST_CASE("a file that two programs make at once is whole at every instant") {
  const Scratch scratch;
  const std::string path = scratch / "key.model";
  const std::string bytes(2000000, 'x');
  const auto make = [&] {
    for (int i = 0; i < 15; ++i)
      replace_shared_file(path, [&](const std::string& own) { write_file(own, bytes); });
  };
  const pid_t one = in_child(make), other = in_child(make);
  for (int read = 0; read < 40; ++read)
    if (std::filesystem::exists(path)) CHECK(read_file(path) == bytes);
  CHECK(wait_for(one) == 0);
  CHECK(wait_for(other) == 0);
  CHECK(read_file(path) == bytes);
}

TEST_CASE("a record opens whenever its writer is killed, and holds one whole save") {
  const Scratch scratch;
  const std::string path = scratch / "bert-s7.h5";
  constexpr size_t kValues = 300000;
  const auto begun = std::chrono::steady_clock::now();
  save_record(sample_record(0, kValues), path);
  const auto save_time = std::chrono::steady_clock::now() - begun;
  Rng rng(1, "test/kill");
  int64_t last = 0;
  int killed_inside = 0;
  // At least 40 kills, more on a busy machine: until some came within a save and some after one.
  for (int kills = 0; kills < 40 || (kills < 400 && (killed_inside < 6 || last == 0)); ++kills) {
    const auto first = static_cast<int>(last) + 1;
    std::filesystem::remove(path + ".tmp");
    const pid_t child = in_child([&] {
      for (int generation = first;; ++generation)
        save_record(sample_record(generation, kValues), path);
    });
    std::this_thread::sleep_for(save_time * 3 * rng.uniform());
    kill(child, SIGKILL);
    REQUIRE(WIFSIGNALED(wait_for(child)));
    killed_inside += std::filesystem::exists(path + ".tmp") ? 1 : 0;
    INFO("kill " << kills);
    const RunRecord record = load_record(path);  // checks the weights' SHA-256
    const auto generation = record.resume->numbers["step"].get<int64_t>();
    REQUIRE(generation >= last);
    REQUIRE(record.weights[1].values[0] == 0.5F + static_cast<float>(generation));
    REQUIRE(record.weights[3].values.back() == static_cast<float>(generation));
    last = generation;
  }
  CHECK(killed_inside > 5);
  CHECK(last > 0);
}

TEST_CASE("a second program that writes the same run is refused and told who holds it") {
  const Scratch scratch;
  const std::string path = scratch / "results/a/bert-s7.h5";
  const pid_t child = in_child([&] {
    const RunLock lock(path);
    write_bytes(scratch / "held", "");
    for (;;) pause();
  });
  REQUIRE(soon([&] { return std::filesystem::exists(scratch / "held"); }));
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::string message = message_of([&] { RunLock second(path); });
  CHECK_THAT(message, Catch::StartsWith(path + ": is being written by process " +
                                        std::to_string(child) + " on " + host + " since 20"));
  CHECK_THAT(message, Catch::EndsWith("Z; wait for it or stop it"));
  CHECK(message_of([&] { RunLock other(scratch / "results/a/lstm-s7.h5"); }) == "(no error)");

  kill(child, SIGKILL);
  wait_for(child);
  CHECK(message_of([&] { RunLock after_kill(path); }) == "(no error)");
  CHECK_FALSE(std::filesystem::exists(path + ".lock"));
}

TEST_CASE("a run is held once, also within one process, and free after") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  {
    const RunLock lock(path);
    CHECK_THAT(message_of([&] { RunLock second(path); }),
               Catch::Contains("process " + std::to_string(getpid()) + " on "));
    CHECK(std::filesystem::exists(path + ".lock"));
  }
  CHECK(message_of([&] { RunLock again(path); }) == "(no error)");
  CHECK_THAT(message_of([&] { RunLock nowhere("/proc/a.h5"); }),
             Catch::StartsWith("/proc/a.h5.lock: cannot be written: "));
}

TEST_CASE("a run whose folder was removed is taken again, or its new holder told") {
  const Scratch scratch;
  const std::string path = scratch / "a/a.h5";
  RunLock lock(path);
  lock.keep();
  std::filesystem::remove_all(scratch / "a");
  lock.keep();
  CHECK_THAT(message_of([&] { RunLock second(path); }), Catch::Contains("is being written by"));
  std::filesystem::remove_all(scratch / "a");
  const RunLock second(path);
  CHECK_THAT(message_of([&] { lock.keep(); }), Catch::StartsWith(path + ": is being written by"));
}

TEST_CASE("on a file system without locks the file alone holds a run, and a warning says so") {
  const WithoutLocks without;
  const Scratch scratch;
  const std::string path = scratch / "a/a.h5";
  {
    RunLock lock(path);
    CHECK_THAT(lock.warning(), Catch::StartsWith(path + ".lock: this file system has no locks"));
    CHECK_THAT(message_of([&] { RunLock second(path); }),
               Catch::Contains("process " + std::to_string(getpid()) + " on ") &&
                   Catch::Contains("remove this file if it was killed"));
    CHECK(run_is_held(path));
    lock.keep();
    std::filesystem::remove_all(scratch / "a");
    lock.keep();
    CHECK(run_is_held(path));
  }
  CHECK_FALSE(std::filesystem::exists(path + ".lock"));
  CHECK_FALSE(run_is_held(path));
  // One that a killed program of this machine left is taken over, one of another machine is not.
  const pid_t child = in_child([&] {
    const RunLock lock(path);
    write_bytes(scratch / "held", "");
    for (;;) pause();
  });
  REQUIRE(soon([&] { return std::filesystem::exists(scratch / "held"); }));
  CHECK_THAT(message_of([&] { RunLock second(path); }),
             Catch::Contains("process " + std::to_string(child)));
  kill(child, SIGKILL);
  wait_for(child);
  CHECK(std::filesystem::exists(path + ".lock"));
  CHECK_FALSE(run_is_held(path));
  CHECK(message_of([&] { RunLock after_kill(path); }) == "(no error)");
  write_bytes(path + ".lock", "process 1 on another-host since 2026-11-28T00:00:00Z\n");
  CHECK(run_is_held(path));
  CHECK_THAT(message_of([&] { RunLock second(path); }),
             Catch::Contains("process 1 on another-host"));
}

TEST_CASE("with locks a run that is held has no warning") {
  const Scratch scratch;
  CHECK(RunLock(scratch / "a.h5").warning() == "");
}

TEST_CASE("programs that take turns at a run never hold it together") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  write_bytes(scratch / "count", "0");
  std::vector<pid_t> children;
  for (int program = 0; program < 4; ++program)
    children.push_back(in_child([&] {
      for (int turn = 0; turn < 50;) {
        try {
          const RunLock lock(path);
          // Lost updates would show two holders.
          const int count = std::stoi(read_file(scratch / "count"));
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          write_bytes(scratch / "count", std::to_string(count + 1));
          ++turn;
        } catch (const Error&) {
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
      }
    }));
  for (const pid_t child : children) CHECK(wait_for(child) == 0);
  CHECK(read_file(scratch / "count") == "200");
}

}  // namespace
}  // namespace minibert
