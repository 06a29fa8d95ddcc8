#include "grader/sandbox/jail/seccomp.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "grader/sandbox/jail/descriptor.h"
#include "grader/sandbox/jail/error.h"
#include "grader/sandbox/jail/files.h"

namespace grader {
namespace {

// Names, not numbers: calls that an architecture lacks are left out.
//
// The calls of a multithreaded program: those of the C and C++ libraries, pthreads, OpenMP,
// ThreadSanitizer and the CUDA simulator in every build, and of student code. Only older C
// libraries or other architectures make some of them.
constexpr const char* kComputing[] = {
    // Files and streams.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "close", "open", "openat",
    "creat", "stat", "fstat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents64", "getcwd", "dup", "dup2", "dup3", "fcntl", "ftruncate",
    "fallocate", "unlink", "unlinkat", "pipe", "pipe2", "eventfd2", "poll", "ppoll", "select",
    "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "memfd_create",
    // Memory.
    "mmap", "munmap", "mprotect", "mremap", "madvise", "brk", "mincore", "mlock", "munlock",
    "membarrier",
    // Threads. clone: see below.
    "futex", "futex_waitv", "futex_wait", "futex_wake", "futex_requeue", "set_robust_list",
    "get_robust_list", "rseq", "set_tid_address", "arch_prctl", "gettid", "getpid", "getppid",
    "getpgrp", "sched_yield", "sched_getaffinity", "sched_setaffinity", "sched_getparam",
    "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min", "getpriority",
    "getcpu", "get_mempolicy", "exit", "exit_group", "restart_syscall",
    // Signals, to itself and within the jail.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "rt_sigsuspend",
    "rt_sigpending", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sigaltstack", "kill", "tkill",
    "tgkill", "pause", "alarm", "setitimer", "getitimer",
    // Time.
    "clock_gettime", "clock_getres", "gettimeofday", "time", "nanosleep", "clock_nanosleep",
    "timer_create", "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete", "times",
    // Itself and the machine.
    "getrandom", "uname", "sysinfo", "getrusage", "getrlimit", "prlimit64", "getuid", "geteuid",
    "getgid", "getegid", "umask",
    // To start at all; the jail's first process waits for the program.
    "execve", "wait4", "waitid"};

// Further calls of a command that starts processes, such as a compiler.
constexpr const char* kBuilding[] = {
    // Processes.
    "fork", "vfork", "getpgid", "setpgid", "getsid", "setsid", "getgroups", "getresuid",
    "getresgid", "setrlimit",
    // Files and folders.
    "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink",
    "symlinkat", "chmod", "fchmod", "fchmodat", "fchmodat2", "chdir", "fchdir", "utimensat",
    "utime", "utimes", "truncate", "fsync", "fdatasync", "statfs", "fstatfs", "fadvise64",
    "copy_file_range", "sendfile", "splice", "flock", "msync"};

// Further calls of a device's driver.
constexpr const char* kDriving[] = {
    // Memory and the device.
    "mbind", "set_mempolicy", "mlock2", "msync", "timerfd_create", "timerfd_settime",
    "timerfd_gettime", "epoll_create", "getresuid", "getresgid",
    // Its own sockets and files.
    "socketpair", "bind", "listen", "accept", "accept4", "connect", "getsockname", "getpeername",
    "getsockopt", "setsockopt", "sendmsg", "recvmsg", "sendto", "recvfrom", "shutdown", "statfs",
    "fstatfs", "mkdir", "rmdir", "symlink", "chmod", "fchmod", "rename", "flock"};

// Calls that bubblewrap does not need either.
constexpr const char* kRefused[] = {
    // Other processes' memory and descriptors.
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise",
    "process_mrelease", "move_pages", "migrate_pages",
    // Frequent targets of exploits; clone3 passes its flags in memory, which no filter can read.
    "perf_event_open", "bpf", "userfaultfd", "keyctl", "add_key", "request_key", "memfd_secret",
    "modify_ldt", "lookup_dcookie", "vhangup", "ioprio_set", "open_by_handle_at",
    "name_to_handle_at", "fanotify_init", "quotactl", "quotactl_fd", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "clone3",
    // The machine.
    "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "acct", "syslog", "personality", "iopl", "ioperm", "setdomainname",
    "nfsservctl"};

// ioctl requests of terminals: TIOCSTI types into one.
constexpr unsigned kFirstTerminalRequest = 0x5400;
constexpr unsigned kLastTerminalRequest = 0x54ff;

// As if the kernel lacked the call: the C library then falls back to another, if there is one.
constexpr std::uint32_t kUnknown = SCMP_ACT_ERRNO(ENOSYS);

constexpr int kPrSetVma = 0x53564d41;  // PR_SET_VMA, which names a mapping

constexpr unsigned long kNamespaceFlags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET |
                                          CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                                          CLONE_NEWCGROUP;

class Filter {
 public:
  // `usual`: the action for calls without a rule.
  explicit Filter(std::uint32_t usual) : context_(seccomp_init(usual)) {
    if (context_ == nullptr) Fail("seccomp_init", -ENOMEM);
    Check("architecture",
          seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    Check("binary tree", seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }
  ~Filter() { seccomp_release(context_); }

  // For all calls of that name, or those whose arguments meet the conditions.
  template <typename... Conditions>
  void Add(std::uint32_t action, const char* name, Conditions... conditions) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call < 0) return;  // the architecture lacks it
    Check(name, seccomp_rule_add(context_, action, call, sizeof...(conditions), conditions...));
  }

