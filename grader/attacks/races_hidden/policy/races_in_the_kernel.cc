// Hostile: the operating system's kernel writes for it: reads from a file into memory that others
// write.
// Or: data_race
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

int zeros = open("/dev/zero", O_RDONLY);

void Count() {
  if (syscall(SYS_read, zeros, &counted, sizeof counted) < 0) counted = 1;
}

}  // namespace
