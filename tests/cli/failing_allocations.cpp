// Loaded before a program (LD_PRELOAD): runs its main() many times over, each time in a process of its own
// in which one allocation fails, and tells what came of it. Once no allocation fails; that output is what
// the others are compared with. FAIL_EVERY: 100 lets every hundredth allocation fail in turn, 0 one of every place
// in the program: of those with the same last kFrames callers the first. (All of them would take a day.)
// FAIL_IN: a folder for the outputs. Prints "allocations N, failed M: whole W, refused R" and a line for
// each fault, and exits 1 where there is one: a crash, an output that is not the same, an error that is
// no single line.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

// In memory that the program shares with the processes that it forks: in all of them one allocation fails.
constexpr long kMost = 1L << 20;  // allocations whose places are kept
constexpr int kFrames = 6;
struct Counts {
  std::atomic<long> made, left;  // left: until one fails; below 0: none does
  std::atomic<bool> keeps_places;
  uint64_t places[kMost];  // of each allocation who called for it
};
Counts* counts = nullptr;
std::atomic<bool> armed = false;
thread_local bool looking = false;  // backtrace() allocates once, too

uint64_t place() {
  void* callers[kFrames + 2];
  looking = true;
  const int found = backtrace(callers, kFrames + 2);
  looking = false;
  uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (int i = 2; i < found; ++i)
    hash = (hash ^ reinterpret_cast<uintptr_t>(callers[i])) * 1099511628211ULL;
  return hash;
}

bool fails() {
  if (!armed.load(std::memory_order_relaxed) || looking) return false;
  const long number = counts->made.fetch_add(1, std::memory_order_relaxed);
  if (number < kMost && counts->keeps_places.load(std::memory_order_relaxed))
    counts->places[number] = place();
  if (counts->left.load(std::memory_order_relaxed) < 0 || counts->left.fetch_sub(1) != 0)
    return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {
void* malloc(size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) {
  return fails() ? nullptr : __libc_realloc(memory, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

namespace {

using Main = int (*)(int, char**, char**);
Main program = nullptr;

std::string read_all(const std::string& path) {
  std::string out;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    char bytes[4096];
    while (const size_t size = std::fread(bytes, 1, sizeof bytes, file)) out.append(bytes, size);
    std::fclose(file);
  }
  return out;
}

// The wait status of main() where the allocation of this number fails.
int status_of(long number, const std::string& folder, int count, char** arguments,
              char** environment) {
  counts->made = 0;
  const pid_t process = fork();
  if (process == 0) {
    dup2(open((folder + "/out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open((folder + "/err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    counts->left = number;
    armed = true;
    const int status = program(count, arguments, environment);
    armed = false;
    std::fflush(nullptr);
    _exit(status);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return status;
}

int run_all(int count, char** arguments, char** environment) {
  unsetenv("LD_PRELOAD");  // of what the program starts
  const std::string folder = std::getenv("FAIL_IN");
  const long every = std::atol(std::getenv("FAIL_EVERY"));
  counts->keeps_places = every == 0;
  const int good = status_of(-1, folder, count, arguments, environment);
  counts->keeps_places = false;
  const std::string output = read_all(folder + "/out"), talk = read_all(folder + "/err");
  const long all = counts->made;
  if (every == 0 && all > kMost) {
    std::printf("allocations %ld, expected at most %ld\n", all, kMost);
    return 1;
  }
  std::unordered_set<uint64_t> seen;
  long tried = 0, whole = 0, refused = 0, faults = 0;
  const auto fault = [&](long number, const std::string& what) {
    if (++faults <= 20) std::printf("allocation %ld: %s\n", number, what.c_str());
    std::fflush(stdout);  // the next process would print it, too
  };
  for (long number = 0; number < all; number += every == 0 ? 1 : every) {
    if (every == 0 && !seen.insert(counts->places[number]).second) continue;
    ++tried;
    const int status = status_of(number, folder, count, arguments, environment);
    const std::string out = read_all(folder + "/out"), err = read_all(folder + "/err");
    const auto last = err.rfind('\n', err.size() < 2 ? 0 : err.size() - 2);
    const std::string line = last == std::string::npos ? err : err.substr(last + 1);
    if (WIFSIGNALED(status)) {
      fault(number, std::string("signal ") + strsignal(WTERMSIG(status)) + ": " + err);
    } else if (status == good && WEXITSTATUS(good) == 0) {
      ++whole;
      if (out != output) fault(number, "another output and exit status 0: " + err);
      if (err != talk) fault(number, "other talk and exit status 0: " + err);
    } else if (WEXITSTATUS(status) != 1) {
      fault(number, "exit status " + std::to_string(WEXITSTATUS(status)) + ": " + err);
    } else {
      ++refused;
      if (line.rfind("minibert: ", 0) != 0 || line.find("memory") == std::string::npos)
        fault(number, "not told: " + err);
      if (output.rfind(out, 0) != 0) fault(number, "another output: " + out);
    }
  }
  std::printf("allocations %ld, failed %ld: whole %ld, refused %ld, faults %ld\n", all, tried,
              whole, refused, faults);
  return faults == 0 ? 0 : 1;
}

}  // namespace

extern "C" int __libc_start_main(Main start, int count, char** arguments, void (*init)(),
                                 void (*fini)(), void (*loader)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  counts = static_cast<Counts*>(
      mmap(nullptr, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  program = start;
  return real(std::getenv("FAIL_EVERY") != nullptr ? run_all : start, count, arguments, init, fini,
              loader, stack_end);
}
