// Hostile: 20,000 empty files, to use up inodes; the jail's folders vanish with it.
// Or: memory_limit, runtime_error
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

const int tried = [] {
  for (int i = 0; i < 20'000; ++i) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/attack_left_%d", i);
    close(open(path, O_WRONLY | O_CREAT, 0600));
  }
  return 0;
}();
