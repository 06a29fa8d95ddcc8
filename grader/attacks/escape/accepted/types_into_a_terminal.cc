// Hostile: types into the terminal of whoever grades; there is none, and the filter knows no such
// call.
// Or: policy
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

// Whoever gets here has broken out.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  const char letter = 'x';
  for (const int fd : {0, 1, 2, open("/dev/tty", O_RDWR), open("/dev/console", O_RDWR)}) {
    if (syscall(SYS_ioctl, fd, 0x5412L, &letter) == 0) Achieved();  // TIOCSTI
  }
  return 0;
}();
