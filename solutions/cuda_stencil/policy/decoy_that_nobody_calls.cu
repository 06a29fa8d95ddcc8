// Wrong: loops on the host, and a kernel in a function that nobody calls.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

void StencilSteps(DeviceSpan<const float> in, DeviceSpan<float> out, DeviceSpan<float>, int width,
                  int height, int depth, Weights w, int steps, cudaStream_t stream) {
  std::vector<float> cells(in.size());
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaMemcpy(cells.data(), in.data(), in.size_bytes(), cudaMemcpyDeviceToHost));
  const std::ptrdiff_t row = width;
  const std::ptrdiff_t slice = row * height;
  for (int step = 0; step < steps; ++step) {
    const std::vector<float> before = cells;
    for (int z = 1; z < depth - 1; ++z) {
      for (int y = 1; y < height - 1; ++y) {
        for (int x = 1; x < width - 1; ++x) {
          const float* const at = before.data() + z * slice + y * row + x;
          cells[at - before.data()] = w.c0 * at[0] + w.c1 * at[-1] + w.c2 * at[1] +
                                      w.c3 * at[-row] + w.c4 * at[row] + w.c5 * at[-slice] +
                                      w.c6 * at[slice];
        }
      }
    }
  }
  CUDA_CHECK(cudaMemcpy(out.data(), cells.data(), out.size_bytes(), cudaMemcpyHostToDevice));
}

void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height, int depth,
             Weights weights, cudaStream_t stream) {
  StencilSteps(in, out, {}, width, height, depth, weights, 1, stream);
}

void StencilTiled(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                  int depth, Weights weights, cudaStream_t stream) {
  StencilSteps(in, out, {}, width, height, depth, weights, 1, stream);
}

void StencilSliced(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                   int depth, Weights weights, cudaStream_t stream) {
  StencilSteps(in, out, {}, width, height, depth, weights, 1, stream);
}

__global__ void DecoyKernel() {}

void LaunchDecoy() { DecoyKernel<<<1, 32>>>(); }
