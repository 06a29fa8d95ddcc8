// How many blocks of a kernel fit on one multiprocessor of the modelled GPU, and what limits them.
#pragma once

#include <cstdint>

namespace cudasim {

// NVIDIA H100 80GB HBM3 (SXM5), compute capability 9.0: CUDA C++ Programming Guide, table
// "Technical Specifications per Compute Capability".
constexpr unsigned kMultiprocessors = 132;
constexpr unsigned kMultiprocessorThreads = 2048;
constexpr unsigned kMultiprocessorBlocks = 32;
constexpr std::uint64_t kMultiprocessorSharedBytes = std::uint64_t{228} << 10;
constexpr std::uint64_t kReservedSharedBytes = 1024;  // the system's, in every block

struct Occupancy {
  unsigned resident_blocks = 0;  // of one multiprocessor; registers are not known, so not counted
  double fraction = 0;           // of the multiprocessor's warps
  const char* limit = "";        // "threads", "shared_memory", "blocks"
};

// `threads` and `shared_bytes` (static and dynamic) of one block.
Occupancy OccupancyOf(std::uint64_t threads, std::uint64_t shared_bytes);

}  // namespace cudasim
