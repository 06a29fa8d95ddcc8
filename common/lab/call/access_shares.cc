// Counts the accesses of code that is compiled for ThreadSanitizer, in its place: shadow memory, as
// in Serebryany and Iskhodzhanov, "ThreadSanitizer: data race detection in practice" (2009), whose
// cells say who wrote a byte and who has read it since. Part of a program that loads such code, or
// of the library with it. Never linked with ThreadSanitizer.
#include "common/lab/call/access_shares.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

namespace {

// A cell of 16 bits for each byte: one bit for each thread that wrote or read it since it was
// written, and above them the writer: 0 is unknown, kOriginal the caller. Further threads share the
// numbers of the first ones.
constexpr unsigned kThreads = 12;
constexpr unsigned kOriginal = 15;
constexpr unsigned kReaderBits = 0xfff;
constexpr std::uint64_t kEachCell = 0x0001'0001'0001'0001;

// Addresses that differ in higher bits only share cells: the heap and the stacks do not.
constexpr std::uintptr_t kAddresses = std::uintptr_t{1} << 43;

struct alignas(64) Used {
  std::uint64_t bytes;
  std::uint64_t first;  // of them, those that no thread had used before
};

std::uint16_t* cells = nullptr;
std::vector<LabSpan>& spans = *new std::vector<LabSpan>;
Used used[kThreads];
std::atomic<unsigned> this_call{0};  // 0: none
std::atomic<unsigned> threads_seen{0};
unsigned calls = 0;

// What the running thread writes into cells, once for each of four.
struct Self {
  unsigned call;
  unsigned number;
  std::uint64_t bit;
  std::uint64_t writer;  // with the bit
};
__attribute__((tls_model("initial-exec"))) constinit thread_local Self self{};

// False between calls.
inline bool IsCounting() {
  const unsigned call = this_call.load(std::memory_order_relaxed);
  if (call == 0) return false;
  if (self.call == call) return true;
  const unsigned number = threads_seen++ % kThreads;
  const std::uint64_t bit = kEachCell << number;
  self = {call, number, bit, kEachCell * ((number + 1) << 12) | bit};
  return true;
}

std::uint16_t* CellOf(const void* address) {
  return cells + reinterpret_cast<std::uintptr_t>(address) % kAddresses;
}

// `before` is what the cells held before this thread read their bytes.
template <typename Cells>
void CountRead(Cells before) {
  for (std::size_t i = 0; i < sizeof before / sizeof(std::uint16_t); ++i) {
    const unsigned cell = (before >> 16 * i) & 0xffff;
    const unsigned writer = cell >> 12;
    if (writer == 0 || (cell & self.bit) != 0) continue;
    const unsigned by_writer = writer == kOriginal ? 0 : 1U << (writer - 1);
    ++used[self.number].bytes;
    used[self.number].first += (cell & kReaderBits & ~by_writer) == 0 ? 1 : 0;
  }
}

struct Read {
  template <typename Cells>
  static void Mark(Cells* at) {
    const auto bits = static_cast<Cells>(self.bit);
    if ((__atomic_load_n(at, __ATOMIC_RELAXED) & bits) == bits) return;
    CountRead(__atomic_fetch_or(at, bits, __ATOMIC_RELAXED));
  }
};

struct Write {
  template <typename Cells>
  static void Mark(Cells* at) {
    const auto written = static_cast<Cells>(self.writer);
    if (__atomic_load_n(at, __ATOMIC_RELAXED) != written) {
      __atomic_store_n(at, written, __ATOMIC_RELAXED);
    }
  }
};

template <typename Access>
void MarkRange(const void* address, std::size_t bytes) {
  if (!IsCounting()) return;
  for (std::uint16_t *at = CellOf(address), *const end = at + bytes; at != end;) {
    if (reinterpret_cast<std::uintptr_t>(at) % 8 == 0 && end - at >= 4) {
      Access::Mark(reinterpret_cast<std::uint64_t*>(at));
      at += 4;
    } else {
      Access::Mark(at++);
    }
  }
}

// An aligned access.
template <typename Access, std::size_t bytes>
inline void Mark(const void* address) {
  if (!IsCounting()) return;
  std::uint16_t* const at = CellOf(address);
  if constexpr (bytes == 1) {
    Access::Mark(at);
  } else if constexpr (bytes == 2) {
    Access::Mark(reinterpret_cast<std::uint32_t*>(at));
  } else {
    for (std::size_t i = 0; i < bytes; i += 4) {
      Access::Mark(reinterpret_cast<std::uint64_t*>(at + i));
    }
  }
}

// These never call a function that could be ours, which compilers make of plain loops.
#if defined(__x86_64__)
void Copy(void* to, const void* from, std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void CopyBackwards(void* to, const void* from, std::size_t bytes) {
  auto* last_to = static_cast<char*>(to) + bytes - 1;
  auto* last_from = static_cast<const char*>(from) + bytes - 1;
  asm volatile("std\n\trep movsb\n\tcld"
               : "+D"(last_to), "+S"(last_from), "+c"(bytes)
               :
               : "memory");
}

void Fill(void* to, int value, std::size_t bytes) {
  asm volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(value) : "memory");
}
#else
void Set(void* to, std::size_t i, char value) {
  static_cast<char*>(to)[i] = value;
  asm volatile("" : : : "memory");
}

void Copy(void* to, const void* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) Set(to, i, static_cast<const char*>(from)[i]);
}

