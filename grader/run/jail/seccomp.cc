#include "grader/run/jail/seccomp.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "grader/run/jail/descriptor.h"
#include "grader/run/jail/files.h"
#include "grader/run/jail/jail.h"

namespace grader {
namespace {

// Names, not numbers: the library leaves out what an architecture lacks.
constexpr const char* kRefused[] = {
    // Other processes' memory and descriptors.
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise",
    "process_mrelease", "move_pages", "migrate_pages",
    // Kernel surfaces that no lab needs and exploits like.
    "perf_event_open", "bpf", "userfaultfd", "keyctl", "add_key", "request_key", "memfd_secret",
    "modify_ldt", "lookup_dcookie", "vhangup", "ioprio_set", "open_by_handle_at",
    "name_to_handle_at", "fanotify_init", "quotactl", "quotactl_fd",
    // The machine.
    "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "acct", "syslog", "personality", "iopl", "ioperm", "setdomainname",
    "nfsservctl"};

// What bubblewrap does in the program's place.
constexpr const char* kSetupOnly[] = {
    "mount",      "umount2", "pivot_root", "chroot",  "unshare", "setns",         "open_tree",
    "move_mount", "fsopen",  "fsconfig",   "fsmount", "fspick",  "mount_setattr", "sethostname"};

// Answered with "no such call", for which the C library has another way.
// clone3 hides its flags in memory, where a filter cannot look.
constexpr const char* kUnknown[] = {"io_uring_setup", "io_uring_enter", "io_uring_register",
                                    "clone3"};

constexpr unsigned long kNamespaceFlags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET |
                                          CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                                          CLONE_NEWCGROUP;

// Calls added to Linux after the list above was written (futex_waitv and set_mempolicy_home_node
// are the last ones it knows). New ones share one numbering on all architectures.
constexpr int kFirstLaterCall = 451;
constexpr int kLastLaterCall = 511;
constexpr int kLaterAllowed[] = {451, 452, 454, 455, 456};  // cachestat, fchmodat2, futex_*

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (context_ == nullptr) Fail("seccomp_init", -ENOMEM);
    Check("architecture",
          seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  }
  ~Filter() { seccomp_release(context_); }

  void Answer(const char* name, int error) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0) AnswerNumber(call, error);
  }

  void AnswerNumber(int call, int error) {
    Check("rule", seccomp_rule_add(context_, SCMP_ACT_ERRNO(error), call, 0));
  }

  void AnswerWhen(const char* name, int error, scmp_arg_cmp when) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0) Check(name, seccomp_rule_add(context_, SCMP_ACT_ERRNO(error), call, 1, when));
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

bool IsAllowedLaterCall(int call) {
  for (const int allowed : kLaterAllowed) {
    if (call == allowed) return true;
  }
  return false;
}

void RefuseToEverybody(Filter& filter) {
  for (const char* name : kRefused) filter.Answer(name, EPERM);
  for (const char* name : kUnknown) filter.Answer(name, ENOSYS);
  for (int call = kFirstLaterCall; call <= kLastLaterCall; ++call) {
    if (!IsAllowedLaterCall(call)) filter.AnswerNumber(call, ENOSYS);
  }
  // Typing into the terminal of whoever runs the grader.
  for (const unsigned long request : {TIOCSTI, TIOCLINUX}) {
    filter.AnswerWhen("ioctl", EPERM, SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, request));
  }
}

void RefuseToProgram(Filter& filter) {
  for (const char* name : kSetupOnly) filter.Answer(name, EPERM);
  for (unsigned long bit = 1; bit <= kNamespaceFlags; bit <<= 1) {
    if ((kNamespaceFlags & bit) == 0) continue;
    filter.AnswerWhen("clone", EPERM, SCMP_A0(SCMP_CMP_MASKED_EQ, bit, bit));
  }
  filter.AnswerWhen("socket", EAFNOSUPPORT, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
}

std::string BuildSetupFilter() {
  Filter filter;
  RefuseToEverybody(filter);
  return filter.Export();
}

std::string BuildProgramFilter() {
  Filter filter;
  RefuseToEverybody(filter);
  RefuseToProgram(filter);
  return filter.Export();
}

}  // namespace

const std::string& ProgramFilter() {
  static const std::string filter = BuildProgramFilter();
  return filter;
}

const std::string& SetupFilter() {
  static const std::string filter = BuildSetupFilter();
  return filter;
}

}  // namespace grader
