// The message from warm_command.cpp to warm_start.cpp: a byte with four descriptors, then the
// arguments and the environment, each behind its length, with NUL behind every word. The answer is
// a wait status.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstdint>

namespace minibert::testing {

using WordsSize = uint32_t;

struct DescriptorsMessage {
  static constexpr int kCount = 4;  // stdin, stdout, stderr, the folder
  DescriptorsMessage() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
  }
  DescriptorsMessage(const DescriptorsMessage&) = delete;
  DescriptorsMessage& operator=(const DescriptorsMessage&) = delete;
  static constexpr size_t kBytes = kCount * sizeof(int);
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(kBytes)] = {};
  msghdr message{};
};

}  // namespace minibert::testing
