// Hostile: rules of its own for files; the filter knows no such call.
// Or: policy
#include <sys/syscall.h>
#include <unistd.h>

// Whoever gets here has broken out.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  if (syscall(444L, 0L, 0L, 1L) >= 0) Achieved();  // landlock_create_ruleset
  return 0;
}();
