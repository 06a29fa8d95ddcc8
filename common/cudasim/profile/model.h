// The cost of one memory instruction of a warp on an H100: pure functions of the lanes' addresses.
//
// Measured on an NVIDIA H100 80GB HBM3 (tests/profile/testdata); model_test.cc compares every row.
// Shared memory has 32 banks of 4 bytes; a wavefront takes at most one word from each.  Global
// memory moves in sectors of 32 bytes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/access.h"

namespace cudasim {

constexpr unsigned kWarpLanes = 32;
constexpr unsigned kSectorBytes = 32;
constexpr unsigned kLineSectors = 4;

struct WarpAccess {
  Operation operation = Operation::kRead;
  AtomicKind kind = AtomicKind::kAdd;  // of an atomic operation
  bool result_used = true;             // of an atomic operation
  unsigned bytes = 4;                  // per lane, 1 to 16
  std::uint32_t active = 0;            // bit i: lane i takes part
  std::array<std::uint64_t, kWarpLanes> address{};

  bool IsActive(unsigned lane) const { return (active >> lane & 1) != 0; }
};

// Calls visit(sector) for the sectors of each lane, but not twice in a row for one: neighbouring
// lanes mostly share sectors.
template <class Visit>
void ForEachSector(const WarpAccess& access, const Visit& visit) {
  std::uint64_t previous = ~std::uint64_t{0};
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = access.address[static_cast<unsigned>(std::countr_zero(rest))];
    const std::uint64_t last = (address + access.bytes - 1) / kSectorBytes;
    for (std::uint64_t s = address / kSectorBytes; s <= last; ++s) {
      if (s != previous) visit(s);
      previous = s;
    }
  }
}

struct GlobalCost {
  unsigned sectors = 0;        // distinct ones
  unsigned ideal_sectors = 0;  // for contiguous, aligned addresses; at most `sectors`
  unsigned lines = 0;          // distinct lines of the caches, four sectors each
};

struct SharedCost {
  unsigned wavefronts = 0;
  unsigned ideal_wavefronts = 0;
  // As ncu's instruction-level metric counts them: where two groups of a wide load share their
  // wavefronts, it counts each group's, unless one wavefront serves both.
  unsigned sass_wavefronts = 0;
};

// Of the lanes that take part; there is one.
std::uint64_t LowestAddress(const WarpAccess& access);

// True if all lanes take part and neighbours are the same distance apart.
bool HasOneStride(const WarpAccess& access);

// Loads, stores and atomic operations on global memory.
GlobalCost CountGlobal(const WarpAccess& access);

// Loads, stores and atomic operations on shared memory.
SharedCost CountShared(const WarpAccess& access);

// Passes of a load from constant memory: one for each different address.
unsigned CountConstant(const WarpAccess& access);

// The number of lanes at the most frequent address.
unsigned MostContended(const WarpAccess& access);

// Sectors of a global atomic operation as the L1 cache issues them: lanes with equal addresses go
// in separate passes.
struct AtomicPasses {
  unsigned count = 0;
  std::array<std::uint64_t, kWarpLanes> sector{};  // of each pass; numbers of sectors
};
AtomicPasses PassesOf(const WarpAccess& access);

// Whether nvcc combines the operations of a warp's lanes first where it knows their address to be
// the same, so that one lane alone accesses memory: read off the code for sm_90 of nvcc 13.0. Of
// min, max, and, or, xor the results are taken to be unused; nvcc does not combine them otherwise.
bool IsCombinable(const WarpAccess& access);

}  // namespace cudasim
