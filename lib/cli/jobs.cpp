#include "cli/jobs.h"

#include <fcntl.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "core/error.h"

extern char** environ;

namespace minibert {
namespace {

// Read by the signal handler: the process ids of the jobs at work, 0 where there is none.
constexpr size_t kMostAtOnce = 1024;
std::array<std::atomic<pid_t>, kMostAtOnce> at_work;
std::atomic<int> stopped_by = 0;

void hand_on(int signal) {
  stopped_by = signal;
  for (const std::atomic<pid_t>& job : at_work)
    if (const pid_t pid = job; pid > 0) kill(pid, SIGTERM);
}

class HandSignalsOn {
 public:
  HandSignalsOn() {
    std::signal(SIGINT, hand_on);
    std::signal(SIGTERM, hand_on);
    hangup_ = std::signal(SIGHUP, hand_on) != SIG_IGN;
    if (!hangup_) std::signal(SIGHUP, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~HandSignalsOn() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (hangup_) std::signal(SIGHUP, SIG_DFL);
    std::signal(SIGPIPE, SIG_DFL);
  }
  HandSignalsOn(const HandSignalsOn&) = delete;
  HandSignalsOn& operator=(const HandSignalsOn&) = delete;

 private:
  bool hangup_ = false;  // SIGHUP is handled: nohup did not ignore it
};

struct Process {
  pid_t pid;
  std::FILE* lines;  // its stderr
};

Process start(const Job& job) {
  std::vector<std::string> words = {"minibert"};
  words.insert(words.end(), job.words.begin(), job.words.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw system_error("--jobs: no pipe");
  std::FILE* lines = fdopen(ends[0], "r");
  if (lines == nullptr) {
    const int why = errno;
    close(ends[0]);
    close(ends[1]);
    throw system_error("--jobs: no pipe", why);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  // A group of its own: the terminal's Ctrl-C comes once, through hand_on().
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = 0;
  const int failed =
      posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    std::fclose(lines);
    throw system_error("--jobs: no process can be started", failed);
  }
  return {pid, lines};
}

// Passes the lines on until the process ends; its status, and its last line.
int follow(const Job& job, const Process& process, std::string* last) {
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, process.lines) > 0) {
    *last = line;
    while (!last->empty() && last->back() == '\n') last->pop_back();
    if (last->starts_with(job.name))  // how far it is
      spdlog::info(*last);
    else
      spdlog::info("{}: {}", job.name, *last);
  }
  std::free(line);
  std::fclose(process.lines);
  int status = 0;
  while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

RunOutcome run_jobs(const std::vector<Job>& jobs, int at_once) {
  const HandSignalsOn signals;
  RunOutcome outcome;
  for (const Job& job : jobs) outcome.records.push_back(job.record);
  std::mutex mutex;  // of outcome and next
  size_t next = 0;
  const auto work = [&](size_t place) {
    for (;;) {
      size_t mine = 0;
      {
        const std::lock_guard lock(mutex);
        if (next == jobs.size() || stopped_by != 0) return;
        mine = next++;
      }
      std::string failure, last;
      try {
        const Process process = start(jobs[mine]);
        at_work[place] = process.pid;
        if (stopped_by != 0) kill(process.pid, SIGTERM);  // which came before it had a place
        const int status = follow(jobs[mine], process, &last);
        at_work[place] = 0;
        if (WIFSIGNALED(status))
          failure = "ended by signal " + std::to_string(WTERMSIG(status));
        else if (WEXITSTATUS(status) != 0)
          failure = last;
      } catch (const std::exception& error) {  // a lack of memory, too
        failure = error.what();
      }
      const std::lock_guard lock(mutex);
      if (!failure.empty()) outcome.failures.push_back(jobs[mine].name + ": " + failure);
    }
  };
  std::vector<std::thread> threads;
  const size_t places = std::min({jobs.size(), static_cast<size_t>(at_once), kMostAtOnce});
  for (size_t place = 0; place < places; ++place) threads.emplace_back(work, place);
  for (std::thread& thread : threads) thread.join();
  outcome.interrupted = stopped_by != 0;
  return outcome;
}

}  // namespace minibert
