// Hostile: finds the profiling interface in MPI's tables and sends by it what is not counted,
// beside one message that is. The observer is in the same process; what is computed is compared
// outside.
#include "labs/attacked_mpi/loaded.h"
#include "labs/attacked_mpi/mixed.h"

void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  const Neighbours all;
  const void* const library = reinterpret_cast<void*>(&MPI_Wtime);
  const auto send = loaded::Function<decltype(PMPI_Send)>(library, "PMPI_Send");
  const auto receive = loaded::Function<decltype(PMPI_Recv)>(library, "PMPI_Recv");
  for (std::size_t i = 0; i < values.size(); ++i) {
    send(&values[i], 1, MPI_UINT32_T, all.right, 0, MPI_COMM_WORLD);
    receive(&mixed[i], 1, MPI_UINT32_T, all.left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MixAll(values, mixed);
}
