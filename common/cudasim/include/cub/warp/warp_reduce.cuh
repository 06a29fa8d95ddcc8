// cub::WarpReduce of whole warps: lane 0 gets the result.
#pragma once

#include "../../cooperative_groups/reduce.h"
#include "../two_phase.h"

namespace cub {

template <class T, int kLanes = 32>
class WarpReduce {
  static_assert(kLanes == 32, "cudasim: cub::WarpReduce of parts of a warp is not simulated");

 public:
  struct TempStorage {};

  CUDASIM_INLINE explicit WarpReduce(TempStorage&) {}

  template <class Op>
  CUDASIM_INLINE T Reduce(T value, Op op, CUDASIM_HERE) {
    const auto warp =
        cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    return cooperative_groups::reduce(warp, value, op, file, line);
  }
  CUDASIM_INLINE T Sum(T value, CUDASIM_HERE) { return Reduce(value, cub::Sum(), file, line); }
};

}  // namespace cub
