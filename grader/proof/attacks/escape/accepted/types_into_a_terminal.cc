// Hostile: types into the terminal of the grader; there is none, and the filter refuses the call.
// Or: policy
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  const char letter = 'x';
  for (const int fd : {0, 1, 2, open("/dev/tty", O_RDWR), open("/dev/console", O_RDWR)}) {
    if (syscall(SYS_ioctl, fd, 0x5412L, &letter) == 0) Achieved();  // TIOCSTI
  }
  return 0;
}();
