// Hostile: namespaces of its own, to be root there; the filter refuses their flags.
// Or: policy
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (const long flag :
       {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWCGROUP}) {
    if (syscall(SYS_unshare, flag) == 0) Achieved();
    const long child = syscall(SYS_clone, flag | SIGCHLD, 0L, 0L, 0L, 0L);
    if (child == 0) _exit(0);
    if (child > 0) Achieved();
  }
  if (syscall(SYS_setns, open("/proc/1/ns/mnt", O_RDONLY), 0L) == 0) Achieved();
  long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
  const long child = syscall(SYS_clone3, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  if (child > 0) Achieved();
  return 0;
}();
