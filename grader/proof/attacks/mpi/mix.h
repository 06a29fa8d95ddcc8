#pragma once

#include <cstdint>

#include "common/mpi/local_span.h"
#include "common/mpi/mpi.h"

/// Mixes the values of the rank to the left, which sends them, 64 times with the finaliser of
/// MurmurHash3. Left of rank 0 is the last rank. All ranks of MPI_COMM_WORLD call it.
///
/// @param values  n numbers, the same n >= 0 in each rank, read only.
/// @param mixed   gets the n results; what it holds before is not read.
void Mix(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed);
