// Hostile: clock, host name, modules, swap and reboot; the filter allows none of these calls.
// Or: policy
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  const long zeros[8] = {};
  if (syscall(SYS_clock_settime, 0L, zeros) == 0 || syscall(SYS_settimeofday, zeros, 0L) == 0)
    Achieved();
  if (syscall(SYS_sethostname, "attack_left", 11L) == 0) Achieved();
  if (syscall(SYS_init_module, zeros, 0L, "") == 0 || syscall(SYS_swapoff, "/none") == 0)
    Achieved();
  if (syscall(SYS_setuid, 0L) == 0 || syscall(SYS_setgid, 0L) == 0) Achieved();
  if (syscall(SYS_acct, 0L) == 0 || syscall(SYS_syslog, 3L, zeros, 8L) >= 0) Achieved();
  if (syscall(SYS_personality, 0x0040000L) >= 0) Achieved();
  return 0;
}();
