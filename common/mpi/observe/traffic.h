#pragma once

namespace lab::mpi {

// Appends a line of JSON to the file that LAB_MPI_TRAFFIC names: who sent how much to whom in the
// call of `function` that `ranks` have made. Nothing without one.
void AppendTraffic(const char* function, int ranks);

}  // namespace lab::mpi
