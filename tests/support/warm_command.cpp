// A command of the program that warm_start.cpp runs, in the place of the program: the same arguments, environment,
// folder and descriptors, the same exit status. MINIBERT_WARM_AT: the socket's path. What is sent to this process
// by a signal does not reach the program, and `ulimit` neither.
#include <fcntl.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/warm_message.h"

namespace {

using minibert::testing::DescriptorsMessage;
using minibert::testing::WordsSize;

bool give_descriptors(int to, const int* given) {
  DescriptorsMessage sent;
  cmsghdr* header = CMSG_FIRSTHDR(&sent.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(DescriptorsMessage::kBytes);
  std::memcpy(CMSG_DATA(header), given, DescriptorsMessage::kBytes);
  return sendmsg(to, &sent.message, MSG_NOSIGNAL) == 1;
}

bool give_words(int to, char** words) {
  std::string text(sizeof(WordsSize), '\0');
  for (; *words != nullptr; ++words) text.append(*words, std::strlen(*words) + 1);
  const auto size = static_cast<WordsSize>(text.size() - sizeof(WordsSize));
  std::memcpy(text.data(), &size, sizeof size);
  for (size_t done = 0; done < text.size();) {
    const ssize_t sent = send(to, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    done += static_cast<size_t>(sent);
  }
  return true;
}

int fail(const char* what) {
  std::fprintf(stderr, "warm_command: %s: %s\n", what, std::strerror(errno));
  return 125;
}

}  // namespace

int main(int, char** arguments) {
  const char* path = std::getenv("MINIBERT_WARM_AT");
  if (path == nullptr) return fail("MINIBERT_WARM_AT");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return fail(path);
  const int given[DescriptorsMessage::kCount] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO,
                                                 open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  unsetenv("MINIBERT_WARM_AT");
  int status = 0;
  if (!give_descriptors(connection, given) || !give_words(connection, arguments) ||
      !give_words(connection, environ) || read(connection, &status, sizeof status) != sizeof status)
    return fail("the program");
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}
