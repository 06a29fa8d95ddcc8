// Hostile: 50 processes; fork is not allowed.
#include <unistd.h>

const int tried = [] {
  for (int i = 0; i < 50; ++i) {
    if (fork() == 0) _exit((usleep(2'000'000), 0));
  }
  return 0;
}();
