// Hostile: kills its parent and all that it may; the jail has processes of its own, and nobody
// outside notices.
// Or: policy, runtime_error
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whoever gets here has broken out.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  return 0;
}();
