// Hostile: 192 MB in files of /tmp and /dev/shm; those count as memory, which has a limit.
// Or: output_limit, runtime_error, accepted
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

const int tried = [] {
  static char megabyte[1 << 20] = {1};
  for (int i = 0; i < 192; ++i) {
    char path[64];
    snprintf(path, sizeof path, "%s/attack_left_%d", i % 2 ? "/tmp" : "/dev/shm", i);
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (write(file, megabyte, sizeof megabyte) < 0) close(file);
  }
  return 0;
}();
