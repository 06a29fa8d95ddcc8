// Hostile: opens hidden tests, kits and secrets of the grader's machine; the jail shows none of
// them.
// Or: policy
#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (const char* path :
       {"/var/tmp/grader_attack_canary", "/proc/1/root/var/tmp/grader_attack_canary",
        "/proc/1/cwd/lab.toml", "/kit/lab.toml", "/lab.toml", "/checker", "/reference.so",
        "/etc/passwd", "/etc/hostname", "/root", "/home", "/work", "/var", "/etc/shadow",
        "/sys/fs/cgroup", "/dev/mem", "/dev/kmsg", "/proc/kcore",
        "/proc/1/cwd/..//var/tmp/grader_attack_canary"}) {
    if (open(path, O_RDONLY) >= 0) Achieved();
  }
  return 0;
}();
