// Lazy: a single thread goes through all cells, step by step.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

struct Grid {
  int width, height, depth;

  __host__ __device__ int size() const { return width * height * depth; }
  __host__ __device__ bool IsInner(int x, int y, int z) const {
    return x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1;
  }
};

// Cell i after a step.
__host__ __device__ float Next(const float* in, const Grid& grid, const Weights& w, int i) {
  const int row = grid.width;
  const int slice = grid.width * grid.height;
  if (!grid.IsInner(i % row, i / row % grid.height, i / slice)) return in[i];
  return w.c0 * in[i] + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - row] +
         w.c4 * in[i + row] + w.c5 * in[i - slice] + w.c6 * in[i + slice];
}

__global__ void StepsKernel(const float* in, float* out, float* scratch, Grid grid, Weights weights,
                            int steps) {
  if (steps == 0) {
    for (int i = 0; i < grid.size(); ++i) out[i] = in[i];
  }
  const float* from = in;
  for (int left = steps; left > 0; --left) {
    float* const to = left % 2 == 1 ? out : scratch;
    for (int i = 0; i < grid.size(); ++i) to[i] = Next(from, grid, weights, i);
    from = to;
  }
}

void MakeSteps(DeviceSpan<const float> in, DeviceSpan<float> out, float* scratch, const Grid& grid,
               const Weights& weights, int steps, cudaStream_t stream) {
  StepsKernel<<<1, 1, 0, stream>>>(in.data(), out.data(), scratch, grid, weights, steps);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height, int depth,
             Weights weights, cudaStream_t stream) {
  MakeSteps(in, out, nullptr, {width, height, depth}, weights, 1, stream);
}

void StencilTiled(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                  int depth, Weights weights, cudaStream_t stream) {
  Stencil(in, out, width, height, depth, weights, stream);
}

void StencilSliced(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                   int depth, Weights weights, cudaStream_t stream) {
  Stencil(in, out, width, height, depth, weights, stream);
}

void StencilSteps(DeviceSpan<const float> in, DeviceSpan<float> out, DeviceSpan<float> scratch,
                  int width, int height, int depth, Weights weights, int steps,
                  cudaStream_t stream) {
  MakeSteps(in, out, scratch.data(), {width, height, depth}, weights, steps, stream);
}
