// Every write of a writer fails once: a record is saved, or an error says why not, and what was there stays.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdarg>
#include <filesystem>
#include <new>

#include "core/error.h"
#include "core/files.h"
#include "record/run_record.h"
#include "record/verify.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace {

// Calls until one fails; below 0: none does.
std::atomic<int64_t> writes_left = -1, calls_left = -1;
std::atomic<int64_t> writes = 0, calls = 0;

bool fails(std::atomic<int64_t>& left) {
  return left.load(std::memory_order_relaxed) >= 0 && left.fetch_sub(1) == 0;
}

}  // namespace

// HDF5 writes with this; the linker finds it before libc's.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  writes.fetch_add(1, std::memory_order_relaxed);
  if (fails(writes_left)) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, file, bytes, size, at);
}
extern "C" ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return pwrite(file, bytes, size, at);
}

// What else saving asks the system for.
namespace {

bool call_fails() {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (!fails(calls_left)) return false;
  errno = EIO;
  return true;
}

}  // namespace

extern "C" int fsync(int file) {
  return call_fails() ? -1 : static_cast<int>(syscall(SYS_fsync, file));
}
extern "C" int ftruncate(int file, off_t size) noexcept {
  return call_fails() ? -1 : static_cast<int>(syscall(SYS_ftruncate, file, size));
}
extern "C" int ftruncate64(int file, off64_t size) noexcept { return ftruncate(file, size); }
extern "C" int rename(const char* from, const char* to) noexcept {
  return call_fails() ? -1
                      : static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
extern "C" int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
  va_end(list);
  return call_fails() ? -1 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
extern "C" int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
  va_end(list);
  return open(path, flags, mode);
}

namespace minibert::testing {
namespace {

// Calls `use` with the n-th call failing, for every n that there is; then once as it is.
template <class Use>
int64_t each_fails_once(std::atomic<int64_t>& left, std::atomic<int64_t>& made, const Use& use) {
  const int64_t before = made;
  use(false);
  const int64_t count = made - before;
  for (int64_t n = 0; n < count; ++n) {
    left = n;
    use(true);
    left = -1;
  }
  use(false);
  return count;
}

}  // namespace

// What was said when another record was saved there; empty where it was saved.
static std::string failure_of_saving(const std::string& path) {
  try {
    save_record(sample_record(2), path);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("whatever write fails, the record that was there stays and nothing is left beside it") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(sample_record(1), path);
  const std::string old = read_file(path);
  int64_t refused = 0;
  const auto save = [&](bool failing) {
    const std::string message = failure_of_saving(path);
    writes_left = -1;
    CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
    if (message.empty()) {
      // HDF5 tries some writes again: then the record must be whole.
      const RunRecord found = load_record(path, Load::all);
      CHECK(found.resume->numbers.at("step") == 2);
      CHECK(weights_sha256(found.weights) == weights_sha256(sample_record(2).weights));
      CHECK(verify_record(path).weights_sha256 == weights_sha256(found.weights));
      write_file(path, old);
    } else {
      CHECK(failing);
      ++refused;
      CHECK((read_file(path) == old));
      CHECK_THAT(message, Catch::Contains(path));
      CHECK(message.find('\n') == std::string::npos);
    }
  };
  const int64_t count = each_fails_once(writes_left, writes, save);
  CHECK(count > 5);
  CHECK(refused > count / 2);
}

TEST_CASE("whatever else fails while a record is saved, a whole one is there: the old or the new") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(sample_record(1), path);
  const std::string old = read_file(path);
  int64_t refused = 0;
  const auto save = [&](bool failing) {
    const std::string message = failure_of_saving(path);
    calls_left = -1;
    CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
    const std::string found = weights_sha256(load_record(path, Load::all).weights);
    if (message.empty()) {
      CHECK(found == weights_sha256(sample_record(2).weights));
    } else {
      CHECK(failing);
      ++refused;
      // Where the folder's entry alone could not be flushed, the new one is there.
      CHECK((found == weights_sha256(sample_record(2).weights) || read_file(path) == old));
      CHECK_THAT(message, Catch::Contains(scratch.path()));
      CHECK(message.find('\n') == std::string::npos);
    }
    write_file(path, old);
  };
  const int64_t count = each_fails_once(calls_left, calls, save);
  CHECK(count > 4);
  CHECK(refused > count / 2);
}

TEST_CASE("memory that a call to the system lacks is told as that, not as a fault of the file") {
  CHECK_THROWS_AS(system_error("a.h5: cannot be opened", ENOMEM), std::bad_alloc);
  CHECK(std::string(system_error("a.h5: cannot be opened", EACCES).what()) ==
        "a.h5: cannot be opened: Permission denied");
}

}  // namespace minibert::testing
