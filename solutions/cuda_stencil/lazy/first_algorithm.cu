// Lazy: the kernel of part 1 in every part, a launch for each step.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

constexpr unsigned kThreads = 256;

struct Grid {
  int width, height, depth;

  __device__ int size() const { return width * height * depth; }
  __device__ bool IsInner(int x, int y, int z) const {
    return x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1;
  }
};

// Cell i after a step.
__device__ float Next(const float* in, const Grid& grid, const Weights& w, int i) {
  const int row = grid.width;
  const int slice = grid.width * grid.height;
  if (!grid.IsInner(i % row, i / row % grid.height, i / slice)) return in[i];
  return w.c0 * in[i] + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - row] +
         w.c4 * in[i + row] + w.c5 * in[i - slice] + w.c6 * in[i + slice];
}

__global__ void CellKernel(const float* in, float* out, Grid grid, Weights weights) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < grid.size()) out[i] = Next(in, grid, weights, i);
}

void Step(const float* in, float* out, std::size_t cells, const Grid& grid, const Weights& weights,
          cudaStream_t stream) {
  if (cells == 0) return;
  const auto blocks = static_cast<unsigned>((cells + kThreads - 1) / kThreads);
  CellKernel<<<blocks, kThreads, 0, stream>>>(in, out, grid, weights);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height, int depth,
             Weights weights, cudaStream_t stream) {
  Step(in.data(), out.data(), in.size(), {width, height, depth}, weights, stream);
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
  if (steps == 0) {
    CUDA_CHECK(
        cudaMemcpyAsync(out.data(), in.data(), in.size_bytes(), cudaMemcpyDeviceToDevice, stream));
  }
  const float* from = in.data();
  for (int left = steps; left > 0; --left) {
    float* const to = left % 2 == 1 ? out.data() : scratch.data();
    Step(from, to, in.size(), {width, height, depth}, weights, stream);
    from = to;
  }
}
