// Wrong: a single step of part 4 goes into a stream of its own, and nobody makes that and the
// caller's wait for each other.

#include <cuda_runtime.h>

#include <algorithm>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

constexpr int kWide = 32;      // cells of a block in x: a warp has neighbours of one row
constexpr int kTileHigh = 4;   // part 2: in y
constexpr int kTileDeep = 4;   // and in z
constexpr int kSliceHigh = 8;  // part 3: in y
constexpr int kSlices = 32;    // parts 3 and 4: how far a block goes along z
constexpr int kPairHigh = 16;  // part 4: threads in y, of which a ring of two has no cell to store
constexpr int kRing = 2;

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

__global__ void TileKernel(const float* in, float* out, Grid grid, Weights w) {
  __shared__ float tile[kTileDeep + 2][kTileHigh + 2][kWide + 2];
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kTileHigh + threadIdx.y;
  const int z = blockIdx.z * kTileDeep + threadIdx.z;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int tz = threadIdx.z + 1;
  const auto load = [&](int dx, int dy, int dz) {
    if (!grid.Has(x + dx, y + dy) || !grid.HasSlice(z + dz)) return;
    tile[tz + dz][ty + dy][tx + dx] = in[grid.Index(x + dx, y + dy, z + dz)];
  };
  load(0, 0, 0);
  if (tx == 1) load(-1, 0, 0);
  if (tx == kWide) load(1, 0, 0);
  if (ty == 1) load(0, -1, 0);
  if (ty == kTileHigh) load(0, 1, 0);
  if (tz == 1) load(0, 0, -1);
  if (tz == kTileDeep) load(0, 0, 1);
  __syncthreads();
  if (!grid.Has(x, y) || !grid.HasSlice(z)) return;
  float next = tile[tz][ty][tx];
  if (grid.IsInner(x, y) && grid.IsInnerSlice(z)) {
    next = w.c0 * next + w.c1 * tile[tz][ty][tx - 1] + w.c2 * tile[tz][ty][tx + 1] +
           w.c3 * tile[tz][ty - 1][tx] + w.c4 * tile[tz][ty + 1][tx] + w.c5 * tile[tz - 1][ty][tx] +
           w.c6 * tile[tz + 1][ty][tx];
  }
  out[grid.Index(x, y, z)] = next;
}

__global__ void SliceKernel(const float* in, float* out, Grid grid, Weights w) {
  __shared__ float tile[kSliceHigh + 2][kWide + 2];
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kSliceHigh + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int first = blockIdx.z * kSlices;
  const int last = min(first + kSlices, grid.depth) - 1;
  const auto cell = [&](int dx, int dy, int z) {
    const bool exists = grid.Has(x + dx, y + dy) && grid.HasSlice(z);
    return exists ? in[grid.Index(x + dx, y + dy, z)] : 0.0f;
  };
  float below = cell(0, 0, first - 1);
  float here = cell(0, 0, first);
  for (int z = first; z <= last; ++z) {
    const float above = cell(0, 0, z + 1);
    tile[ty][tx] = here;
    if (tx == 1) tile[ty][0] = cell(-1, 0, z);
    if (tx == kWide) tile[ty][kWide + 1] = cell(1, 0, z);
    if (ty == 1) tile[0][tx] = cell(0, -1, z);
    if (ty == kSliceHigh) tile[kSliceHigh + 1][tx] = cell(0, 1, z);
    __syncthreads();
    float next = here;
    if (grid.IsInner(x, y) && grid.IsInnerSlice(z)) {
      next = w.c0 * here + w.c1 * tile[ty][tx - 1] + w.c2 * tile[ty][tx + 1] +
             w.c3 * tile[ty - 1][tx] + w.c4 * tile[ty + 1][tx] + w.c5 * below + w.c6 * above;
    }
    if (grid.Has(x, y)) out[grid.Index(x, y, z)] = next;
    __syncthreads();
    below = here;
    here = above;
  }
}

// A slice of a block of part 4, in shared memory.
using PairSlice = float[kPairHigh][kWide];

// The sum for this thread's cell, whose neighbours in x and y are in `slice`.
__device__ float Next(const Weights& w, const PairSlice& slice, float below, float here,
                      float above) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  return w.c0 * here + w.c1 * slice[y][x - 1] + w.c2 * slice[y][x + 1] + w.c3 * slice[y - 1][x] +
         w.c4 * slice[y + 1][x] + w.c5 * below + w.c6 * above;
}

// Whether this thread is not in the ring of `width` around the block.
__device__ bool IsWithin(int width) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  return x >= width && x < kWide - width && y >= width && y < kPairHigh - width;
}

