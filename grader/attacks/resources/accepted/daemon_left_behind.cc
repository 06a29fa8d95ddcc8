// Hostile: a process in a session of its own, to outlive the jail; the filter refuses it, and the
// jail kills all processes.
// Or: policy
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

const int tried = [] {
  if (syscall(SYS_fork) == 0) {
    syscall(SYS_setsid);
    for (int i = 0; i < 20; ++i) usleep(1'000'000);
    _exit(0);
  }
  return 0;
}();
