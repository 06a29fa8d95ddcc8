// Hostile: mounts over its files, unmounts, and changes its root; the filter allows none of these
// calls.
// Or: policy
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  if (syscall(SYS_mount, "none", "/tmp", "tmpfs", 0L, 0L) == 0) Achieved();
  if (syscall(SYS_mount, "/", "/tmp", 0L, 4096L, 0L) == 0) Achieved();
  if (syscall(SYS_umount2, "/proc", 2L) == 0 || syscall(SYS_chroot, "/tmp") == 0) Achieved();
  if (syscall(SYS_pivot_root, "/tmp", "/tmp") == 0) Achieved();
  if (syscall(SYS_fsopen, "tmpfs", 0L) >= 0 || syscall(SYS_open_tree, AT_FDCWD, "/", 1L) >= 0)
    Achieved();
  return 0;
}();
