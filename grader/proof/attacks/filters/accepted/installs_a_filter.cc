// Hostile: installs a filter of its own, only one because thousands hang the kernel; the first call
// is refused.
// Or: policy
#include <linux/filter.h>
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  sock_filter allow = {6, 0, 0, 0x7fff0000};  // return SECCOMP_RET_ALLOW
  sock_fprog program{1, &allow};
  syscall(SYS_prctl, 38L, 1L, 0L, 0L, 0L);  // PR_SET_NO_NEW_PRIVS
  if (syscall(SYS_seccomp, 1L, 0L, &program) == 0) Achieved();
  return 0;
}();
