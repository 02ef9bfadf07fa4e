// One program writes a run: an flock, which the kernel lets go when the process ends, however.
#include "record/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
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

std::string this_process() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return "process " + std::to_string(getpid()) + " on " + host + " since " + utc_now();
}

// A holder removes the file while it still holds it, so a lock counts only if the path is still
// this file.
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
  const bool is_free = flock(fd, LOCK_SH | LOCK_NB) == 0;
  close(fd);
  return !is_free;
}

void RunLock::keep() {
  if (still_at(path(), fd_)) return;
  close(fd_);
  fd_ = -1;
  acquire();
}

void RunLock::acquire() {
  const std::string path = this->path();
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot be created: " + error.message());
  int fd = -1;
  for (;;) {
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) throw system_error(path + ": cannot be written");
    if (!lock_file(fd)) {
      const int why = errno;
      const std::string holder = holder_of(fd);
      close(fd);
      if (why != EWOULDBLOCK) throw system_error(path + ": cannot be locked", why);
      throw Error(record_path_ + ": is being written by " + holder + "; wait for it or stop it");
    }
    if (still_at(path, fd)) break;
    close(fd);
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