  std::string Export() const {
    const Descriptor file = MakeMemoryFile("filter", "");
    Check("export", seccomp_export_bpf(context_, file.get()));
    return ReadOpenFile(file.get()).value_or("");
  }

 private:
  static void Check(const char* what, int result) {
    if (result < 0) Fail(what, result);
  }
  [[noreturn]] static void Fail(const char* what, int result) {
    throw JailError(std::string("cannot build the system call filter: ") + what + ": " +
                    strerror(-result) + "\n  next: report this with the output of `uname -a`");
  }

  scmp_filter_ctx context_;
};

std::string BuildSetupFilter() {
  Filter filter(SCMP_ACT_ALLOW);
  for (const char* name : kRefused) filter.Add(kUnknown, name);
  return filter.Export();
}

std::string BuildProgramFilter(const ProgramNeeds& needs) {
  Filter filter(kUnknown);
  const auto allow = [&filter](const auto& names) {
    for (const char* name : names) filter.Add(SCMP_ACT_ALLOW, name);
  };
  allow(kComputing);
  const bool starts_processes = needs.starts_processes || needs.starts_ranks;
  if (starts_processes) allow(kBuilding);
  if (needs.uses_devices || needs.starts_ranks) {
    allow(kDriving);
    filter.Add(SCMP_ACT_ALLOW, "socket", SCMP_A0_32(SCMP_CMP_EQ, AF_UNIX));
    filter.Add(SCMP_ACT_ALLOW, "ioctl", SCMP_A1_32(SCMP_CMP_LT, kFirstTerminalRequest));
    filter.Add(SCMP_ACT_ALLOW, "ioctl", SCMP_A1_32(SCMP_CMP_GT, kLastTerminalRequest));
  }
  const unsigned long thread = starts_processes ? 0 : CLONE_THREAD;
  filter.Add(SCMP_ACT_ALLOW, "clone",
             SCMP_A0(SCMP_CMP_MASKED_EQ, kNamespaceFlags | thread, thread));
  for (const int option : {PR_SET_NAME, PR_GET_NAME, kPrSetVma}) {
    filter.Add(SCMP_ACT_ALLOW, "prctl", SCMP_A0_32(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option)));
  }
  if (needs.starts_ranks) {
    filter.Add(SCMP_ACT_ALLOW, "seccomp", SCMP_A0_32(SCMP_CMP_EQ, SECCOMP_SET_MODE_FILTER));
    for (const int option : {PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG}) {
      filter.Add(SCMP_ACT_ALLOW, "prctl",
                 SCMP_A0_32(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option)));
    }
  }
  return filter.Export();
}

}  // namespace

const std::string& ProgramFilter(const ProgramNeeds& needs) {
  static std::mutex mutex;
  static std::map<ProgramNeeds, std::string> filters;
  const std::lock_guard lock(mutex);
  std::string& filter = filters[needs];
  if (filter.empty()) filter = BuildProgramFilter(needs);
  return filter;
}

const std::string& SetupFilter() {
  static const std::string filter = BuildSetupFilter();
  return filter;
}

}  // namespace grader
