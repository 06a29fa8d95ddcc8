#pragma once

// Checkpoints: how tests force a schedule upon the threads that a lab's function starts.
//
// A contract says where threads call lab::Checkpoint(rank). A thread with rank 0 passes. Any other
// is held until all threads that are not held wait, so until nothing more can happen; then those
// of the lowest rank go on, all at once. So a test that chooses the ranks chooses who comes first,
// whatever the machine does: no outcome depends on time. A thread waits if it sleeps, or if it
// spins with lab::Relax() between two looks; whoever owns what it waits for must have come to a
// checkpoint, of any rank. A thread that spins without lab::Relax() keeps the held ones waiting for
// ever.
//
// Adds nothing to happens-before, so that ThreadSanitizer still finds races between threads that
// were held: its atomics are relaxed, and it calls the kernel directly, since ThreadSanitizer takes
// the C library's functions for synchronisation.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "common/lab/quiescence.h"

namespace lab {
namespace internal {

// A held thread: its rank in the upper half; once it may go on, how many were held. In the lower
// half its thread id, and then a flag. 0 is a free slot.
using Held = std::atomic<std::uint64_t>;
inline constexpr std::size_t kMostHeld = 256;
inline constexpr std::uint64_t kMayGoOn = std::uint64_t{1} << 31;
inline std::array<Held, kMostHeld> held{};

// Calls of LetGo() so far.
inline std::atomic<std::uint64_t> releases{0};

inline std::uint64_t RankOf(std::uint64_t slot) { return slot >> 32; }
inline long ThreadOf(std::uint64_t slot) { return static_cast<long>(slot & 0x7fff'ffff); }

// Sleeps until `slot` is woken, unless its thread may go on; now and then for no reason.
inline void SleepAt(Held& slot, std::uint64_t thread) {
  timespec time{0, 2'000'000};
  syscall(SYS_futex, &slot, FUTEX_WAIT_PRIVATE, static_cast<std::uint32_t>(thread), &time, nullptr,
          0);
}

inline void Wake(Held& slot) {
  syscall(SYS_futex, &slot, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

inline bool IsHeld(long thread) {
  for (const Held& slot : held) {
    if (ThreadOf(slot.load(std::memory_order_relaxed)) == thread) return true;
  }
  return false;
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
  releases.fetch_add(1, std::memory_order_relaxed);
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
// process is held or waits, and no held one has a lower rank. At most 256 threads may be held.
// Returns how many threads were held then, this one included; 0 for rank 0.
inline std::uint32_t Checkpoint(std::uint32_t rank) {
  internal::checkpoints.fetch_add(1, std::memory_order_relaxed);
  if (rank == 0) return 0;
  const auto thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  internal::Held& own = internal::TakeSlot(std::uint64_t{rank} << 32 | thread);
  while (true) {
    // If another one was let go since, all waited only until then.
    const std::uint64_t before = internal::releases.load(std::memory_order_relaxed);
    const std::uint64_t value = own.load(std::memory_order_relaxed);
    if ((value & internal::kMayGoOn) != 0) {
      internal::Leave(own);
      return static_cast<std::uint32_t>(internal::RankOf(value));
    }
    if (internal::Referee() != &own) {
      internal::SleepAt(own, thread);
    } else if (!internal::AllWait(internal::IsHeld)) {
      internal::SleepABit();
    } else if (internal::Referee() == &own &&
               internal::releases.load(std::memory_order_relaxed) == before) {
      internal::LetGo(rank);
    }
  }
}

// Returns when other threads have paused for `units` in lab::Relax() since the call, or when all
// of them are held or sleep. Returns at once if `units` is 0.
inline void AwaitPauses(std::uint32_t units) {
  if (units == 0) return;
  const std::uint64_t until = internal::UnitsOfAll() + units;
  while (internal::UnitsOfAll() < until) {
    if (internal::AllSleep(internal::IsHeld)) return;
    internal::SleepABit();
  }
}

}  // namespace lab
