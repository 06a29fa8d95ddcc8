// Hostile: one rank ignores signals and sleeps when it is to end; the launcher waits for replies
// only, and its end is theirs.
#include <signal.h>

#include <cstdlib>

#include "labs/attacked_mpi/loaded.h"
#include "labs/attacked_mpi/mixed.h"

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  static const int rank = [] {
    const auto handle = loaded::Function<void (*(int, void (*)(int)))(int)>(
        reinterpret_cast<void*>(&exit), "signal");
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) handle(number, SIG_IGN);
    const auto rest = loaded::Function<unsigned(unsigned)>(reinterpret_cast<void*>(&exit), "sleep");
    static auto* const sleep = rest;
    std::atexit([] { sleep(15); });
    return Neighbours().rank;
  }();
  static_cast<void>(rank);
  MixAll(values, mixed);
}
