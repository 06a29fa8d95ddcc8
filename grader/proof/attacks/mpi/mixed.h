#pragma once

#include <cstdint>

#include "labs/attacked_mpi/mix.h"

// For submissions that do the lab's work and something else: Mix for one number, and for all.
inline std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value = (value ^ value >> 16) * 0x85ebca6b;
    value = (value ^ value >> 13) * 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

struct Neighbours {
  Neighbours() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
  }
  int rank, size, left, right;
};

inline void MixAll(LocalSpan<const std::uint32_t> values, LocalSpan<std::uint32_t> mixed) {
  const Neighbours all;
  const int n = static_cast<int>(values.size());
  MPI_Sendrecv(values.data(), n, MPI_UINT32_T, all.right, 0, mixed.data(), n, MPI_UINT32_T,
               all.left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (std::uint32_t& value : mixed) value = Mixed(value);
}
