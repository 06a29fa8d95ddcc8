// Right, and the fastest on a GPU: tiles in two buffers, of which the next is fetched while this
// one is used, and 8 x 8 elements in the registers of a thread, shared out warp by warp.
//
// Of a warp the lanes stand 4 x 8, each with pieces of four rows and four columns, so that a piece
// is one load of 16 bytes. Lanes 2 i and 2 i + 1 read the same columns: the hardware then serves
// two quarters of a warp at once. A's tile is stored transposed, with four words of padding: the
// stores of a warp meet 32 banks, whether they come from float4 or single floats.

#include <cuda_runtime.h>

#include <type_traits>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"

namespace {

constexpr int kTile = 16;
constexpr int kWarp = 32;
constexpr int kPiece = 4;            // floats of a float4
constexpr int kLaneRows = 4;         // the lanes of a warp stand in 4 rows
constexpr int kLaneColumns = 8;      // and 8 columns
constexpr int kSectorFloats = 8;     // what is fetched of a row of A together
constexpr int kPadding = kPiece;     // of the rows of A's tile
constexpr int kBlocksForLarge = 96;  // from so many large blocks on they keep a GPU busy

unsigned BlocksFor(int elements, int of_a_block) {
  return static_cast<unsigned>((elements + of_a_block - 1) / of_a_block);
}

__global__ void BasicKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// Element (row, column) of a matrix, and 0 outside of it.
__device__ float At(const float* matrix, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
}

__global__ void TiledKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    a_tile[y][x] = At(a, m, k, row, first + x);
    b_tile[y][x] = At(b, k, n, first + y, column);
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// How a block of threads shares out its part of C. kResident: blocks on a multiprocessor.
template <int rows, int columns, int depth, int warp_rows, int warp_columns, int resident>
struct Plan {
  static constexpr int kRows = rows;  // of the block's part of C
  static constexpr int kColumns = columns;
  static constexpr int kDepth = depth;  // of a tile, along k
  static constexpr int kWarpRows = warp_rows;
  static constexpr int kWarpColumns = warp_columns;
  static constexpr int kWarpsAcross = columns / warp_columns;
  static constexpr int kThreads = rows / warp_rows * kWarpsAcross * kWarp;
  static constexpr int kResident = resident;
  static constexpr int kRowPieces = warp_rows / (kLaneRows * kPiece);  // of a thread
  static constexpr int kColumnPieces = warp_columns / (kLaneColumns * kPiece);
  static constexpr int kThreadRows = kRowPieces * kPiece;
  static constexpr int kThreadColumns = kColumnPieces * kPiece;
};

using Large = Plan<128, 128, 8, 32, 64, 2>;
using Small = Plan<64, 128, 16, 32, 32, 1>;

template <typename P>
struct Tiles {
  alignas(16) float a[P::kDepth][P::kRows + kPadding];
  alignas(16) float b[P::kDepth][P::kColumns];
};

struct Matrices {
  const float* a;
  const float* b;
  float* c;
  int m, k, n;
};

__device__ float4 Four(const float* from) { return *reinterpret_cast<const float4*>(from); }

// What a thread fetches of the next tiles. kFours: widths are multiples of four, so that all that
// is fetched together lies inside or outside. Rows and columns outside are read from the last one,
// and go into elements of C that nobody stores; steps outside, which would go into all, are 0.
template <typename P, bool kFours>
class Fetch {
 public:
  __device__ Fetch(const Matrices& with, int first_row, int first_column) : with_(with) {
#pragma unroll
    for (int p = 0; p < kOfA; ++p) {
      at_a_[p] = min(first_row + RowOfA(p), with.m - 1) * with.k + StepOfA(p);
    }
#pragma unroll
    for (int p = 0; p < kOfB; ++p) {
      at_b_[p] = StepOfB(p) * with.n + min(first_column + ColumnOfB(p), with.n - kWidth);
    }
  }

  // The tiles that begin at `step`. kWhole: none of their steps is outside.
  template <bool kWhole>
  __device__ void Load(int step) {
    const float* const a = with_.a + step;
    const float* const b = with_.b + step * with_.n;
#pragma unroll
    for (int p = 0; p < kOfA; ++p) {
      a_[p] = kWhole || step + StepOfA(p) < with_.k ? Get(a + at_a_[p]) : Value{};
    }
#pragma unroll
    for (int p = 0; p < kOfB; ++p) {
      b_[p] = kWhole || step + StepOfB(p) < with_.k ? Get(b + at_b_[p]) : Value{};
    }
  }

  __device__ void Store(Tiles<P>& tiles) const {
#pragma unroll
    for (int p = 0; p < kOfA; ++p) {
      float* const to = &tiles.a[StepOfA(p)][RowOfA(p)];
      if constexpr (kFours) {
        to[0] = a_[p].x;
        to[P::kRows + kPadding] = a_[p].y;
        to[2 * (P::kRows + kPadding)] = a_[p].z;
        to[3 * (P::kRows + kPadding)] = a_[p].w;
      } else {
        *to = a_[p];
      }
    }
#pragma unroll
    for (int p = 0; p < kOfB; ++p) {
      *reinterpret_cast<Value*>(&tiles.b[StepOfB(p)][ColumnOfB(p)]) = b_[p];
    }
  }

 private:
  using Value = std::conditional_t<kFours, float4, float>;
  static constexpr int kWidth = kFours ? kPiece : 1;
  static constexpr int kLanesOfRow = kSectorFloats / kWidth;
  static constexpr int kOfA = P::kRows * P::kDepth / kWidth / P::kThreads;
  static constexpr int kOfB = P::kColumns * P::kDepth / kWidth / P::kThreads;

