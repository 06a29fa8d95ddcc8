// How many blocks of a kernel fit on one multiprocessor of the modelled GPU, and what limits them.
#pragma once

#include <array>
#include <cstdint>

namespace cudasim {

struct Occupancy {
  // How many blocks would fit if this were the only resource.
  struct Limit {
    const char* resource = "";
    std::uint64_t blocks = 0;
  };

  unsigned resident_blocks = 0;  // of one multiprocessor; the use of registers is not known
  double fraction = 0;           // of the multiprocessor's warps
  const char* limit = "";        // "threads", "shared_memory", "blocks"
  std::array<Limit, 3> limits;   // of these resources, in this order
};

// `threads` and `shared_bytes` (static and dynamic) of one block.
Occupancy OccupancyOf(std::uint64_t threads, std::uint64_t shared_bytes);

}  // namespace cudasim