void CopyBackwards(void* to, const void* from, std::size_t bytes) {
  while (bytes-- > 0) Set(to, bytes, static_cast<const char*>(from)[bytes]);
}

void Fill(void* to, int value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) Set(to, i, static_cast<char>(value));
}
#endif

void MarkCopy(void* to, const void* from, std::size_t bytes) {
  MarkRange<Read>(from, bytes);
  MarkRange<Write>(to, bytes);
}

}  // namespace

#define LAB_SHOWN __attribute__((visibility("default")))

extern "C" {

LAB_SHOWN void LabBeginShares(const LabSpan* of_call, std::size_t count) {
  constexpr std::size_t kBytes = kAddresses * sizeof *cells;
  if (cells == nullptr) {
    void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    cells = static_cast<std::uint16_t*>(memory);
  } else {
    madvise(cells, kBytes, MADV_DONTNEED);
  }
  spans.assign(of_call, of_call + count);
  std::ranges::fill(used, Used{});
  for (const LabSpan& span : spans) {
    std::fill_n(CellOf(span.data), span.bytes, static_cast<std::uint16_t>(kOriginal << 12));
  }
  threads_seen = 0;
  this_call = ++calls;
}

LAB_SHOWN LabShares LabEndShares() {
  this_call = 0;
  LabShares shares{};
  if (cells == nullptr) return shares;
  for (const LabSpan& span : spans) {
    shares.spans += span.bytes;
    if (!span.is_output) {
      shares.inputs += span.bytes;
      continue;
    }
    for (const std::uint16_t cell : std::span(CellOf(span.data), span.bytes)) {
      const unsigned writer = cell >> 12;
      if (writer == 0 || writer == kOriginal) continue;
      ++used[writer - 1].bytes;
      ++used[writer - 1].first;
    }
  }
  for (const Used& of_thread : used) {
    shares.used += of_thread.first;
    shares.busiest = std::max(shares.busiest, of_thread.bytes);
  }
  shares.threads = static_cast<std::uint64_t>(std::ranges::count_if(
      used, [&](const Used& of_thread) { return of_thread.bytes > shares.used / 64; }));
  return shares;
}

// What the compiler calls, from here on (compiler-rt's tsan_interface.h and
// tsan_interface_atomic.h).

#define LAB_ACCESSES(bytes)                                                               \
  LAB_SHOWN void __tsan_read##bytes(void* at) { Mark<Read, bytes>(at); }                  \
  LAB_SHOWN void __tsan_write##bytes(void* at) { Mark<Write, bytes>(at); }                \
  LAB_SHOWN void __tsan_read_write##bytes(void* at) {                                     \
    Mark<Read, bytes>(at);                                                                \
    Mark<Write, bytes>(at);                                                               \
  }                                                                                       \
  LAB_SHOWN void __tsan_unaligned_read##bytes(void* at) { MarkRange<Read>(at, bytes); }   \
  LAB_SHOWN void __tsan_unaligned_write##bytes(void* at) { MarkRange<Write>(at, bytes); } \
  LAB_SHOWN void __tsan_unaligned_read_write##bytes(void* at) {                           \
    MarkRange<Read>(at, bytes);                                                           \
    MarkRange<Write>(at, bytes);                                                          \
  }
LAB_ACCESSES(1)
LAB_ACCESSES(2)
LAB_ACCESSES(4)
LAB_ACCESSES(8)
LAB_ACCESSES(16)

LAB_SHOWN void __tsan_read_range(void* at, std::size_t bytes) { MarkRange<Read>(at, bytes); }
LAB_SHOWN void __tsan_write_range(void* at, std::size_t bytes) { MarkRange<Write>(at, bytes); }

