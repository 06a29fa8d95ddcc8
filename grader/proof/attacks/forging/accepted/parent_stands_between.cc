// Hostile: forks while it is loaded, so that the parent can intercept messages between its child
// and the checker; the jail allows no new processes.
// Or: policy, runtime_error
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (const long child :
       {syscall(SYS_fork), syscall(SYS_vfork), syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L)}) {
    if (child == 0) _exit(0);
    if (child > 0) Achieved();
  }
  return 0;
}();
