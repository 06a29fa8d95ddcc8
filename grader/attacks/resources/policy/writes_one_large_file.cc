// Hostile: a sparse file of 300 MB, and then its last byte; files have a limit.
// Or: runtime_error, accepted
#include <fcntl.h>
#include <unistd.h>

const int tried = [] {
  const int file = open("/tmp/attack_left", O_RDWR | O_CREAT, 0600);
  if (pwrite(file, "x", 1, 300'000'000) < 0) _exit(1);
  return 0;
}();
