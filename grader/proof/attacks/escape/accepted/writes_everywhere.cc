// Hostile: writes to system folders, the worker, itself, cgroups and kernel parameters; all of it
// is read-only or absent.
// Or: policy
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (const char* path :
       {"/attack_left", "/usr/attack_left", "/usr/lib/attack_left", "/etc/attack_left",
        "/dev/attack_left", "/worker", "/submission.so", "/proc/sys/kernel/core_pattern",
        "/proc/sysrq-trigger", "/sys/fs/cgroup/attack_left", "/etc/ld.so.cache", "/proc/1/comm",
        "/var/tmp/attack_left"}) {
    if (open(path, O_WRONLY | O_CREAT, 0644) >= 0) Achieved();
    if (syscall(SYS_unlink, path) == 0 || syscall(SYS_chmod, path, 0777L) == 0) Achieved();
  }
  return 0;
}();
