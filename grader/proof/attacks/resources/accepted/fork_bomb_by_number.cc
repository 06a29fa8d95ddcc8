// Hostile: 50 processes by the number of the system call; the filter refuses each.
// Or: policy
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

const int tried = [] {
  for (int i = 0; i < 50; ++i) {
    const long child = syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L);
    if (child == 0) _exit((usleep(2'000'000), 0));
    if (child > 0) __builtin_trap();
  }
  return 0;
}();
