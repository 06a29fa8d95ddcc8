// Right, and meant to be fast on a GPU: part 4 makes up to four steps in one launch. A block goes
// along z with 64 x 32 cells. In each round it has four slices in the works, one behind the other:
// slice z before the first step, z - 1 after it, z - 2 after the second and z - 3 after the third,
// each with the slice below, all in registers: four rows of two cells for each thread. In x cells
// are passed on by shuffles; in y only the outermost rows of each warp go through shared memory, in
// two copies by turns, so that one barrier a round is enough. A ring of as many cells as there are
// steps is computed for the neighbours' sake and not stored.

#include <cuda_runtime.h>

#include <algorithm>
#include <climits>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

constexpr int kWide = 32;      // cells of a block in x: a warp has neighbours of one row
constexpr int kTileHigh = 4;   // part 2: in y
constexpr int kTileDeep = 4;   // and in z
constexpr int kSliceHigh = 8;  // part 3: in y
constexpr int kSlices = 32;    // parts 3 and 4: how far a block goes along z

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

void OneStep(const float* in, float* out, const Grid& grid, const Weights& weights,
             cudaStream_t stream) {
  const dim3 block(kWide, kSliceHigh);
  const dim3 blocks(BlocksFor(grid.width, kWide), BlocksFor(grid.height, kSliceHigh),
                    BlocksFor(grid.depth, kSlices));
  SliceKernel<<<blocks, block, 0, stream>>>(in, out, grid, weights);
  CUDA_CHECK(cudaGetLastError());
}

constexpr int kMostSteps = 4;  // of one launch
constexpr int kRows = 4;       // of a thread, two cells each
constexpr int kWarps = 8;      // of a block
constexpr int kAtOnce = 264;   // blocks that an H100 holds: two on each multiprocessor
constexpr int kFewestSlices = 32;
constexpr int kBlockWide = 2 * kWide;
constexpr int kBlockHigh = kRows * kWarps;

// The ring in x is even, so that each pair of cells is in it or not.
template <int kSteps>
constexpr int kRingWide = (kSteps + 1) / 2 * 2;

// The place of a thread's cells: pairs at (x, y), (x, y + 1), ...
struct Place {
  int x, y;

  // The pair of row r in slice z, zeros where there are no cells.
  template <bool kAligned>
  __device__ float2 Load(const float* in, const Grid& grid, int r, int z) const {
    float2 pair = make_float2(0, 0);
    if (!grid.HasSlice(z)) return pair;
    if (kAligned) {
      if (grid.Has(x, y + r)) pair = *reinterpret_cast<const float2*>(in + grid.Index(x, y + r, z));
    } else {
      if (grid.Has(x, y + r)) pair.x = in[grid.Index(x, y + r, z)];
      if (grid.Has(x + 1, y + r)) pair.y = in[grid.Index(x + 1, y + r, z)];
    }
    return pair;
  }
  template <bool kAligned>
  __device__ void Store(float* out, const Grid& grid, int r, int z, float2 pair) const {
    if (kAligned) {
      if (grid.Has(x, y + r)) *reinterpret_cast<float2*>(out + grid.Index(x, y + r, z)) = pair;
    } else {
      if (grid.Has(x, y + r)) out[grid.Index(x, y + r, z)] = pair.x;
      if (grid.Has(x + 1, y + r)) out[grid.Index(x + 1, y + r, z)] = pair.y;
    }
  }
};

__device__ float Sum(const Weights& w, float here, float left, float right, float front, float back,
                     float below, float above) {
  return w.c0 * here + w.c1 * left + w.c2 * right + w.c3 * front + w.c4 * back + w.c5 * below +
         w.c6 * above;
}

// The first and the last row of each warp, for each of the slices in the works.
template <int kSteps>
using Edges = float2[kSteps][kWarps][2][kWide];

