// Right, and meant to be fast on a GPU: part 3 has no shared memory for large grids. A warp goes
// along z with a row of 128 cells, four in each thread's registers, loads them by vectors of four
// and passes the ends on by shuffles. The rows beside its own it reads as well: the neighbouring
// warp has just fetched them, so they come from the cache. No barrier, hence no warp waits for
// another one; the slice after the next is on its way while this one is computed. Small grids, and
// rows that are no multiple of four, go through tiles as in the reference.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

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

constexpr int kWarps = 8;                             // of a block
constexpr int kWideRow = 4 * kWide;                   // cells of a warp's row
constexpr int kManySlices = 64;                       // how far a warp goes
constexpr std::size_t kLarge = std::size_t{1} << 18;  // cells that keep a device busy with this

// The cell's sum, if it is an inner one.
__device__ float NextIf(bool is_inner, const Weights& w, float here, float left, float right,
                        float front, float back, float below, float above) {
  const float sum = w.c0 * here + w.c1 * left + w.c2 * right + w.c3 * front + w.c4 * back +
                    w.c5 * below + w.c6 * above;
  return is_inner ? sum : here;
}

// A thread's place: four cells from (x, y) on, and in the rows behind that.
struct Place {
  int x, y, lane;

  // These four cells of row y + r in slice z, or zeros where there are none.
  __device__ float4 Load(const float* in, const Grid& grid, int r, int z) const {
    if (!grid.Has(x, y + r) || !grid.HasSlice(z)) return make_float4(0, 0, 0, 0);
    return *reinterpret_cast<const float4*>(in + grid.Index(x, y + r, z));
  }
  // The one cell beside the warp's row that its first and its last lane need.
  __device__ float LoadEnd(const float* in, const Grid& grid, int r, int z) const {
    const int at = lane == 0 ? x - 1 : x + 4;
    const bool is_end = lane == 0 || lane == kWide - 1;
    return is_end && grid.Has(at, y + r) ? in[grid.Index(at, y + r, z)] : 0;
  }
};

template <int kRows>  // rows of a warp
__global__ void __launch_bounds__(kWide* kWarps)
    RowsKernel(const float* __restrict__ in, float* __restrict__ out, Grid grid, Weights w) {
  const int lane = threadIdx.x;
  const Place place{static_cast<int>(blockIdx.x * kWideRow) + 4 * lane,
                    static_cast<int>(blockIdx.y * kWarps + threadIdx.y) * kRows, lane};
  const int first = blockIdx.z * kManySlices;
  const int end = min(first + kManySlices, grid.depth);
  float4 below[kRows], here[kRows], above[kRows];
  for (int r = 0; r < kRows; ++r) {
    below[r] = place.Load(in, grid, r, first - 1);
    here[r] = place.Load(in, grid, r, first);
    above[r] = place.Load(in, grid, r, first + 1);
  }
  for (int z = first; z < end; ++z) {
    float4 rows[kRows + 2];  // of slice z, with the one in front of these and the one behind
    float4 later[kRows];
    float ends[kRows];
    rows[0] = place.Load(in, grid, -1, z);
    rows[kRows + 1] = place.Load(in, grid, kRows, z);
    for (int r = 0; r < kRows; ++r) {
      rows[r + 1] = here[r];
      ends[r] = place.LoadEnd(in, grid, r, z);
      later[r] = place.Load(in, grid, r, z + 1 < end ? z + 2 : -1);
    }
    for (int r = 0; r < kRows; ++r) {
      const float4 c = rows[r + 1];
      const float4 f = rows[r];
      const float4 b = rows[r + 2];
      const float from_left = __shfl_up_sync(0xffffffff, c.w, 1);
      const float from_right = __shfl_down_sync(0xffffffff, c.x, 1);
      const float left = lane == 0 ? ends[r] : from_left;
      const float right = lane == kWide - 1 ? ends[r] : from_right;
      const int x = place.x;
      const int y = place.y + r;
      const bool is_inner = y > 0 && y < grid.height - 1 && grid.IsInnerSlice(z);
      float4 next;
      next.x = NextIf(is_inner && x > 0, w, c.x, left, c.y, f.x, b.x, below[r].x, above[r].x);
      next.y = NextIf(is_inner, w, c.y, c.x, c.z, f.y, b.y, below[r].y, above[r].y);
      next.z = NextIf(is_inner, w, c.z, c.y, c.w, f.z, b.z, below[r].z, above[r].z);
      next.w = NextIf(is_inner && x + 4 < grid.width, w, c.w, c.z, right, f.w, b.w, below[r].w,
                      above[r].w);
      if (grid.Has(x, y)) *reinterpret_cast<float4*>(out + grid.Index(x, y, z)) = next;
      below[r] = here[r];
      here[r] = above[r];
      above[r] = later[r];
    }
  }
}

template <int kRows>
void StepByRows(const float* in, float* out, const Grid& grid, const Weights& weights,
                cudaStream_t stream) {
  const dim3 block(kWide, kWarps);
  const dim3 blocks(BlocksFor(grid.width, kWideRow), BlocksFor(grid.height, kWarps * kRows),
                    BlocksFor(grid.depth, kManySlices));
  RowsKernel<kRows><<<blocks, block, 0, stream>>>(in, out, grid, weights);
  CUDA_CHECK(cudaGetLastError());
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
  if (grid.IsEmpty()) return;
  if (width % 4 == 0 && in.size() >= kLarge) {
    StepByRows<1>(in.data(), out.data(), grid, weights, stream);
  } else {
    OneStep(in.data(), out.data(), grid, weights, stream);
  }
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
      OneStep(from, to, grid, weights, stream);
    } else {
      TwoSteps(from, to, grid, weights, stream);
    }
    from = to;
  }
}
