// Limits, Landlock and seccomp for the process that parses a foreign file. Landlock's numbers stand
// here because the headers of older systems lack them (Linux: include/uapi/linux/landlock.h).
#include "core/h5_confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

namespace minibert::h5 {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // which needs address space and system calls of its own
#else
constexpr bool kSanitized = false;
#endif

void limit(__rlimit_resource_t what, rlim_t value) {
  const rlimit both = {value, value};
  setrlimit(what, &both);
}

// Returns the process's present address space in bytes; 0 if unknown.
int64_t address_space() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  std::array<char, 64> text{};
  const ssize_t size = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
  if (file >= 0) close(file);
  long pages = 0;
  if (size <= 0 || std::sscanf(text.data(), "%ld", &pages) != 1) return 0;
  return static_cast<int64_t>(pages) * sysconf(_SC_PAGESIZE);
}

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;

struct Ruleset {
  uint64_t files = 0, network = 0, scoped = 0;
};
struct [[gnu::packed]] PathRule {
  uint64_t allowed;
  int32_t file;
};

// No access to files but reading this one; from later versions of Landlock on no TCP, no abstract
// sockets and no signals to others either.
bool restrict_files(const std::string& path) {
  constexpr uint64_t kReadFile = 1 << 2;
  constexpr uint32_t kVersion = 1, kBeneath = 1;
  const long version = syscall(kCreateRuleset, nullptr, size_t{0}, kVersion);
  if (version < 1) return false;
  Ruleset rules;
  // Rights of versions 1, 2 (refer), 3 (truncate) and 5 (ioctl); two of TCP in 4; two scopes in 6.
  const int rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  rules.files = (uint64_t{1} << rights) - 1;
  if (version >= 4) rules.network = 3;
  if (version >= 6) rules.scoped = 3;
  const size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;
  const auto set = static_cast<int>(syscall(kCreateRuleset, &rules, size, 0U));
  if (set < 0) return false;
  const PathRule rule = {kReadFile, open(path.c_str(), O_PATH | O_CLOEXEC)};
  const bool done = rule.file >= 0 && syscall(kAddRule, set, kBeneath, &rule, 0U) == 0 &&
                    syscall(kRestrictSelf, set, 0U) == 0;
  if (rule.file >= 0) close(rule.file);
  close(set);
  return done;
}

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

// A seccomp filter that allows the listed calls and answers every other call with EPERM.
class Filter {
 public:
  Filter() {
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    deny();
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  }
  void allow(long call) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  // Where none of `bits` is set in the low half of the call's third argument.
  void allow_without(long call, uint32_t bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 2 * sizeof(uint64_t));
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    deny();
  }
  // Where the low half of the call's first argument is `value`.
  void allow_for(long call, uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    deny();
  }
  bool install() {
    deny();
    const sock_fprog program = {static_cast<unsigned short>(used_), code_.data()};
    return used_ < code_.size() &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0UL, 0UL) == 0;
  }

 private:
  void add(int code, uint32_t value, uint8_t yes = 0, uint8_t no = 0) {
    if (used_ < code_.size()) code_[used_++] = {static_cast<uint16_t>(code), yes, no, value};
  }
  void deny() { add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1); }  // 1: EPERM

  std::array<sock_filter, 160> code_{};
  size_t used_ = 0;
};

bool restrict_calls() {
  if (kArchitecture == 0) return false;
  Filter filter;
  for (const long call :
       {SYS_read,         SYS_write,          SYS_readv,         SYS_writev,       SYS_pread64,
        SYS_sendto,       SYS_sendmsg,        SYS_recvfrom,      SYS_lseek,        SYS_close,
        SYS_fstat,        SYS_newfstatat,     SYS_readlinkat,    SYS_getcwd,       SYS_fcntl,
        SYS_munmap,       SYS_mremap,         SYS_madvise,       SYS_brk,          SYS_futex,
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,  SYS_exit,         SYS_exit_group,
        SYS_getpid,       SYS_gettid,         SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom,
        SYS_getrusage})
    filter.allow(call);
#ifdef SYS_readlink
  for (const long call : {SYS_readlink, SYS_stat, SYS_lstat}) filter.allow(call);
#endif
  filter.allow_for(SYS_tgkill, static_cast<uint32_t>(getpid()));  // abort()
  filter.allow_without(SYS_openat, O_ACCMODE | O_CREAT | O_TRUNC);
  filter.allow_without(SYS_mmap, PROT_EXEC);
  filter.allow_without(SYS_mprotect, PROT_EXEC);
  return filter.install();
}

}  // namespace

Confinement confine(const std::string& path, int64_t most_memory, int64_t most_seconds) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  // The lower limit's signal tells the reason; the upper limit's would be SIGKILL.
  const auto seconds = static_cast<rlim_t>(most_seconds);
  const rlimit computing = {seconds, seconds + 5};
  setrlimit(RLIMIT_CPU, &computing);
  if (const int64_t now = address_space(); now > 0 && !kSanitized)
    limit(RLIMIT_AS, static_cast<rlim_t>(now + most_memory));
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  Confinement out;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return out;
  out.landlock = restrict_files(path);
  out.seccomp = !kSanitized && restrict_calls();
  return out;
}

}  // namespace minibert::h5
