#pragma once

// How threads are delayed under ThreadSanitizer, and how it is told where that happened.

#include <link.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

// For functions that ThreadSanitizer itself runs in, or that it must not watch.
#define LAB_UNWATCHED __attribute__((disable_sanitizer_instrumentation))

// Whether the calling function, one of our definitions, is to pause.
#define LAB_IS_DUE(pauses)                                  \
  ([caller = __builtin_return_address(0)]() LAB_UNWATCHED { \
    thread_local unsigned count = lab::FirstCount();        \
    return (pauses).IsDue(count, caller);                   \
  }())

namespace lab {

inline constexpr std::uint64_t kPause = 1'000'000;  // ns
inline constexpr std::uint64_t kGrace = 20'000'000;
inline constexpr unsigned kFirstCalls = 16;  // of each kind and thread

// Without the C library, whose function is watched.
LAB_UNWATCHED inline std::uint64_t Now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

inline const std::uint64_t begun = Now();

// The library that an address belongs to, or null. Not by the loader's own functions, which wait
// for a library that is being initialised.
LAB_UNWATCHED inline const link_map* LibraryOf(std::uintptr_t address) {
  const link_map* last = nullptr;
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    if (map->l_addr <= address && (last == nullptr || map->l_addr > last->l_addr)) last = map;
  }
  return last;
}

// Where a library lies, or a part of that without another one's begin.
struct Extent {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  LAB_UNWATCHED bool contains(std::uintptr_t address) const {
    return begin <= address && address < end;
  }
};

LAB_UNWATCHED inline Extent ExtentAround(std::uintptr_t address) {
  Extent extent{0, UINTPTR_MAX};
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    const std::uintptr_t begin = map->l_addr;
    if (begin > address && begin < extent.end) extent.end = begin;
    if (begin <= address && begin > extent.begin) extent.begin = begin;
  }
  return extent;
}

// Whether it is in the OpenMP runtime or Archer, whose own locks and waits are left alone.
LAB_UNWATCHED inline bool IsOfOpenMp(const void* caller) {
  thread_local Extent latest;
  thread_local bool is_of_openmp = false;
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  if (latest.contains(address)) return is_of_openmp;
  latest = ExtentAround(address);
  const link_map* const library = LibraryOf(address);
  is_of_openmp = library != nullptr && (std::strstr(library->l_name, "omp.so") != nullptr ||
                                        std::strstr(library->l_name, "archer.so") != nullptr);
  return is_of_openmp;
}

// Threads that run the same code begin differently.
LAB_UNWATCHED inline unsigned FirstCount() { return syscall(SYS_gettid) % 8; }

// One kind of pause.
class Pauses {
 public:
  // All threads together spend at most one `part`-th of the time in it.
  explicit constexpr Pauses(unsigned part) : part_(part) {}

  // Whether to pause. `count` is the calling thread's own; `caller` is where it was called from.
  LAB_UNWATCHED bool IsDue(unsigned& count, const void* caller) const {
    const unsigned call = count++;
    // Later calls are rarely due. The first ones are after the sequence of Thue and Morse, so that
    // no loop keeps step with it.
    if (call >= kFirstCalls ? !std::has_single_bit(call) : std::popcount(call) % 2 != 0) {
      return false;
    }
    if (part_ * __atomic_load_n(&spent_, __ATOMIC_RELAXED) > Now() - begun + kGrace) return false;
    return !IsOfOpenMp(caller);
  }

  LAB_UNWATCHED void Pause() {
    const std::uint64_t start = Now();
    std::uint64_t now = start;
    for (; now - start < kPause; now = Now()) syscall(SYS_sched_yield);
    __atomic_fetch_add(&spent_, now - start, __ATOMIC_RELAXED);
  }

 private:
  const unsigned part_;
  std::uint64_t spent_ = 0;
};

// Return addresses of a function's caller and of those that called that, in the same library, which
// keeps frame pointers. 0 behind the last.
inline constexpr std::size_t kMostFrames = 8;
struct Stack {
  std::uintptr_t frames[kMostFrames];
};

// `frame`: __builtin_frame_address(0) of one of our definitions. A few ns.
LAB_UNWATCHED inline Stack CallersOf(const void* frame) {
  constexpr std::uintptr_t kMostBytes = 1 << 16;  // of a frame
  thread_local Extent library;
  Stack stack{};
  auto at = reinterpret_cast<std::uintptr_t>(frame);
  for (std::uintptr_t& address : stack.frames) {
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(at);
    if (&address == stack.frames && !library.contains(words[1])) library = ExtentAround(words[1]);
    if (!library.contains(words[1])) break;
    address = words[1];
    if (words[0] <= at || words[0] - at > kMostBytes || words[0] % sizeof at != 0) break;
    at = words[0];
  }
  return stack;
}

// In a lab's test, a file: see in_process_main.cc.
inline int said_to = STDERR_FILENO;

// Writes to the error output. The C library's functions would be watched: what they access on a
// stack could be taken for a race.
LAB_UNWATCHED inline void Say(const char* text) {
  std::size_t bytes = 0;
  while (text[bytes] != 0) ++bytes;
  syscall(SYS_write, said_to, text, bytes);
}

// In a lab's test, which has no report made of what is said: says the student's lines of a place.
inline void (*say_lines)(std::uintptr_t return_address) = nullptr;

