// Hostile: sends by the names of the profiling interface, which count nothing; they are not among
// the functions that a lab allows.
#include "labs/attacked_mpi/mixed.h"

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  const Neighbours all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    PMPI_Send(&values[i], 1, MPI_UINT32_T, all.right, 0, MPI_COMM_WORLD);
    MPI_Recv(&mixed[i], 1, MPI_UINT32_T, all.left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mixed[i] = Mixed(mixed[i]);
  }
}
