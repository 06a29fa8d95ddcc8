// Hostile: reserves 64 TB of addresses that it never touches; they use no memory.
// Or: runtime_error, memory_limit
#include <sys/mman.h>

#include <cstddef>

const int tried = [] {
  for (int i = 0; i < 64; ++i) {
    mmap(nullptr, std::size_t{1} << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
         0);
  }
  return 0;
}();
