// Hostile: Landlock rules of its own for files; the filter does not allow the call.
// Or: policy
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  if (syscall(444L, 0L, 0L, 1L) >= 0) Achieved();  // landlock_create_ruleset
  return 0;
}();