// In each round the block makes the first step for slice z and the second one for slice z - 1.
__global__ void TwoStepsKernel(const float* in, float* out, Grid grid, Weights w) {
  __shared__ PairSlice slice;       // slice z before the first step
  __shared__ PairSlice next_slice;  // slice z - 1 after it
  const int x = blockIdx.x * (kWide - 2 * kRing) + threadIdx.x - kRing;
  const int y = blockIdx.y * (kPairHigh - 2 * kRing) + threadIdx.y - kRing;
  const int first = blockIdx.z * kSlices;
  const int end = min(first + kSlices, grid.depth);
  const bool exists = grid.Has(x, y);
  const bool is_inner = grid.IsInner(x, y);
  const auto cell = [&](int z) {
    return exists && grid.HasSlice(z) ? in[grid.Index(x, y, z)] : 0.0f;
  };
  float below = cell(first - 2);
  float here = cell(first - 1);
  float next_below = 0;
  float next_here = 0;
  for (int z = first - 1; z <= end; ++z) {
    const float above = cell(z + 1);
    slice[threadIdx.y][threadIdx.x] = here;
    next_slice[threadIdx.y][threadIdx.x] = next_here;
    __syncthreads();
    float next_above = here;
    if (is_inner && grid.IsInnerSlice(z) && IsWithin(1)) {
      next_above = Next(w, slice, below, here, above);
    }
    if (exists && IsWithin(kRing) && z > first) {
      float last = next_here;
      if (is_inner && grid.IsInnerSlice(z - 1)) {
        last = Next(w, next_slice, next_below, next_here, next_above);
      }
      out[grid.Index(x, y, z - 1)] = last;
    }
    __syncthreads();
    below = here;
    here = above;
    next_below = next_here;
    next_here = next_above;
  }
}

void OneStep(const float* in, float* out, const Grid& grid, const Weights& weights,
             cudaStream_t stream) {
  const dim3 block(kWide, kSliceHigh);
  const dim3 blocks(BlocksFor(grid.width, kWide), BlocksFor(grid.height, kSliceHigh),
                    BlocksFor(grid.depth, kSlices));
  SliceKernel<<<blocks, block, 0, stream>>>(in, out, grid, weights);
  CUDA_CHECK(cudaGetLastError());
}

void TwoSteps(const float* in, float* out, const Grid& grid, const Weights& weights,
              cudaStream_t stream) {
  const dim3 block(kWide, kPairHigh);
  const dim3 blocks(BlocksFor(grid.width, kWide - 2 * kRing),
                    BlocksFor(grid.height, kPairHigh - 2 * kRing), BlocksFor(grid.depth, kSlices));
  TwoStepsKernel<<<blocks, block, 0, stream>>>(in, out, grid, weights);
  CUDA_CHECK(cudaGetLastError());
}

// A stream, destroyed however the function ends.
struct Stream {
  Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(handle); }
  cudaStream_t handle = nullptr;
};

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
  const Grid grid{width, height, depth};
  if (grid.IsEmpty()) return;
  const dim3 block(kWide, kTileHigh, kTileDeep);
  const dim3 blocks(BlocksFor(width, kWide), BlocksFor(height, kTileHigh),
                    BlocksFor(depth, kTileDeep));
  TileKernel<<<blocks, block, 0, stream>>>(in.data(), out.data(), grid, weights);
  CUDA_CHECK(cudaGetLastError());
}

void StencilSliced(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                   int depth, Weights weights, cudaStream_t stream) {
  const Grid grid{width, height, depth};
  if (!grid.IsEmpty()) OneStep(in.data(), out.data(), grid, weights, stream);
}

void StencilSteps(DeviceSpan<const float> in, DeviceSpan<float> out, DeviceSpan<float> scratch,
                  int width, int height, int depth, Weights weights, int steps,
                  cudaStream_t stream) {
  const Grid grid{width, height, depth};
  if (grid.IsEmpty()) return;
  if (steps == 0) {
    CUDA_CHECK(
        cudaMemcpyAsync(out.data(), in.data(), in.size_bytes(), cudaMemcpyDeviceToDevice, stream));
  }
  const float* from = in.data();
  for (int left = steps; left > 0; left -= std::min(left, 2)) {
    const int launches_left = (left + 1) / 2;
    float* const to = launches_left % 2 == 1 ? out.data() : scratch.data();
    if (left == 1) {
      const Stream other;
      OneStep(from, to, grid, weights, other.handle);
    } else {
      TwoSteps(from, to, grid, weights, stream);
    }
    from = to;
  }
}
