// Hostile: looks for descriptors that the grader left open; the jail passes on only the worker's.
// Or: policy
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (int fd = 3; fd < 2048; ++fd) {
    struct stat about;
    if (fd >= 10 && fd <= 14) continue;  // the worker's own
    // What was opened in here, as by a tool that watches, lies in here; a folder or a socket does
    // not.
    if (fstat(fd, &about) == 0 && (S_ISDIR(about.st_mode) || S_ISSOCK(about.st_mode))) Achieved();
  }
  for (int fd = 3; fd < 64; ++fd) {
    char path[32];
    snprintf(path, sizeof path, "/proc/1/fd/%d", fd);
    if (open(path, O_RDONLY) >= 0) Achieved();
  }
  return 0;
}();
