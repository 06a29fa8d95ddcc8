#include "common/cudasim/check/shadow.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/cudasim/check/state.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/memory/page.h"
#include "common/cudasim/runtime/memory/rounding.h"

namespace cudasim {
namespace {

constinit std::size_t shadow_chunks = 0;  // in use

std::size_t LimitBytes() {
  static const std::size_t limit = [] {
    if (const std::optional<std::size_t> wanted = ShadowBytesSetting()) return *wanted;
    return PhysicalMemoryBytes() / 2;
  }();
  return limit;
}

[[noreturn]] void ExitOutOfShadow() {
  std::fprintf(stderr,
               "error: out of shadow memory: %s: %zu MB, limit %zu MB\n"
               "  next: check with less data, or raise the limit with CUDASIM_SHADOW_MB=N\n",
               (DescribeKernel() + " " + DescribeLaunch()).c_str(), ShadowBytes() >> 20,
               LimitBytes() >> 20);
  std::fflush(nullptr);
  _exit(1);
}

// Zeroes [first, last) and gives whole pages back to the system.
void DropBytes(void* first, void* last) {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const auto end = reinterpret_cast<std::uintptr_t>(last);
  const std::uintptr_t inner_begin = RoundUp(begin, PageBytes());
  const std::uintptr_t inner_end = RoundDown(end, PageBytes());
  if (inner_begin >= inner_end) {
    std::memset(first, 0, end - begin);
    return;
  }
  std::memset(first, 0, inner_begin - begin);
  std::memset(reinterpret_cast<void*>(inner_end), 0, end - inner_end);
  madvise(reinterpret_cast<void*>(inner_begin), inner_end - inner_begin, MADV_DONTNEED);
}

}  // namespace

void* ReserveBytes(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs(
        "error: cannot reserve addresses for check mode's shadow memory\n"
        "  next: raise the limit on virtual memory (ulimit -v unlimited)\n",
        stderr);
    std::abort();
  }
  return memory;
}

std::size_t ShadowBytes() { return shadow_chunks * Shadow::kChunk; }

void Shadow::Reserve(std::size_t bytes) {
  const std::size_t words = words_ =
      bytes / kWordBytes + 4;  // an access of 16 bytes at the last word
  latest = static_cast<ShadowCell*>(ReserveBytes(words * sizeof(ShadowCell)));
  others = static_cast<Others*>(ReserveBytes(words * sizeof(Others)));
  latest_used_ = static_cast<bool*>(ReserveBytes(words * sizeof(ShadowCell) / kChunk + 1));
  others_used_ = static_cast<bool*>(ReserveBytes(words * sizeof(Others) / kChunk + 1));
}

void Shadow::Drop(std::size_t first, std::size_t count) {
  const std::size_t last = first + count;
  Drop(latest, latest_used_, first * sizeof(ShadowCell), last * sizeof(ShadowCell));
  Drop(others, others_used_, first * sizeof(Others), last * sizeof(Others));
}

// Chunks that are only partly in the range stay counted.
void Shadow::Drop(void* part, bool* used, std::size_t first, std::size_t last) {
  DropBytes(static_cast<char*>(part) + first, static_cast<char*>(part) + last);
  for (std::size_t chunk = (first + kChunk - 1) / kChunk; chunk < last / kChunk; ++chunk) {
    shadow_chunks -= used[chunk];
    used[chunk] = false;
  }
}

void Shadow::ForgetAccesses() {
  constexpr std::size_t kWords = kChunk / sizeof(ShadowCell);
  for (std::size_t first = 0; first < words_; first += kWords) {
    if (!latest_used_[first / kWords]) continue;
    const std::size_t last = std::min(first + kWords, words_);
    for (std::size_t word = first; word < last; ++word) latest[word] &= kBytes;
  }
}

void Shadow::Use(bool& chunk) {
  chunk = true;
  ++shadow_chunks;
  if (ShadowBytes() > LimitBytes()) ExitOutOfShadow();
}

}  // namespace cudasim
