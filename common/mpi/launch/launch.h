#pragma once

// The processes of a message-passing program, all on this machine.

#include <sys/types.h>

#include <functional>
#include <vector>

namespace lab::mpi {

inline constexpr int kMaxRanks = 9;  // a grid of 3 by 3

// Forks `ranks` processes. In each MPI is initialised, then body(rank) is called, whose value is
// the exit status. Returns their process ids once all have been initialised. Throws
// std::runtime_error if one could not be started. Memory that is shared before is shared between
// the ranks. Call it while the process has one thread.
std::vector<pid_t> LaunchRanks(int ranks, const std::function<int(int rank)>& body);

// Ends them at once and waits until they are gone.
void EndRanks(const std::vector<pid_t>& ranks);

}  // namespace lab::mpi
