// Your solution to the lab "Convolution on a GPU": this is the only file you edit and hand in. The
// contract, what each function gets and must give, is in convolution.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_convolution/convolution.h"

void Convolve([[maybe_unused]] DeviceSpan<const float> in,
              [[maybe_unused]] DeviceSpan<const float> mask, [[maybe_unused]] DeviceSpan<float> out,
              [[maybe_unused]] int width, [[maybe_unused]] int height, [[maybe_unused]] int radius,
              [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ConvolveTiled([[maybe_unused]] DeviceSpan<const float> in,
                   [[maybe_unused]] DeviceSpan<const float> mask,
                   [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int width,
                   [[maybe_unused]] int height, [[maybe_unused]] int radius,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ConvolveCached([[maybe_unused]] DeviceSpan<const float> in,
                    [[maybe_unused]] DeviceSpan<const float> mask,
                    [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int width,
                    [[maybe_unused]] int height, [[maybe_unused]] int radius,
                    [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ConvolveSeparable([[maybe_unused]] DeviceSpan<const float> in,
                       [[maybe_unused]] DeviceSpan<const float> row,
                       [[maybe_unused]] DeviceSpan<const float> column,
                       [[maybe_unused]] DeviceSpan<float> out,
                       [[maybe_unused]] DeviceSpan<float> scratch, [[maybe_unused]] int width,
                       [[maybe_unused]] int height, [[maybe_unused]] int radius,
                       [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ConvolveLarge([[maybe_unused]] DeviceSpan<const float> in,
                   [[maybe_unused]] DeviceSpan<const float> mask,
                   [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int width,
                   [[maybe_unused]] int height, [[maybe_unused]] int radius_x,
                   [[maybe_unused]] int radius_y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ConvolveTexture([[maybe_unused]] DeviceSpan<const float> in,
                     [[maybe_unused]] DeviceSpan<const float> mask,
                     [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int width,
                     [[maybe_unused]] int height, [[maybe_unused]] int radius,
                     [[maybe_unused]] Boundary boundary, [[maybe_unused]] float outside,
                     [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
