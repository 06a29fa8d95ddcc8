#pragma once

// Whether nothing more can happen by itself: every other thread sleeps, or spins in vain.
//
// Adds nothing to happens-before: relaxed atomics, and calls of the kernel that ThreadSanitizer
// does not see.

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "common/lab/relax.h"

namespace lab::internal {

// Threads that sleep for a while only: they are awake.
inline std::atomic<int> napping{0};

// Calls of Checkpoint() so far.
inline std::atomic<std::uint64_t> checkpoints{0};

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

// True at half of the first `most` calls with this count, and at the first if it begins with 0:
// after the sequence of Thue and Morse, so that no loop keeps step with it.
inline bool IsTurn(unsigned& count, unsigned most) {
  return count < most && std::popcount(count++) % 2 == 0;
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

// Whether the thread sleeps. Then adds to `switches` its id, and how often it has gone to sleep or
// been preempted.
inline bool Sleeps(std::string_view thread, std::uint64_t& switches) {
  char path[64] = "/proc/self/task/";
  std::strncat(path, thread.data(), 12);
  std::strcat(path, "/status");
  char buffer[4096];
  const std::string_view status = ReadFile(path, buffer, sizeof(buffer));
  const std::string_view state = Value(status, "\nState:\t");
  if (state.empty() || state[0] == 'Z' || state[0] == 'X') return true;  // it has ended
  if (state[0] != 'S') return false;
  switches += Number(thread) * 31 + Number(Value(status, "\nvoluntary_ctxt_switches:\t")) +
              Number(Value(status, "\nnonvoluntary_ctxt_switches:\t"));
  return true;
}

// What all threads that are not held were doing.
struct Look {
  bool may_all_wait = true;    // each of them sleeps or spins
  std::uint64_t switches = 0;  // of those that sleep
  std::uint64_t checkpoints = 0;
  // Of those that spin.
  std::uint32_t spinning = 0;
  std::array<std::uint32_t, kSpinSlots> pauses{};
};

inline void LookAt(std::string_view name, Look& look) {
  if (Sleeps(name, look.switches)) return;
  const std::size_t slot = SpinSlotOf(static_cast<long>(Number(name)));
  const std::uint32_t pauses = spin_slots[slot].pauses.load(std::memory_order_relaxed);
  look.pauses[slot] = pauses;
  ++look.spinning;
  look.may_all_wait = look.may_all_wait && pauses > 0;
}

// Looks at all threads but the caller's and those for which `is_held` is true.
template <typename IsHeld>
Look LookAtAll(const IsHeld& is_held) {
  Look look;
  look.checkpoints = checkpoints.load(std::memory_order_relaxed);
  const long folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_CLOEXEC);
  if (folder < 0) {  // in a container that hides /proc: long enough for nearly every machine
    timespec time{0, 20'000'000};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, nullptr);
    return look;
  }
  const long own = syscall(SYS_gettid);
  alignas(8) char entries[4096];
  long got = 0;
  while (look.may_all_wait &&
         (got = syscall(SYS_getdents64, folder, entries, sizeof(entries))) > 0) {
    for (long at = 0; at < got;) {
      // struct linux_dirent64: the size of the entry lies at 16, its name at 19.
      const char* const name = entries + at + 19;
      std::uint16_t size = 0;
      std::memcpy(&size, entries + at + 16, sizeof(size));
      at += size;
      const long thread = static_cast<long>(Number(name));
      if (thread != 0 && thread != own && !is_held(thread)) LookAt(name, look);
    }
  }
  syscall(SYS_close, folder);
  look.may_all_wait = look.may_all_wait && napping.load(std::memory_order_relaxed) == 0;
  return look;
}

// Whether each thread that spun at `before` has since tried once more, from one pause to the next.
inline bool HaveTriedAgain(const Look& before, const Look& now) {
  for (std::size_t slot = 0; slot < kSpinSlots; ++slot) {
    if (before.pauses[slot] != 0 && now.pauses[slot] - before.pauses[slot] < 2) return false;
  }
  return true;
}

// Looks until all that spin have tried once more. False if something else happened.
template <typename IsHeld>
bool HaveTriedInVain(const IsHeld& is_held, Look& look) {
  const Look before = look;
  while (true) {
    look = LookAtAll(is_held);
    if (!look.may_all_wait || look.switches != before.switches ||
        look.checkpoints != before.checkpoints || look.spinning != before.spinning) {
      return false;
    }
    if (HaveTriedAgain(before, look)) return true;
    SleepABit();
  }
}

// Whether all threads that are not held wait. They are looked at one after the other, so one could
// wake another that was seen before; but then one of them has switched between two looks. A thread
// that spins waits if it tries in vain twice: a first time, after which none that spins owns what
// the others wait for, as an owner would have come to a checkpoint; and a second time after that.
template <typename IsHeld>
bool AllWait(const IsHeld& is_held) {
  Look look = LookAtAll(is_held);
  return look.may_all_wait && HaveTriedInVain(is_held, look) &&
         (look.spinning == 0 || HaveTriedInVain(is_held, look));
}

// Whether all threads that are not held sleep.
template <typename IsHeld>
bool AllSleep(const IsHeld& is_held) {
  Look look = LookAtAll(is_held);
  return look.may_all_wait && look.spinning == 0 && HaveTriedInVain(is_held, look);
}

}  // namespace lab::internal