LAB_SHOWN void* memcpy(void* to, const void* from, std::size_t bytes) {
  MarkCopy(to, from, bytes);
  Copy(to, from, bytes);
  return to;
}
LAB_SHOWN void* memmove(void* to, const void* from, std::size_t bytes) {
  MarkCopy(to, from, bytes);
  const bool overlaps_behind =
      static_cast<std::size_t>(static_cast<char*>(to) - static_cast<const char*>(from)) < bytes;
  (overlaps_behind ? CopyBackwards : Copy)(to, from, bytes);
  return to;
}
LAB_SHOWN void* memset(void* to, int value, std::size_t bytes) {
  MarkRange<Write>(to, bytes);
  Fill(to, value, bytes);
  return to;
}
LAB_SHOWN void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  return memcpy(to, from, bytes);
}
LAB_SHOWN void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  return memmove(to, from, bytes);
}
LAB_SHOWN void* __tsan_memset(void* to, int value, std::size_t bytes) {
  return memset(to, value, bytes);
}

// Atomic reads are often polled and count nothing.
#define LAB_FETCH(bits, name)                                       \
  LAB_SHOWN std::uint##bits##_t __tsan_atomic##bits##_fetch_##name( \
      std::uint##bits##_t* at, std::uint##bits##_t value, int) {    \
    Mark<Write, bits / 8>(at);                                      \
    return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);      \
  }
#define LAB_EXCHANGE(bits, name)                                                               \
  LAB_SHOWN int __tsan_atomic##bits##_compare_exchange_##name(                                 \
      std::uint##bits##_t* at, std::uint##bits##_t* expected, std::uint##bits##_t wanted, int, \
      int) {                                                                                   \
    const bool is_done = __atomic_compare_exchange_n(at, expected, wanted, false,              \
                                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
    if (is_done) Mark<Write, bits / 8>(at);                                                    \
    return is_done ? 1 : 0;                                                                    \
  }
#define LAB_ATOMICS(bits)                                                                        \
  LAB_SHOWN std::uint##bits##_t __tsan_atomic##bits##_load(const std::uint##bits##_t* at, int) { \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                \
  }                                                                                              \
  LAB_SHOWN void __tsan_atomic##bits##_store(std::uint##bits##_t* at, std::uint##bits##_t value, \
                                             int) {                                              \
    Mark<Write, bits / 8>(at);                                                                   \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                               \
  }                                                                                              \
  LAB_SHOWN std::uint##bits##_t __tsan_atomic##bits##_exchange(std::uint##bits##_t* at,          \
                                                               std::uint##bits##_t value, int) { \
    Mark<Write, bits / 8>(at);                                                                   \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                     \
  }                                                                                              \
  LAB_FETCH(bits, add)                                                                           \
  LAB_FETCH(bits, sub)                                                                           \
  LAB_FETCH(bits, and)                                                                           \
  LAB_FETCH(bits, or)                                                                            \
  LAB_FETCH(bits, xor)                                                                           \
  LAB_FETCH(bits, nand)                                                                          \
  LAB_EXCHANGE(bits, strong)                                                                     \
  LAB_EXCHANGE(bits, weak)                                                                       \
  LAB_SHOWN std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                      \
      std::uint##bits##_t* at, std::uint##bits##_t expected, std::uint##bits##_t wanted,         \
      int success, int failure) {                                                                \
    __tsan_atomic##bits##_compare_exchange_strong(at, &expected, wanted, success, failure);      \
    return expected;                                                                             \
  }
LAB_ATOMICS(8)
LAB_ATOMICS(16)
LAB_ATOMICS(32)
LAB_ATOMICS(64)

LAB_SHOWN void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
LAB_SHOWN void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

LAB_SHOWN void __tsan_init() {}
LAB_SHOWN void __tsan_func_entry(void*) {}
LAB_SHOWN void __tsan_func_exit() {}
LAB_SHOWN void __tsan_vptr_read(void**) {}
LAB_SHOWN void __tsan_vptr_update(void**, void*) {}
LAB_SHOWN void __tsan_ignore_thread_begin() {}
LAB_SHOWN void __tsan_ignore_thread_end() {}
LAB_SHOWN void __tsan_acquire(void*) {}
LAB_SHOWN void __tsan_release(void*) {}
LAB_SHOWN void* __tsan_create_fiber(unsigned) { return &cells; }
LAB_SHOWN void __tsan_destroy_fiber(void*) {}
LAB_SHOWN void* __tsan_get_current_fiber() { return nullptr; }
LAB_SHOWN void __tsan_switch_to_fiber(void*, unsigned) {}
LAB_SHOWN void __tsan_java_alloc(std::uintptr_t, std::uintptr_t) {}
LAB_SHOWN void __tsan_mutex_destroy(void*, unsigned) {}
LAB_SHOWN void __tsan_mutex_pre_lock(void*, unsigned) {}
LAB_SHOWN void __tsan_mutex_post_lock(void*, unsigned, int) {}
LAB_SHOWN int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
LAB_SHOWN void __tsan_mutex_post_unlock(void*, unsigned) {}

}  // extern "C"
