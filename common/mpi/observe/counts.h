#pragma once

namespace lab::mpi {

// Writes what all ranks of the call have sent, by the names of counters.bzl, to the file that
// LAB_MPI_PROFILE names. Nothing without one. When all have returned.
void WriteCounts();

}  // namespace lab::mpi
