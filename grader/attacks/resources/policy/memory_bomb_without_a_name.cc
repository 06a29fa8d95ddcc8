// Hostile: 192 MB in an anonymous file in memory; that counts as memory.
// Or: output_limit, runtime_error, accepted
#include <sys/syscall.h>
#include <unistd.h>

const int tried = [] {
  static char megabyte[1 << 20] = {1};
  const int file = static_cast<int>(syscall(SYS_memfd_create, "attack_left", 0L));
  for (int i = 0; i < 192; ++i) {
    if (write(file, megabyte, sizeof megabyte) < 0) break;
  }
  return 0;
}();
