// Your solution to the lab "Stencils on a GPU": this is the only file you edit and hand in. The
// contract, what each function gets and must give, is in stencil.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_stencil/stencil.h"

void Stencil([[maybe_unused]] DeviceSpan<const float> in, [[maybe_unused]] DeviceSpan<float> out,
             [[maybe_unused]] int width, [[maybe_unused]] int height, [[maybe_unused]] int depth,
             [[maybe_unused]] Weights weights, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void StencilTiled([[maybe_unused]] DeviceSpan<const float> in,
                  [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int width,
                  [[maybe_unused]] int height, [[maybe_unused]] int depth,
                  [[maybe_unused]] Weights weights, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void StencilSliced([[maybe_unused]] DeviceSpan<const float> in,
                   [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int width,
                   [[maybe_unused]] int height, [[maybe_unused]] int depth,
                   [[maybe_unused]] Weights weights, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void StencilSteps([[maybe_unused]] DeviceSpan<const float> in,
                  [[maybe_unused]] DeviceSpan<float> out,
                  [[maybe_unused]] DeviceSpan<float> scratch, [[maybe_unused]] int width,
                  [[maybe_unused]] int height, [[maybe_unused]] int depth,
                  [[maybe_unused]] Weights weights, [[maybe_unused]] int steps,
                  [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
