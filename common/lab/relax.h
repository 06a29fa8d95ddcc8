#pragma once

// How a lab's threads wait without sleeping: lab::Relax() between two looks at what they wait for.
//
// What it counts lets a test see who waits, how often a thread looked and how long it paused; see
// checkpoint.h. The counts are relaxed atomics, so they add nothing to happens-before.

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lab {

// From so many units on, Relax() also lets another thread have the core.
inline constexpr std::uint32_t kUnitsThatYield = 16;
inline constexpr std::uint32_t kMostUnits = 4096;

// What the calling thread has done since it took its last tally.
struct Tally {
  std::uint32_t looks = 0;   // calls of Relax()
  std::uint64_t units = 0;   // of all these calls
  std::uint32_t writes = 0;  // writes to a lab::Atomic, whether or not they changed it
};

namespace internal {

// A thread's pauses, in a cache line of its own.
struct alignas(64) SpinSlot {
  std::atomic<std::uint32_t> pauses;
  std::atomic<std::uint64_t> units;
};

// By thread id. Threads of one call have neighbouring ids, so no two share a slot.
inline constexpr std::size_t kSpinSlots = 1024;
inline std::array<SpinSlot, kSpinSlots> spin_slots{};

inline std::size_t SpinSlotOf(long thread) { return static_cast<std::size_t>(thread) % kSpinSlots; }

inline SpinSlot& OwnSpinSlot() {
  thread_local SpinSlot* const own = &spin_slots[SpinSlotOf(syscall(SYS_gettid))];
  return *own;
}

inline Tally& OwnTally() {
  thread_local Tally tally;
  return tally;
}

// Tells the processor that this is a loop that waits.
inline void PauseProcessor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

// The units of all threads' pauses so far.
inline std::uint64_t UnitsOfAll() {
  std::uint64_t units = 0;
  for (const SpinSlot& slot : spin_slots) units += slot.units.load(std::memory_order_relaxed);
  return units;
}

}  // namespace internal

// Pauses for `units`, 1 to 4096, of some 10 to 50 ns each. From 16 on, other threads that are ready
// get the core.
inline void Relax(std::uint32_t units) {
  units = std::clamp<std::uint32_t>(units, 1, kMostUnits);
  internal::SpinSlot& own = internal::OwnSpinSlot();
  own.pauses.fetch_add(1, std::memory_order_relaxed);
  own.units.fetch_add(units, std::memory_order_relaxed);
  ++internal::OwnTally().looks;
  internal::OwnTally().units += units;
  for (std::uint32_t unit = 0; unit < units; ++unit) internal::PauseProcessor();
  if (units >= kUnitsThatYield) syscall(SYS_sched_yield);
}

// Returns the calling thread's tally and begins a new one.
inline Tally TakeTally() {
  const Tally tally = internal::OwnTally();
  internal::OwnTally() = Tally{};
  return tally;
}

}  // namespace lab
