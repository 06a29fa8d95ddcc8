// Hostile: finds kill() in the C library's tables and ends all other ranks and the launcher; a rank
// that dies ends its own submission's run, and signals stay in the jail.
#include <signal.h>

#include <cstdlib>

#include "labs/attacked_mpi/loaded.h"
#include "labs/attacked_mpi/mixed.h"

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  const auto kill = loaded::Function<int(int, int)>(reinterpret_cast<void*>(&exit), "kill");
  if (Neighbours().rank == 0) kill(-1, SIGKILL);
  MixAll(values, mixed);
}
