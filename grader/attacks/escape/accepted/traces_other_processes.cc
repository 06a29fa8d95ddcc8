// Hostile: ptrace and the memory of other processes; the filter allows no such calls.
// Or: policy
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  char byte = 0;
  const iovec here{&byte, 1};
  const long pid = getpid();
  if (syscall(SYS_ptrace, 16L, 1L, 0L, 0L) == 0 || syscall(SYS_ptrace, 0L, 0L, 0L, 0L) == 0)
    Achieved();
  if (syscall(SYS_process_vm_readv, pid, &here, 1L, &here, 1L, 0L) >= 0) Achieved();
  if (syscall(SYS_process_vm_writev, 1L, &here, 1L, &here, 1L, 0L) >= 0) Achieved();
  const long other = syscall(SYS_pidfd_open, 1L, 0L);
  for (long fd = 0; fd < 16; ++fd) {
    if (syscall(SYS_pidfd_getfd, other, fd, 0L) >= 0) Achieved();
  }
  return 0;
}();
