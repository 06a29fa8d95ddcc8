// Hostile: a call by the numbers of x32, which the filter would misread; the filter kills for it.
// Or: policy, runtime_error
#include <sys/syscall.h>
#include <unistd.h>

// Whoever gets here has broken out.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  if (syscall(0x40000000L + SYS_getpid) > 0) Achieved();
  return 0;
}();
