// A disk that is full after some bytes, without privileges: writes beyond the limit fail with
// EFBIG, a full disk's with ENOSPC; HDF5 and the standard library treat both alike.
#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace minibert::testing {

class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    action_ = signal(SIGXFSZ, SIG_IGN);
    rlimit small = limit_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    signal(SIGXFSZ, action_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit limit_{};
  void (*action_)(int) = SIG_DFL;
};

}  // namespace minibert::testing
