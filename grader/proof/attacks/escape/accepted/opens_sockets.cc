// Hostile: sockets of every family, an abstract one among them; the filter allows no sockets.
// Or: policy
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (long family = 0; family < 46; ++family) {
    for (long type : {1L, 2L, 3L}) {
      if (syscall(SYS_socket, family, type, 0L) >= 0) Achieved();
    }
  }
  int pair[2];
  if (syscall(SYS_socketpair, 1L, 1L, 0L, pair) == 0) Achieved();
  return 0;
}();
