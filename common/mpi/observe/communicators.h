#pragma once

// What is known of a communicator.

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace lab::mpi {

struct Communicator {
  int context;             // the same number in all of its ranks, and no other's
  std::vector<int> world;  // of each of its ranks, the rank in the world
  int collectives = 0;     // that this rank has begun in it
};

// The rank in the world of a rank of the communicator; -1 for what is none, such as MPI_ANY_SOURCE.
inline int InWorld(int rank, const Communicator& communicator) {
  return rank < 0 ? -1 : communicator.world[static_cast<std::size_t>(rank)];
}

// MPI_COMM_WORLD are the first `ranks` ranks from now on.
void UseRanks(int ranks);

// The communicator to pass to MPI's own functions: for MPI_COMM_WORLD that of the call's ranks.
MPI_Comm Own(MPI_Comm communicator);

// Reports an invalid handle.
Communicator& Known(MPI_Comm communicator);

// Makes a new communicator known, in each of its ranks. Does nothing for MPI_COMM_NULL.
void Learn(MPI_Comm communicator);
void Forget(MPI_Comm communicator);

// Those that the call did not free.
void FreeCommunicators();

}  // namespace lab::mpi
