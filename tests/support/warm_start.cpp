// Loaded before the program (LD_PRELOAD), it runs main() for every command of warm_command.cpp, each in a process
// forked from this one, in which LibTorch and all that it brings along are loaded: half a second less a command.
// MINIBERT_WARM: the number of a listening socket; MINIBERT_WARM_FOR: the process ID of the test.
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/warm_message.h"

namespace {

using minibert::testing::DescriptorsMessage;
using minibert::testing::WordsSize;
using Main = int (*)(int, char**, char**);
Main program = nullptr;

bool take_descriptors(int from, int* taken) {
  DescriptorsMessage given;
  if (recvmsg(from, &given.message, 0) != 1) return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&given.message);
  if (header == nullptr || header->cmsg_len != CMSG_LEN(DescriptorsMessage::kBytes)) return false;
  std::memcpy(taken, CMSG_DATA(header), DescriptorsMessage::kBytes);
  return true;
}

bool take(int from, void* to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(from, static_cast<char*>(to) + done, size - done);
    if (got <= 0) return false;
    done += static_cast<size_t>(got);
  }
  return true;
}

// Words that stay for as long as the process does, as those of main() must.
bool take_words(int from, std::vector<char*>* words) {
  WordsSize size = 0;
  if (!take(from, &size, sizeof size)) return false;
  auto* text = new char[size];
  if (!take(from, text, size)) return false;
  for (char* word = text; word < text + size; word += std::strlen(word) + 1) words->push_back(word);
  words->push_back(nullptr);
  return true;
}

[[noreturn]] void run(int command, int listening) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(listening);
  int taken[DescriptorsMessage::kCount];
  std::vector<char*> arguments, environment;
  if (!take_descriptors(command, taken) || !take_words(command, &arguments) ||
      !take_words(command, &environment))
    _exit(125);
  close(command);
  if (fchdir(taken[3]) != 0) _exit(125);
  for (int i = 0; i < 3; ++i) dup2(taken[i], i);
  for (const int descriptor : taken)
    if (descriptor > STDERR_FILENO) close(descriptor);
  environ = environment.data();
  std::exit(program(static_cast<int>(arguments.size()) - 1, arguments.data(), environ));
}

int serve(int, char**, char**) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with the test, which may have ended before
  if (getppid() != std::atoi(std::getenv("MINIBERT_WARM_FOR"))) return 1;
  const int listening = std::atoi(std::getenv("MINIBERT_WARM"));
  for (int command; (command = accept(listening, nullptr, nullptr)) >= 0; close(command)) {
    const pid_t process = fork();
    if (process == 0) run(command, listening);
    int status = 0;
    waitpid(process, &status, 0);
    const ssize_t told = write(command, &status, sizeof status);
    static_cast<void>(told);  // who asked may be gone
  }
  return 1;
}

}  // namespace

extern "C" int __libc_start_main(Main start, int count, char** arguments, void (*init)(),
                                 void (*fini)(), void (*loader)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  program = start;
  return real(std::getenv("MINIBERT_WARM") != nullptr ? serve : start, count, arguments, init, fini,
              loader, stack_end);
}
