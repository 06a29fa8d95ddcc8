// Hostile: one rank ends with exit code 0, as if all tests had passed; the checker waits for the
// reply of each rank.
#include <cstdlib>

#include "labs/attacked_mpi/mixed.h"

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  if (Neighbours().rank == 1) exit(0);
  MixAll(values, mixed);
}
