// Your solution to the lab "Reduction on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in reduction.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_reduction/reduction.h"

void SumTile([[maybe_unused]] DeviceSpan<const float> values,
             [[maybe_unused]] DeviceSpan<float> sum, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Sum([[maybe_unused]] DeviceSpan<const float> values, [[maybe_unused]] DeviceSpan<float> sum,
         [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SumCoarsened([[maybe_unused]] DeviceSpan<const float> values,
                  [[maybe_unused]] DeviceSpan<float> sum, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void FirstMaximum([[maybe_unused]] DeviceSpan<const float> values,
                  [[maybe_unused]] std::int64_t first,
                  [[maybe_unused]] DeviceSpan<MaxLocation> maximum,
                  [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
