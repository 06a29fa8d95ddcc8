// A resident block: which of its threads run, wait, or are still to start.
#pragma once

#include <cstddef>

#include "common/cudasim/runtime/fiber.h"

namespace cudasim {

struct CheckedBlock;
struct Grid;

struct Block : BlockCursor {
  Grid* grid = nullptr;
  unsigned long long linear = 0;  // x fastest, as blockIdx counts
  uint3 index{};
  char* arena = nullptr;       // shared memory, kArenaBytes
  Site barrier;                // of the threads in at_barrier
  unsigned pauses = 0;         // by spinning threads since the block was last rotated
  int reduced[3] = {0, 1, 0};  // __syncthreads_count, _and, _or
  unsigned readers = 0;        // threads that have read them
  CheckedBlock* checked = nullptr;

  bool Finished() const { return blocked ? live == 0 : next == threads; }
};

// Shared memory of one resident block: every static variable of the program, then dynamic memory.
constexpr std::size_t kArenaBytes = std::size_t{1} << 20;

inline Block* CurrentBlock() { return static_cast<Block*>(current_block); }

// threadIdx as a linear index in the current block.
inline unsigned CurrentThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

}  // namespace cudasim