// Says a place as ThreadSanitizer does without a symbolizer.
LAB_UNWATCHED inline void SayFrame(std::uintptr_t return_address) {
  if (say_lines != nullptr) return say_lines(return_address);
  const link_map* const library = LibraryOf(return_address);
  if (library == nullptr) return;
  const char* name = library->l_name;
  for (const char* at = name; *at != 0; ++at) {
    if (*at == '/') name = at + 1;
  }
  char offset[] = "+0x0000000000000000)\n";
  std::uintptr_t rest = return_address - 1 - library->l_addr;
  for (int i = 18; i > 2; --i, rest /= 16) offset[i] = "0123456789abcdef"[rest % 16];
  Say("    #0 <null> <null> (");
  Say(name);
  Say(offset);
}

LAB_UNWATCHED inline void SayStack(const Stack& stack) {
  for (std::size_t i = 0; i < kMostFrames && stack.frames[i] != 0; ++i) SayFrame(stack.frames[i]);
}

inline int reports = 0;
inline bool is_reporting = false;
inline constexpr int kMostReports = 96;  // they are part of what a program may print

// Says what a pause has shown, and where. Not if another thread does just now: two would be mixed
// up.
template <typename SayPlaces>
LAB_UNWATCHED void Report(const char* said, const SayPlaces& say_places) {
  if (reports >= kMostReports || __atomic_exchange_n(&is_reporting, true, __ATOMIC_ACQUIRE)) return;
  ++reports;
  Say(said);
  say_places();
  __atomic_store_n(&is_reporting, false, __ATOMIC_RELEASE);
}

// Says between which two places of this thread another one came.
LAB_UNWATCHED inline void SayBetween(const char* said, const Stack& first, const Stack& second) {
  Report(said, [&]() LAB_UNWATCHED {
    SayStack(first);
    Say("  and\n");
    SayStack(second);
  });
}

// Around mutexes, OpenMP's locks and critical sections:
//
//  - Where a thread locks what it has not unlocked is written to the error output, as it waits for
//    itself.
//  - A thread pauses before it takes its first one: others act between two critical sections. If
//    they had the same one, both places are written to the error output when this thread releases
//    it again: an update in two steps is lost.
//  - It pauses before it releases one, so that others fail to take it without waiting.

inline Pauses before_locks(32);
inline Pauses before_unlocks(32);

// A lock that the thread holds, or waits for, and where it took it.
struct Held {
  const void* lock;
  Stack taken;
};

// The innermost last; locks that are too many are left out. A thread that holds one does not pause
// before it takes another: threads that lock each other out should do so only after ThreadSanitizer
// has seen both orders.
inline constexpr int kMostHeld = 8;
inline thread_local Held held_locks[kMostHeld];
inline thread_local int held = 0;

LAB_UNWATCHED inline void AddHeld(const void* lock, const Stack& taken) {
  if (held < kMostHeld) held_locks[held++] = {lock, taken};
}

// Before the thread waits for another one to end.
void SayHeldAtJoin();

LAB_UNWATCHED inline int FindHeld(const void* lock) {
  int i = held - 1;
  while (i >= 0 && held_locks[i].lock != lock) --i;
  return i;
}

LAB_UNWATCHED inline void DropHeld(const void* lock) {
  int i = FindHeld(lock);
  if (i < 0) return;
  for (--held; i < held; ++i) held_locks[i] = held_locks[i + 1];
}

// How often the locks whose addresses fall to a place were released.
inline std::uint32_t turns[256] = {};

// A lock that the calling thread has released, and where; where it took it again.
struct Released {
  const void* lock = nullptr;
  std::uint32_t turn = 0;
  Stack released{};
  Stack taken{};
};

LAB_UNWATCHED inline std::size_t PlaceOf(const void* lock) {
  const auto address = reinterpret_cast<std::uintptr_t>(lock);
  return (address >> 3 ^ address >> 8) % std::size(turns);
}

LAB_UNWATCHED inline Released& LastReleaseOf(const void* lock) {
  constexpr std::size_t kMost = 4;
  thread_local Released releases[kMost];
  return releases[PlaceOf(lock) % kMost];
}

LAB_UNWATCHED inline std::size_t DepthOf(const Stack& stack) {
  std::size_t depth = 0;
  while (depth < kMostFrames && stack.frames[depth] != 0) ++depth;
  return depth;
}

// Whether the second place is further on in the code of the function that led to both.
LAB_UNWATCHED inline bool IsFurtherOn(const Stack& first, const Stack& second) {
  std::size_t i = DepthOf(first);
  std::size_t j = DepthOf(second);
  while (i > 0 && j > 0 && first.frames[i - 1] == second.frames[j - 1]) --i, --j;
  return i > 0 && j > 0 && first.frames[i - 1] < second.frames[j - 1];
}

// `nests`: whether the thread may have the lock already.
LAB_UNWATCHED inline void BeforeLock(const void* lock, bool nests, bool is_due, const void* frame) {
  if (is_due) before_locks.Pause();
  const Stack taken = CallersOf(frame);
  const int before = FindHeld(lock);
  if (before >= 0 && !nests) SayBetween("WARNING: locked twice\n", held_locks[before].taken, taken);
  AddHeld(lock, taken);
  Released& last = LastReleaseOf(lock);
  if (last.lock == lock) last.taken = taken;
}

// Nobody else releases the lock while this thread has it.
LAB_UNWATCHED inline void BeforeUnlock(const void* lock, const void* frame) {
  const std::uint32_t turn = __atomic_fetch_add(&turns[PlaceOf(lock)], 1, __ATOMIC_RELAXED);
  Released& last = LastReleaseOf(lock);
  // Not where it is taken further up: by another call, or in another turn of a loop.
  if (last.lock == lock && last.turn != turn && IsFurtherOn(last.released, last.taken)) {
    SayBetween("WARNING: locked by another thread\n", last.released, last.taken);
  }
  last = {lock, turn + 1, CallersOf(frame)};
}

}  // namespace lab
