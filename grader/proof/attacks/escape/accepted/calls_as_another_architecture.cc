// Hostile: a system call by its x32 number, which the filter could misread; the filter kills the
// process.
// Or: policy, runtime_error
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  if (syscall(0x40000000L + SYS_getpid) > 0) Achieved();
  return 0;
}();
