// Lets one program write a run: an flock, which the kernel releases however the process ends. On a
// file system without locks, the file itself, created exclusively.
#include "record/run_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "core/error.h"
#include "record/run_record.h"

namespace minibert {
namespace {

std::string holder_of(int fd) {
  char text[512];
  const ssize_t size = pread(fd, text, sizeof text, 0);
  if (size <= 0) return "another process";
  const std::string line(text, static_cast<size_t>(size));
  return line.substr(0, line.find('\n'));
}

std::string this_host() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

std::string this_process() {
  return "process " + std::to_string(getpid()) + " on " + this_host() + " since " + utc_now();
}

// Returns true if `holder`, a line of this_process(), was a process of this host that has ended.
bool has_ended(const std::string& holder) {
  int pid = 0;
  char host[256] = "";
  return std::sscanf(holder.c_str(), "process %d on %255s since", &pid, host) == 2 && pid > 0 &&
         this_host() == host && kill(pid, 0) != 0 && errno == ESRCH;
}

// Returns true if flock failed because the file system has no locks (NFS without a lock daemon,
// Lustre, FUSE).
bool has_no_locks(int why) {
  return why == ENOLCK || why == ENOSYS || why == EOPNOTSUPP || why == EINVAL;
}

// A holder removes the file while it still holds it: a lock counts only if the path is still this
// file.
bool still_at(const std::string& path, int fd) {
  struct stat mine {};
  struct stat there {};
  return fstat(fd, &mine) == 0 && stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

// run_is_held() has a free lock for a moment, so a lock that is taken is tried once more.
bool lock_file(int fd) {
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

std::string lock_path(const std::string& record_path) { return record_path + ".lock"; }

}  // namespace

RunLock::RunLock(const std::string& record_path) : record_path_(record_path) { acquire(); }

RunLock::~RunLock() {
  if (fd_ < 0) return;
  if (still_at(path(), fd_)) unlink(path().c_str());
  close(fd_);
}

std::string RunLock::path() const { return lock_path(record_path_); }

bool run_is_held(const std::string& record_path) {
  const int fd = open(lock_path(record_path).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno != ENOENT;
  bool is_free = flock(fd, LOCK_SH | LOCK_NB) == 0;
  if (!is_free && has_no_locks(errno)) is_free = has_ended(holder_of(fd));
  close(fd);
  return !is_free;
}

void RunLock::keep() {
  if (still_at(path(), fd_)) return;
  close(fd_);
  fd_ = -1;
  acquire();
}

std::string RunLock::warning() const {
  if (!file_alone_) return "";
  return path() + ": this file system has no locks, so the file alone keeps other programs off; " +
         "remove it where a program on another machine was killed";
}

// Holds the file that is open, which this process has made or another one; false where another process removed it in
// the meantime. Throws Error that says who holds it.
bool RunLock::take(int fd, bool created) {
  if (lock_file(fd)) {
    file_alone_ = false;
    return still_at(path(), fd);
  }
  const int why = errno;
  const std::string holder = holder_of(fd);
  if (has_no_locks(why)) {
    file_alone_ = true;
    if (created) return true;
    if (has_ended(holder)) {
      if (still_at(path(), fd)) unlink(path().c_str());
      return false;
    }
    throw Error(record_path_ + ": is being written by " + holder + ", as " + path() +
                " says; wait for it, or remove this file if it was killed");
  }
  if (why != EWOULDBLOCK) throw system_error(path() + ": cannot be locked", why);
  throw Error(record_path_ + ": is being written by " + holder + "; wait for it or stop it");
}

void RunLock::acquire() {
  const std::string path = this->path();
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot be created: " + error.message());
  int fd = -1;
  for (bool taken = false; !taken;) {
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool created = fd >= 0;
    if (!created && errno == EEXIST) {
      fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
      if (fd < 0 && errno == ENOENT) continue;  // removed by its holder in the meantime
    }
    if (fd < 0) throw system_error(path + ": cannot be written");
    try {
      taken = take(fd, created);
    } catch (const std::exception&) {
      close(fd);
      throw;
    }
    if (!taken) close(fd);
  }
  const std::string line = this_process() + "\n";
  if (ftruncate(fd, 0) != 0 ||
      pwrite(fd, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size())) {
    const int why = errno;
    unlink(path.c_str());
    close(fd);
    throw system_error(path + ": cannot be written", why);
  }
  fd_ = fd;
}

}  // namespace minibert
