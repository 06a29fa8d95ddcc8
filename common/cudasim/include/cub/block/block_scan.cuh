// cub::BlockScan of one value for each thread of a block of one dimension: sums only.
#pragma once

#include "../two_phase.h"

namespace cub {

// __syncthreads() must precede the next use of the storage.
template <class T, int kThreads>
class BlockScan {
 public:
  struct TempStorage {
    T sums[kThreads];
  };

  CUDASIM_INLINE explicit BlockScan(TempStorage& storage) : sums_(storage.sums) {}

  CUDASIM_INLINE void InclusiveSum(T value, T& result, CUDASIM_HERE) {
    sums_[threadIdx.x] = value;
    cudasim::SyncThreads(file, line);
    if (threadIdx.x == 0) cudasim::library::InclusiveScan(sums_, kThreads, sums_, Sum());
    cudasim::SyncThreads(file, line);
    result = sums_[threadIdx.x];
  }
  CUDASIM_INLINE void InclusiveSum(T value, T& result, T& total, CUDASIM_HERE) {
    InclusiveSum(value, result, file, line);
    total = sums_[kThreads - 1];
  }
  CUDASIM_INLINE void ExclusiveSum(T value, T& result, CUDASIM_HERE) {
    InclusiveSum(value, result, file, line);
    result = threadIdx.x == 0 ? T() : sums_[threadIdx.x - 1];
  }
  CUDASIM_INLINE void ExclusiveSum(T value, T& result, T& total, CUDASIM_HERE) {
    ExclusiveSum(value, result, file, line);
    total = sums_[kThreads - 1];
  }

 private:
  T* sums_;
};

}  // namespace cub
