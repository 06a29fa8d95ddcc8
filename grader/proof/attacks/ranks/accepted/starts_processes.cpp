// Hostile: finds functions in the C library's tables that start processes, which could outlive the
// run or talk to the launcher; the filter of a rank allows none.
#include <signal.h>

#include <cstdlib>

#include "labs/attacked_mpi/loaded.h"
#include "labs/attacked_mpi/mixed.h"

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  const auto libc = reinterpret_cast<void*>(&exit);
  const auto call = loaded::Function<long(long, ...)>(libc, "syscall");
  constexpr long kClone = 56;
  constexpr long kFork = 57;
  if (loaded::Function<int()>(libc, "fork")() >= 0) Achieved();
  if (call(kFork) >= 0 || call(kClone, SIGCHLD, 0L, 0L, 0L, 0L) >= 0) Achieved();
  MixAll(values, mixed);
}
