// Hostile: sends the folders of the grader's machine from its list of mounts behind the simulator's
// prefix; reports come by a descriptor of their own.
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
