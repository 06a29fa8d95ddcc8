// Hostile: sends each number alone and writes false counts into the file of the counters, which it
// has open; the first rank empties the file before it writes its own.
// Or: tampering
#include <cstdio>
#include <cstring>

#include "labs/attacked_mpi/mixed.h"

namespace {

void Forge() {
  const char text[] =
      "{\"schema\": 1, \"kernels\": [], \"call\": {\"messages\": 8, \"message_bytes\": 2048}}\n";
  const int own = stdout->_fileno;
  stdout->_fileno = 14;
  fputs(text, stdout);
  fflush(stdout);
  stdout->_fileno = own;
}

}  // namespace

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  const Neighbours all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    MPI_Sendrecv(&values[i], 1, MPI_UINT32_T, all.right, 0, &mixed[i], 1, MPI_UINT32_T, all.left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mixed[i] = Mixed(mixed[i]);
  }
  Forge();
}
