// Hostile: opens 100,000 descriptors; each process has a limit.
#include <fcntl.h>
#include <unistd.h>

const int tried = [] {
  for (int i = 0; i < 100'000; ++i) {
    if (open("/dev/null", O_RDONLY) < 0) break;
  }
  for (int fd = 15; fd < 100'000; ++fd) close(fd);
  return 0;
}();
