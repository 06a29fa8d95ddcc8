#include "common/cudasim/check/shadow.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cudasim {
namespace {

std::uintptr_t Anchor() { return reinterpret_cast<std::uintptr_t>(&ReserveCells); }

}  // namespace

CodeOffset ToCodeOffset(const void* pc) {
  return static_cast<CodeOffset>(reinterpret_cast<std::uintptr_t>(pc) - Anchor());
}

const void* FromCodeOffset(CodeOffset offset) {
  return reinterpret_cast<const void*>(Anchor() + static_cast<std::int32_t>(offset));
}

Cell* ReserveCells(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes / kWordBytes * sizeof(Cell), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs(
        "error: cannot reserve addresses for check mode's shadow memory\n"
        "  next: raise the limit on virtual memory (ulimit -v unlimited)\n",
        stderr);
    std::abort();
  }
  return static_cast<Cell*>(memory);
}

void DropCells(Cell* first, std::size_t count) {
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const auto end = reinterpret_cast<std::uintptr_t>(first + count);
  const std::uintptr_t inner_begin = (begin + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t inner_end = end & ~(kPage - 1);
  if (inner_begin >= inner_end) {
    std::memset(static_cast<void*>(first), 0, end - begin);
    return;
  }
  std::memset(static_cast<void*>(first), 0, inner_begin - begin);
  std::memset(reinterpret_cast<void*>(inner_end), 0, end - inner_end);
  madvise(reinterpret_cast<void*>(inner_begin), inner_end - inner_begin, MADV_DONTNEED);
}

}  // namespace cudasim