template <int kSteps, bool kAligned>
__global__ void __launch_bounds__(kWide* kWarps, 2)
    StepsKernel(const float* __restrict__ in, float* __restrict__ out, Grid grid, Weights w,
                int slices) {
  __shared__ Edges<kSteps> both_edges[2];
  constexpr int kRing = kRingWide<kSteps>;
  const int lane = threadIdx.x;
  const int warp = threadIdx.y;
  const int in_block = warp * kRows;  // the thread's first row there
  const Place place{static_cast<int>(blockIdx.x) * (kBlockWide - 2 * kRing) + 2 * lane - kRing,
                    static_cast<int>(blockIdx.y) * (kBlockHigh - 2 * kSteps) + in_block - kSteps};
  const bool stores_pair = lane >= kRing / 2 && lane < kWide - kRing / 2;
  const bool inner_x = place.x > 0 && place.x < grid.width - 1;
  const bool inner_x1 = place.x + 1 > 0 && place.x + 1 < grid.width - 1;
  const int first = blockIdx.z * slices;
  const int end = min(first + slices, grid.depth);
  float2 below[kSteps][kRows] = {};
  float2 here[kSteps][kRows] = {};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    below[0][r] = place.template Load<kAligned>(in, grid, r, first - kSteps);
    here[0][r] = place.template Load<kAligned>(in, grid, r, first - kSteps + 1);
  }
  for (int z = first - kSteps + 1; z < end + kSteps - 1; ++z) {
    float2 above[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) above[r] = place.template Load<kAligned>(in, grid, r, z + 1);
    Edges<kSteps>& edges = both_edges[z & 1];
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      edges[s][warp][0][lane] = here[s][0];
      edges[s][warp][1][lane] = here[s][kRows - 1];
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      const bool inner_z = grid.IsInnerSlice(z - s);
      float2 front = edges[s][max(warp - 1, 0)][1][lane];
      const float2 behind = edges[s][min(warp + 1, kWarps - 1)][0][lane];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float2 c = here[s][r];
        const float2 back = r + 1 < kRows ? here[s][r + 1 < kRows ? r + 1 : r] : behind;
        const float left = __shfl_up_sync(0xffffffff, c.y, 1);
        const float right = __shfl_down_sync(0xffffffff, c.x, 1);
        const int y = place.y + r;
        const bool inner = inner_z && y > 0 && y < grid.height - 1;
        const float next = Sum(w, c.x, left, c.y, front.x, back.x, below[s][r].x, above[r].x);
        const float next1 = Sum(w, c.y, c.x, right, front.y, back.y, below[s][r].y, above[r].y);
        front = c;
        below[s][r] = c;
        // What was above is the next round's slice; what is computed is above for the next step.
        here[s][r] = above[r];
        above[r].x = inner && inner_x ? next : c.x;
        above[r].y = inner && inner_x1 ? next1 : c.y;
      }
    }
    const int done = z - kSteps + 1;
    if (done < first || !stores_pair) continue;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int row = in_block + r;
      if (row < kSteps || row >= kBlockHigh - kSteps) continue;
      place.template Store<kAligned>(out, grid, r, done, above[r]);
    }
  }
}

// How far blocks go along z. Each makes some rounds more than it has slices; all take as long as
// one block, times how often the device must take in new ones.
int SlicesFor(unsigned columns, int depth, int steps) {
  int best = depth;
  unsigned least = UINT_MAX;
  for (int slices = std::min(kFewestSlices, depth); slices <= depth; ++slices) {
    const unsigned turns = BlocksFor(static_cast<int>(columns * BlocksFor(depth, slices)), kAtOnce);
    const unsigned rounds = turns * (slices + 2 * steps);
    if (rounds >= least) continue;
    least = rounds;
    best = slices;
  }
  return best;
}

template <int kSteps>
void LaunchSteps(const float* in, float* out, const Grid& grid, const Weights& weights,
                 cudaStream_t stream) {
  const dim3 block(kWide, kWarps);
  const unsigned in_x = BlocksFor(grid.width, kBlockWide - 2 * kRingWide<kSteps>);
  const unsigned in_y = BlocksFor(grid.height, kBlockHigh - 2 * kSteps);
  const int slices = SlicesFor(in_x * in_y, grid.depth, kSteps);
  const dim3 blocks(in_x, in_y, BlocksFor(grid.depth, slices));
  if (grid.width % 2 == 0) {
    StepsKernel<kSteps, true><<<blocks, block, 0, stream>>>(in, out, grid, weights, slices);
  } else {
    StepsKernel<kSteps, false><<<blocks, block, 0, stream>>>(in, out, grid, weights, slices);
  }
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
  constexpr decltype(&LaunchSteps<1>) kLaunch[kMostSteps] = {LaunchSteps<1>, LaunchSteps<2>,
                                                             LaunchSteps<3>, LaunchSteps<4>};
  const float* from = in.data();
  for (int left = steps; left > 0;) {
    const int launches_left = (left + kMostSteps - 1) / kMostSteps;
    const int now = left - (launches_left - 1) * kMostSteps;
    float* const to = launches_left % 2 == 1 ? out.data() : scratch.data();
    kLaunch[now - 1](from, to, grid, weights, stream);
    from = to;
    left -= now;
  }
}
