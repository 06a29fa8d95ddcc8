// Hostile: truncates the memory of its outputs, to crash the checker; its size is sealed.
// Or: policy, output_limit
#include <fcntl.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  const off_t size = lseek(11, 0, SEEK_END);
  if (ftruncate(11, size - 4096) == 0 || ftruncate(11, size + 4096) == 0) Achieved();
  if (fallocate(11, 0, size, 4096) == 0) Achieved();
  return 0;
}();
