#include "common/cudasim/instrument/marks.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "common/cudasim/runtime/memory/page.h"
#include "common/cudasim/runtime/memory/rounding.h"

namespace cudasim {
namespace {

constexpr std::uintptr_t kAlignment = 16;  // no access straddles an end of the span

Mark* Map(void* at, std::size_t bytes) {
  const int fixed = at == nullptr ? 0 : MAP_FIXED;
  void* const memory = mmap(at, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs(
        "error: cannot reserve addresses for the record of the host's writes\n"
        "  next: raise the limit on virtual memory (ulimit -v unlimited)\n",
        stderr);
    std::abort();
  }
  return static_cast<Mark*>(memory);
}

}  // namespace

void Marks::Prepare(std::size_t bytes) {
  if (table_ != nullptr) return;
  bytes_ = RoundUp(bytes + kAlignment, kAlignment);
  table_ = Map(nullptr, bytes_ * sizeof(Mark));
}

void Marks::Include(std::size_t offset, std::size_t bytes) {
  const std::size_t first = RoundDown(offset, kAlignment);
  const std::size_t last = RoundUp(offset + bytes, kAlignment);
  if (marked_.bytes == 0) {
    marked_ = {first, last - first};
    return;
  }
  const std::size_t begin = std::min(first, marked_.begin);
  marked_ = {begin, std::max(last, marked_.begin + marked_.bytes) - begin};
}

void Marks::Set(std::size_t offset, std::size_t bytes, Mark mark) {
  if (bytes == 0) return;
  Include(offset, bytes);
  std::fill_n(table_ + offset, bytes, mark);
}

void Marks::Clear(std::size_t offset, std::size_t bytes) {
  const std::size_t begin = std::max(offset, marked_.begin);
  const std::size_t end = std::min(offset + bytes, marked_.begin + marked_.bytes);
  if (begin < end) std::fill_n(table_ + begin, end - begin, Mark{0});
}

void Marks::ClearAll() {
  if (marked_.bytes == 0) return;
  const std::size_t first = RoundDown(marked_.begin * sizeof(Mark), PageBytes());
  const std::size_t last = RoundUp((marked_.begin + marked_.bytes) * sizeof(Mark), PageBytes());
  Map(reinterpret_cast<char*>(table_) + first, last - first);
  marked_ = {};
}

}  // namespace cudasim
