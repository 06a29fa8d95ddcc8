#pragma once

// Checkpoints: how tests force a schedule upon the threads that a lab's function starts.
//
// A contract says where threads call lab::Checkpoint(rank). A thread with rank 0 passes. Any other
// is held until all threads that are not held sleep, so until nothing more can happen; then those
// of the lowest rank go on, all at once. So a test that chooses the ranks chooses who comes first,
// whatever the machine does: no outcome depends on time. A thread that waits without sleeping
// keeps the held ones waiting for ever.
//
// Adds nothing to happens-before, so that ThreadSanitizer still finds races between threads that
// were held: its atomics are relaxed, and it calls the kernel directly, since ThreadSanitizer takes
// the C library's functions for synchronisation.

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace lab {
namespace internal {

// A held thread: its rank in the upper half; once it may go on, how many were held. In the lower
// half its thread id, and then a flag. 0 is a free slot.
using Held = std::atomic<std::uint64_t>;
inline constexpr std::size_t kMostHeld = 256;
inline constexpr std::uint64_t kMayGoOn = std::uint64_t{1} << 31;
inline std::array<Held, kMostHeld> held{};

// Threads that sleep for a while only: they are awake.
inline std::atomic<int> napping{0};

inline std::uint64_t RankOf(std::uint64_t slot) { return slot >> 32; }
inline long ThreadOf(std::uint64_t slot) { return static_cast<long>(slot & 0x7fff'ffff); }

inline void SleepABit() {
  timespec time{0, 50'000};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, nullptr);
}

// Lets the other threads do something. To checkpoints the calling thread is awake meanwhile.
inline void Nap() {
  napping.fetch_add(1, std::memory_order_relaxed);
  SleepABit();
  napping.fetch_sub(1, std::memory_order_relaxed);
}

// Sleeps until `slot` is woken, unless its thread may go on; now and then for no reason.
inline void SleepAt(Held& slot, std::uint64_t thread) {
  timespec time{0, 2'000'000};
  syscall(SYS_futex, &slot, FUTEX_WAIT_PRIVATE, static_cast<std::uint32_t>(thread), &time, nullptr,
          0);
}

inline void Wake(Held& slot) {
  syscall(SYS_futex, &slot, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Reads up to `size` bytes of a small file of the kernel; an empty text if there is none.
inline std::string_view ReadFile(const char* path, char* buffer, std::size_t size) {
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const long got = syscall(SYS_read, file, buffer, size);
  syscall(SYS_close, file);
  return {buffer, got > 0 ? static_cast<std::size_t>(got) : 0};
}

// The text between `key` and the end of its line.
inline std::string_view Value(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find('\n'));
}

inline std::uint64_t Number(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

inline bool IsHeld(long thread) {
  for (const Held& slot : held) {
    if (ThreadOf(slot.load(std::memory_order_relaxed)) == thread) return true;
  }
  return false;
}

// Adds to `switches` how often the thread has gone to sleep or been preempted. False if it is
// awake.
inline bool Sleeps(std::string_view thread, std::uint64_t& switches) {
  char path[64] = "/proc/self/task/";
  std::strncat(path, thread.data(), 12);
  std::strcat(path, "/status");
  char buffer[4096];
  const std::string_view status = ReadFile(path, buffer, sizeof(buffer));
  const std::string_view state = Value(status, "\nState:\t");
  if (state.empty() || state[0] == 'Z' || state[0] == 'X') return true;  // it has ended
  switches += Number(thread) * 31 + Number(Value(status, "\nvoluntary_ctxt_switches:\t")) +
              Number(Value(status, "\nnonvoluntary_ctxt_switches:\t"));
  return state[0] == 'S';
}

// The switches of all threads that are not held, if all of them sleep.
inline std::optional<std::uint64_t> SwitchesIfAllSleep() {
  const long folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_CLOEXEC);
  if (folder < 0) {  // in a container that hides /proc: long enough for nearly every machine
    timespec time{0, 20'000'000};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, nullptr);
    return 0;
  }
  const long own = syscall(SYS_gettid);
  std::uint64_t switches = 0;
  bool all_sleep = true;
  alignas(8) char entries[4096];
  long got = 0;
  while (all_sleep && (got = syscall(SYS_getdents64, folder, entries, sizeof(entries))) > 0) {
    for (long at = 0; at < got;) {
      // struct linux_dirent64: the size of the entry lies at 16, its name at 19.
      const char* const name = entries + at + 19;
      std::uint16_t size = 0;
      std::memcpy(&size, entries + at + 16, sizeof(size));
      at += size;
      const long thread = static_cast<long>(Number(name));
      if (thread == 0 || thread == own || IsHeld(thread)) continue;
      all_sleep = all_sleep && Sleeps(name, switches);
    }
  }
  syscall(SYS_close, folder);
  return all_sleep ? std::optional(switches) : std::nullopt;
}

// Whether all threads that are not held slept at one moment. They are read one after the other, so
// one could wake another that was read before; but then one of them has switched between two looks.
inline bool AllSleep() {
  const std::optional<std::uint64_t> first = SwitchesIfAllSleep();
  return first && napping.load(std::memory_order_relaxed) == 0 && SwitchesIfAllSleep() == first;
}

// The slot that decides: the first of those with the lowest rank. Null while a thread that may go
// on has not yet done so.
inline Held* Referee() {
  Held* lowest = nullptr;
  std::uint64_t rank = 0;
  for (Held& slot : held) {
    const std::uint64_t value = slot.load(std::memory_order_relaxed);
    if ((value & kMayGoOn) != 0) return nullptr;
    if (value == 0 || (lowest != nullptr && RankOf(value) >= rank)) continue;
    lowest = &slot;
    rank = RankOf(value);
  }
  return lowest;
}

// Lets all held threads of this rank go on.
inline void LetGo(std::uint64_t rank) {
  std::uint64_t count = 0;
  for (const Held& slot : held) count += slot.load(std::memory_order_relaxed) != 0;
  for (Held& slot : held) {
    const std::uint64_t value = slot.load(std::memory_order_relaxed);
    if (value == 0 || RankOf(value) != rank) continue;
    const auto thread = static_cast<std::uint64_t>(ThreadOf(value));
    slot.store(count << 32 | kMayGoOn | thread, std::memory_order_relaxed);
    Wake(slot);
  }
}

// One of those that are held is the next to decide.
inline void Leave(Held& own) {
  own.store(0, std::memory_order_relaxed);
  for (Held& slot : held) {
    if (slot.load(std::memory_order_relaxed) != 0) Wake(slot);
  }
}

inline Held& TakeSlot(std::uint64_t value) {
  while (true) {
    for (Held& slot : held) {
      std::uint64_t free = 0;
      if (slot.compare_exchange_strong(free, value, std::memory_order_relaxed)) return slot;
    }
    SleepABit();
  }
}

}  // namespace internal

// Returns at once if `rank` is 0. Else holds the calling thread until every other thread of the
// process is held or sleeps, and no held one has a lower rank. At most 256 threads may be held.
// Returns how many threads were held then, this one included; 0 for rank 0.
inline std::uint32_t Checkpoint(std::uint32_t rank) {
  if (rank == 0) return 0;
  const auto thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  internal::Held& own = internal::TakeSlot(std::uint64_t{rank} << 32 | thread);
  while (true) {
    const std::uint64_t value = own.load(std::memory_order_relaxed);
    if ((value & internal::kMayGoOn) != 0) {
      internal::Leave(own);
      return static_cast<std::uint32_t>(internal::RankOf(value));
    }
    if (internal::Referee() != &own) {
      internal::SleepAt(own, thread);
    } else if (!internal::AllSleep()) {
      internal::SleepABit();
    } else if (internal::Referee() == &own) {
      internal::LetGo(rank);
    }
  }
}

}  // namespace lab
