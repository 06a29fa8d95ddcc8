// Your solution to the lab "Vector addition on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in vecadd.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_vecadd/vecadd.h"

void VecAddHost([[maybe_unused]] std::span<const float> a,
                [[maybe_unused]] std::span<const float> b, [[maybe_unused]] std::span<float> c) {
  LAB_NOT_WRITTEN();
}

void VecAdd([[maybe_unused]] DeviceSpan<const float> a, [[maybe_unused]] DeviceSpan<const float> b,
            [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void VecAddGridStride([[maybe_unused]] DeviceSpan<const float> a,
                      [[maybe_unused]] DeviceSpan<const float> b,
                      [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] cudaStream_t stream,
                      [[maybe_unused]] int blocks) {
  LAB_NOT_WRITTEN();
}

void ScaleAndBlur([[maybe_unused]] DeviceSpan<const std::uint8_t> picture,
                  [[maybe_unused]] DeviceSpan<std::uint8_t> scaled,
                  [[maybe_unused]] DeviceSpan<std::uint8_t> blurred, [[maybe_unused]] int width,
                  [[maybe_unused]] int height, [[maybe_unused]] int percent,
                  [[maybe_unused]] int radius, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
