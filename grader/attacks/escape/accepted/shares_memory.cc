// Hostile: System V segments, queues and semaphores, which outlive processes; the filter allows
// none.
// Or: policy
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  if (syscall(SYS_shmget, 0L, 4096L, 01600L) >= 0 || syscall(SYS_msgget, 0L, 01600L) >= 0)
    Achieved();
  if (syscall(SYS_semget, 0L, 1L, 01600L) >= 0 ||
      syscall(SYS_mq_open, "attack_left", 0102L, 0600L, 0L) >= 0) {
    Achieved();
  }
  return 0;
}();
