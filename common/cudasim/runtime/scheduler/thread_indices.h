// threadIdx of a block's threads in the order in which they start, without divisions.
#pragma once

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

class ThreadIndices {
 public:
  // Begins a block of this extent.
  void Begin(const dim3& extent) {
    columns_ = extent.x;
    rows_ = extent.y;
    x_ = y_ = z_ = 0;
  }

  // Makes threadIdx that of the next thread.
  void StartNext() {
    // Field by field: a wider load could not be forwarded from the narrow stores before it.
    threadIdx.x = x_;
    threadIdx.y = y_;
    threadIdx.z = z_;
    if (__builtin_expect(++x_ == columns_, 0)) BeginRow();
  }

 private:
  __attribute__((noinline, cold)) void BeginRow() {
    x_ = 0;
    if (++y_ < rows_) return;
    y_ = 0;
    ++z_;
  }

  unsigned columns_ = 0;
  unsigned rows_ = 0;
  unsigned x_ = 0;
  unsigned y_ = 0;
  unsigned z_ = 0;
};

}  // namespace cudasim
