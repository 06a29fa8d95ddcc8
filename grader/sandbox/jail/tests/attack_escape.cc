#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "grader/sandbox/jail/tests/attack.h"

extern char** environ;

namespace grader::attack {
namespace {

using Arguments = std::span<const std::string>;

constexpr long kLandlockCreateRuleset = 444;

bool CanRead(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY);
  char byte;
  const bool read_some = fd >= 0 && read(fd, &byte, 1) == 1;
  if (fd >= 0) close(fd);
  return read_some;
}

// Arguments: the files that should be hidden.
void ReadHiddenFiles(Arguments paths) {
  for (const std::string& path : paths) {
    if (CanRead(path)) Achieved("read " + path);
    if (CanRead("/proc/1/root" + path)) Achieved("read " + path + " through /proc/1/root");
  }
}

// What the loader and the shell leave in an environment is no secret.
void ReadEnvironment(Arguments) {
  const auto is_known = [](const std::string& variable) {
    return variable.starts_with("PATH=") || variable.starts_with("HOME=") ||
           variable.starts_with("PWD=");
  };
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_known(*variable)) Achieved(std::string("variable ") + *variable);
  }
  for (const char* path : {"/proc/self/environ", "/proc/1/environ", "/proc/2/environ"}) {
    std::ifstream file(path);
    for (std::string variable; std::getline(file, variable, '\0');) {
      if (!is_known(variable)) Achieved(std::string(path) + " " + variable);
    }
  }
}

void UseLeakedDescriptors(Arguments) {
  for (int fd = 3; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) Achieved("descriptor " + std::to_string(fd));
  }
  // Not 0 to 2: those are the program's own.
  for (int fd = 3; fd < 256; ++fd) {
    if (CanRead("/proc/1/fd/" + std::to_string(fd))) Achieved("descriptor of process 1");
  }
}

void TouchOtherProcesses(Arguments) {
  char byte = 0;
  const iovec here{&byte, 1};
  const iovec there{reinterpret_cast<void*>(0x400000), 1};
  if (ptrace(PTRACE_ATTACH, 1, nullptr, nullptr) == 0) Achieved("ptrace");
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) Achieved("ptrace of itself");
  if (process_vm_readv(getpid(), &here, 1, &here, 1, 0) >= 0) Achieved("process_vm_readv");
  if (process_vm_writev(1, &here, 1, &there, 1, 0) >= 0) Achieved("process_vm_writev");
}

// The jail's first process belongs to the same user and knows how the program ends.
void ReachProcessOne(Arguments) {
  for (const char* path :
       {"/proc/1/mem", "/proc/1/status", "/proc/1/environ", "/proc/1/fd/0", "/proc/1/task/1/mem",
        "/proc/self/task/../../1/mem", "/proc/self/root/proc/1/mem", "/proc/1/oom_score_adj"}) {
    if (open(path, O_RDONLY) >= 0) Achieved(std::string("open ") + path);
    if (open(path, O_WRONLY) >= 0) Achieved(std::string("write to ") + path);
  }
  if (open("/proc/1/x", O_WRONLY | O_CREAT, 0644) >= 0) Achieved("create /proc/1/x");
  const long process = syscall(SYS_pidfd_open, 1, 0);
  for (int fd = 0; fd < 16; ++fd) {
    if (syscall(SYS_pidfd_getfd, process, fd, 0) >= 0) Achieved("descriptor through a pidfd");
  }
}

// Processes outside must survive: the test checks that.
void KillEverything(Arguments) {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
}

// Argument: an abstract socket's name on which somebody listens outside.
void UseNetwork(Arguments names) {
  for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK}) {
    if (socket(family, SOCK_DGRAM, 0) >= 0) Achieved("socket of family " + std::to_string(family));
  }
  for (const std::string& name : names) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), length) == 0) {
      Achieved("abstract socket");
    }
  }
}

void MakeNamespaces(Arguments) {
  for (const int flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID}) {
    if (unshare(flag) == 0) Achieved("unshare");
    const long child = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    if (child > 0) Achieved("clone into a new namespace");
  }
  if (syscall(SYS_clone3, nullptr, 0) >= 0 || errno != ENOSYS) Achieved("clone3");
  if (setns(open("/proc/1/ns/mnt", O_RDONLY), 0) == 0) Achieved("setns");
}

void Mount(Arguments) {
  if (mount("none", "/tmp", "tmpfs", 0, nullptr) == 0) Achieved("mount");
  if (mount("/", "/tmp", nullptr, MS_BIND, nullptr) == 0) Achieved("bind mount");
  if (mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0) Achieved("remount");
  if (umount("/proc") == 0) Achieved("umount");
  if (chroot("/tmp") == 0) Achieved("chroot");
  if (syscall(SYS_fsopen, "tmpfs", 0) >= 0) Achieved("fsopen");
  if (syscall(SYS_open_tree, AT_FDCWD, "/", 1) >= 0) Achieved("open_tree");
}

