// cub::BlockReduce of one value for each thread of a block of one dimension.
#pragma once

#include "../two_phase.h"

namespace cub {

// Thread 0 gets the result; __syncthreads() must precede the next use of the storage.
template <class T, int kThreads>
class BlockReduce {
 public:
  struct TempStorage {
    T values[kThreads];
  };

  CUDASIM_INLINE explicit BlockReduce(TempStorage& storage) : values_(storage.values) {}

  template <class Op>
  CUDASIM_INLINE T Reduce(T value, Op op, CUDASIM_HERE) {
    values_[threadIdx.x] = value;
    cudasim::SyncThreads(file, line);
    if (threadIdx.x != 0) return value;
    return cudasim::library::Fold(values_ + 1, kThreads - 1, value, op);
  }
  CUDASIM_INLINE T Sum(T value, CUDASIM_HERE) { return Reduce(value, cub::Sum(), file, line); }

 private:
  T* values_;
};

}  // namespace cub