  static __device__ Value Get(const float* from) { return *reinterpret_cast<const Value*>(from); }
  static __device__ int Number(int p) { return threadIdx.x + p * P::kThreads; }
  static __device__ int RowOfA(int p) { return Number(p) / kLanesOfRow % P::kRows; }
  static __device__ int StepOfA(int p) {
    return Number(p) % kLanesOfRow * kWidth + Number(p) / (kLanesOfRow * P::kRows) * kSectorFloats;
  }
  static __device__ int ColumnOfB(int p) { return Number(p) * kWidth % P::kColumns; }
  static __device__ int StepOfB(int p) { return Number(p) * kWidth / P::kColumns; }

  Matrices with_;
  int at_a_[kOfA], at_b_[kOfB];  // where in a matrix, from a tile's first step on
  Value a_[kOfA], b_[kOfB];
};

// The first row and column of a thread's elements in its block's part of C.
template <typename P>
struct Place {
  int row, column;

  __device__ Place() {
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    row = warp / P::kWarpsAcross * P::kWarpRows + (lane / 16 * 2 + lane % 2) * kPiece;
    column = warp % P::kWarpsAcross * P::kWarpColumns + lane / 2 % kLaneColumns * kPiece;
  }
  static __device__ int RowOf(int r) { return r / kPiece * (kLaneRows * kPiece) + r % kPiece; }
  static __device__ int ColumnOf(int s) {
    return s / kPiece * (kLaneColumns * kPiece) + s % kPiece;
  }
};

__device__ void Spread(float4 four, float* to) {
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

template <typename P>
__device__ void MultiplyTiles(const Tiles<P>& tiles, const Place<P>& place,
                              float (&sums)[P::kThreadRows][P::kThreadColumns]) {
#pragma unroll
  for (int i = 0; i < P::kDepth; ++i) {
    float y[P::kThreadRows];
    float x[P::kThreadColumns];
#pragma unroll
    for (int r = 0; r < P::kThreadRows; r += kPiece) {
      Spread(Four(&tiles.a[i][place.row + Place<P>::RowOf(r)]), y + r);
    }
#pragma unroll
    for (int s = 0; s < P::kThreadColumns; s += kPiece) {
      Spread(Four(&tiles.b[i][place.column + Place<P>::ColumnOf(s)]), x + s);
    }
#pragma unroll
    for (int r = 0; r < P::kThreadRows; ++r) {
#pragma unroll
      for (int s = 0; s < P::kThreadColumns; ++s) sums[r][s] += y[r] * x[s];
    }
  }
}

// Four elements of a row of C.
template <bool kFours>
__device__ void StorePiece(const Matrices& with, int row, int column, const float* from) {
  if (row >= with.m) return;
  float* const to = with.c + row * with.n + column;
  if constexpr (kFours) {
    if (column < with.n) {
      *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
    }
  } else {
#pragma unroll
    for (int s = 0; s < kPiece; ++s) {
      if (column + s < with.n) to[s] = from[s];
    }
  }
}

template <typename P, bool kFours>
__global__ void __launch_bounds__(P::kThreads, P::kResident) WarpTilesKernel(Matrices with) {
  __shared__ Tiles<P> tiles[2];
  const int first_row = blockIdx.y * P::kRows;
  const int first_column = blockIdx.x * P::kColumns;
  const Place<P> place;
  Fetch<P, kFours> fetch(with, first_row, first_column);
  float sums[P::kThreadRows][P::kThreadColumns] = {};
  fetch.template Load<false>(0);
  fetch.Store(tiles[0]);
  __syncthreads();
  int now = 0;
  for (int step = P::kDepth; step < with.k; step += P::kDepth, now ^= 1) {
    if (step + P::kDepth <= with.k) {
      fetch.template Load<true>(step);
    } else {
      fetch.template Load<false>(step);
    }
    MultiplyTiles(tiles[now], place, sums);
    fetch.Store(tiles[now ^ 1]);
    __syncthreads();
  }
  MultiplyTiles(tiles[now], place, sums);
#pragma unroll
  for (int r = 0; r < P::kThreadRows; ++r) {
#pragma unroll
    for (int s = 0; s < P::kThreadColumns; s += kPiece) {
      StorePiece<kFours>(with, first_row + place.row + Place<P>::RowOf(r),
                         first_column + place.column + Place<P>::ColumnOf(s), &sums[r][s]);
    }
  }
}

template <typename P>
void LaunchWarpTiles(const Matrices& with, cudaStream_t stream) {
  const dim3 grid(BlocksFor(with.n, P::kColumns), BlocksFor(with.m, P::kRows));
  if (with.k % kPiece == 0 && with.n % kPiece == 0) {
    WarpTilesKernel<P, true><<<grid, P::kThreads, 0, stream>>>(with);
  } else {
    WarpTilesKernel<P, false><<<grid, P::kThreads, 0, stream>>>(with);
  }
  CUDA_CHECK(cudaGetLastError());
}

constexpr dim3 kBlock(kTile, kTile);

}  // namespace

void MatMul(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m, int k,
            int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(BlocksFor(n, kTile), BlocksFor(m, kTile));
  BasicKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiledSquare(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                       int n, cudaStream_t stream) {
  MatMulTiled(a, b, c, n, n, n, stream);
}

void MatMulTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m,
                 int k, int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(BlocksFor(n, kTile), BlocksFor(m, kTile));
  TiledKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulRegisterTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                         int m, int k, int n, cudaStream_t stream) {
  if (c.empty()) return;
  const Matrices with{a.data(), b.data(), c.data(), m, k, n};
  if (BlocksFor(m, Large::kRows) * BlocksFor(n, Large::kColumns) >= kBlocksForLarge) {
    LaunchWarpTiles<Large>(with, stream);
  } else {
    LaunchWarpTiles<Small>(with, stream);
  }
}
