// Hostile: kills its parent and every process that it can; the jail has its own process namespace.
// Or: policy, runtime_error
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  return 0;
}();