void CallKernel(Arguments) {
  char zeros[256] = {};
  const auto works = [&zeros](long call, long first) {
    return syscall(call, first, zeros, sizeof zeros, 0, 0) >= 0 ||
           (errno != EPERM && errno != ENOSYS && errno != EACCES);
  };
  if (works(SYS_bpf, 0)) Achieved("bpf");
  if (works(SYS_io_uring_setup, 8)) Achieved("io_uring");
  if (works(SYS_userfaultfd, 0)) Achieved("userfaultfd");
  if (works(SYS_keyctl, 0)) Achieved("keyctl");
  if (works(SYS_add_key, 0)) Achieved("add_key");
  if (works(SYS_perf_event_open, reinterpret_cast<long>(zeros))) Achieved("perf_event_open");
  if (personality(ADDR_NO_RANDOMIZE) >= 0) Achieved("personality");
  if (syscall(500, 0, 0, 0) >= 0 || errno != ENOSYS) Achieved("a call newer than the filter");
}

// One of each kind, never more: thousands hang the kernel.
void InstallFilters(Arguments) {
  sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  sock_fprog program{1, &allow};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) {
    Achieved("a filter by seccomp");
  }
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) Achieved("a filter by prctl");
  if (syscall(kLandlockCreateRuleset, nullptr, 0, 1) >= 0) Achieved("landlock");
}

void StartProcesses(Arguments) {
  const auto try_to = [](const char* name, long child) {
    if (child == 0) _exit(0);
    if (child > 0) Achieved(name);
  };
  try_to("fork", fork());
  try_to("raw fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  pid_t child = -1;
  char* const argv[] = {nullptr};
  if (posix_spawn(&child, "/attack", nullptr, nullptr, argv, environ) == 0) Achieved("spawn");
  try_to("vfork", vfork());
}

void RaisePriority(Arguments) {
  const sched_param first{1};
  if (setpriority(PRIO_PROCESS, 0, -5) == 0) Achieved("nice");
  if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) Achieved("real time");
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_max = RLIM_INFINITY;
  if (setrlimit(RLIMIT_FSIZE, &limit) == 0) Achieved("higher limit");
  std::ofstream("/proc/self/oom_score_adj") << "-1000" << std::flush;
  std::string score;
  std::ifstream("/proc/self/oom_score_adj") >> score;
  if (score == "-1000") Achieved("protection from the memory killer");
}

void WriteFiles(Arguments) {
  for (const char* path : {"/x", "/usr/x", "/usr/lib/x", "/etc/x", "/dev/x", "/attack",
                           "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                           "/sys/fs/cgroup/x", "/etc/ld.so.cache"}) {
    if (open(path, O_WRONLY | O_CREAT, 0644) >= 0) Achieved(std::string("open ") + path);
    if (unlink(path) == 0) Achieved(std::string("unlink ") + path);
    if (chmod(path, 0777) == 0) Achieved(std::string("chmod ") + path);
  }
  for (const char* path : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids"}) {
    if (access(path, F_OK) == 0) Achieved(std::string("see ") + path);
  }
}

// The filter would misread the call numbers of another architecture: such calls must kill.
void CallAs32Bit(Arguments) {
#if defined(__x86_64__)
  long result = 20;  // getpid
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  if (result > 0) Achieved("32-bit system call");
#else
  raise(SIGSYS);
#endif
}

void TypeIntoTerminal(Arguments) {
  char letter = 'x';
  for (int fd : {0, 1, 2, open("/dev/tty", O_RDWR), open("/dev/console", O_RDWR)}) {
    if (ioctl(fd, TIOCSTI, &letter) == 0) Achieved("typed into a terminal");
  }
}

}  // namespace

std::vector<Attack> EscapeAttacks() {
  return {{"read_hidden_files", ReadHiddenFiles},
          {"read_environment", ReadEnvironment},
          {"use_leaked_descriptors", UseLeakedDescriptors},
          {"touch_other_processes", TouchOtherProcesses},
          {"reach_process_one", ReachProcessOne},
          {"kill_everything", KillEverything},
          {"use_network", UseNetwork},
          {"make_namespaces", MakeNamespaces},
          {"mount", Mount},
          {"call_kernel", CallKernel},
          {"install_filters", InstallFilters},
          {"start_processes", StartProcesses},
          {"raise_priority", RaisePriority},
          {"write_files", WriteFiles},
          {"call_as_32_bit", CallAs32Bit},
          {"type_into_terminal", TypeIntoTerminal}};
}

}  // namespace grader::attack
