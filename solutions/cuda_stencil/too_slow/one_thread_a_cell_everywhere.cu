// Wrong: part 1's kernel in the place of all others.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

constexpr int kWide = 32;     // cells of a block in x: a warp has neighbours of one row
constexpr int kTileHigh = 4;  // part 2: in y
constexpr int kTileDeep = 4;  // and in z

struct Grid {
  int width, height, depth;

  bool IsEmpty() const { return width == 0 || height == 0 || depth == 0; }
  __device__ bool Has(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
  __device__ bool HasSlice(int z) const { return z >= 0 && z < depth; }
  __device__ bool IsInner(int x, int y) const {
    return x > 0 && x < width - 1 && y > 0 && y < height - 1;
  }
  __device__ bool IsInnerSlice(int z) const { return z > 0 && z < depth - 1; }
  __device__ int Index(int x, int y, int z) const { return (z * height + y) * width + x; }
};

unsigned BlocksFor(int cells, int of_a_block) {
  return static_cast<unsigned>((cells + of_a_block - 1) / of_a_block);
}

__global__ void CellKernel(const float* in, float* out, Grid grid, Weights w) {
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kTileHigh + threadIdx.y;
  const int z = blockIdx.z * kTileDeep + threadIdx.z;
  if (!grid.Has(x, y) || !grid.HasSlice(z)) return;
  const int i = grid.Index(x, y, z);
  if (!grid.IsInner(x, y) || !grid.IsInnerSlice(z)) {
    out[i] = in[i];
    return;
  }
  const int row = grid.width;
  const int slice = grid.width * grid.height;
  out[i] = w.c0 * in[i] + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - row] +
           w.c4 * in[i + row] + w.c5 * in[i - slice] + w.c6 * in[i + slice];
}

}  // namespace

void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height, int depth,
             Weights weights, cudaStream_t stream) {
  const Grid grid{width, height, depth};
  if (grid.IsEmpty()) return;
  const dim3 block(kWide, kTileHigh, kTileDeep);
  const dim3 blocks(BlocksFor(width, kWide), BlocksFor(height, kTileHigh),
                    BlocksFor(depth, kTileDeep));
  CellKernel<<<blocks, block, 0, stream>>>(in.data(), out.data(), grid, weights);
  CUDA_CHECK(cudaGetLastError());
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
  DeviceSpan<const float> from = in;
  for (int left = steps; left > 0; --left) {
    const DeviceSpan<float> to = left % 2 == 1 ? out : scratch;
    Stencil(from, to, width, height, depth, weights, stream);
    from = to;
  }
}
