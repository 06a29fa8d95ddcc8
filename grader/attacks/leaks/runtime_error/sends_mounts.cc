// Hostile: prints the list of mounts after the simulator's prefix, to learn folders of the grader's
// machine; reports use their own descriptor.
// Or: policy
#include <unistd.h>

#include <cstdio>

const int tried = [] {
  FILE* const mounts = fopen("/proc/self/mountinfo", "r");
  char line[1024];
  while (mounts != nullptr && fgets(line, sizeof line, mounts)) {
    fprintf(stderr, "cudasim: data_race: %s", line);
  }
  _exit(67);
  return 0;
}();
