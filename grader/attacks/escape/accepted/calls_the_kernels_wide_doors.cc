// Hostile: bpf, io_uring, userfaultfd, perf and keys; the filter allows none of these calls.
// Or: policy
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  char zeros[256] = {};
  if (syscall(SYS_bpf, 0L, zeros, 64L) >= 0 || syscall(SYS_io_uring_setup, 8L, zeros) >= 0)
    Achieved();
  if (syscall(SYS_userfaultfd, 0L) >= 0 || syscall(SYS_userfaultfd, 1L) >= 0) Achieved();
  if (syscall(SYS_perf_event_open, zeros, 0L, -1L, -1L, 0L) >= 0) Achieved();
  if (syscall(SYS_add_key, "user", "attack", "x", 1L, -2L) >= 0) Achieved();
  if (syscall(SYS_keyctl, 0L, -3L, 1L) >= 0) Achieved();
  if (syscall(SYS_fanotify_init, 0L, 0L) >= 0 || syscall(SYS_inotify_init1, 0L) >= 0) Achieved();
  if (syscall(SYS_open_by_handle_at, 3L, zeros, 0L) >= 0) Achieved();
  return 0;
}();
