// The reference: halves eight at a time; blocks of 64 x 64 elements with four warps of 2 x 2
// fragments each; three stages of asynchronous copies; the layer's epilogue from a tile of floats
// in shared memory; attention with a warp for each 16 queries and the running softmax in shared
// memory.

#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>

#include "common/cuda/check.h"
#include "labs/cuda_tensor/tensor.h"

namespace {

namespace wmma = nvcuda::wmma;

constexpr int kPiece = 8;      // halves in 16 bytes
constexpr int kThreads = 128;  // four warps
constexpr int kSide = 64;      // rows and columns of C that a block computes
constexpr int kDepth = 32;     // of its tiles, along k
constexpr int kWarpSide = 32;  // rows and columns of C that a warp computes
constexpr int kStages = 3;

// Rows are padded so that eight of them, 16 bytes each, lie in different banks.
constexpr int kAStride = kDepth + 8;
constexpr int kBStride = kSide + 8;
constexpr int kCStride = kSide + 8;

using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using RightColumns = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

const half* Halves(DeviceSpan<const HalfBits> span) {
  return reinterpret_cast<const half*>(span.data());
}

half* Halves(DeviceSpan<HalfBits> span) { return reinterpret_cast<half*>(span.data()); }

unsigned BlocksFor(int elements, int of_a_block) {
  return static_cast<unsigned>((elements + of_a_block - 1) / of_a_block);
}

using Piece = uint4;  // one access: a struct of half2, which has a copy constructor, takes four

__global__ void AddKernel(half a, const half* x, half* y, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kPiece;
  if (first + kPiece <= n) {
    const Piece from = *reinterpret_cast<const Piece*>(x + first);
    Piece to = *reinterpret_cast<const Piece*>(y + first);
    const half2 both = __half2half2(a);
    const half2* const addends = reinterpret_cast<const half2*>(&from);
    half2* const sums = reinterpret_cast<half2*>(&to);
    for (int i = 0; i < kPiece / 2; ++i) sums[i] = __hfma2(both, addends[i], sums[i]);
    *reinterpret_cast<Piece*>(y + first) = to;
  } else {
    for (int i = first; i < n; ++i) y[i] = __hfma(a, x[i], y[i]);
  }
}

struct Tiles {
  alignas(32) half a[kSide][kAStride];
  alignas(32) half b[kDepth][kBStride];
};

// A warp's 32 x 32 elements of C.
struct WarpSums {
  Sums of[2][2];

  __device__ WarpSums() {
    for (auto& row : of) {
      for (Sums& sums : row) wmma::fill_fragment(sums, 0.0f);
    }
  }

  __device__ void Add(const Tiles& tiles) {
    const int row = threadIdx.x / 64 * kWarpSide;
    const int column = threadIdx.x / 32 % 2 * kWarpSide;
    for (int i = 0; i < kDepth; i += 16) {
      Left left[2];
      Right right[2];
      for (int e = 0; e < 2; ++e) {
        wmma::load_matrix_sync(left[e], &tiles.a[row + 16 * e][i], kAStride);
        wmma::load_matrix_sync(right[e], &tiles.b[i][column + 16 * e], kBStride);
      }
      for (int r = 0; r < 2; ++r) {
        for (int e = 0; e < 2; ++e) wmma::mma_sync(of[r][e], left[r], right[e], of[r][e]);
      }
    }
  }

  // To a matrix whose first element is the block's.
  __device__ void Store(float* to, int stride) const {
    const int row = threadIdx.x / 64 * kWarpSide;
    const int column = threadIdx.x / 32 % 2 * kWarpSide;
    for (int r = 0; r < 2; ++r) {
      for (int e = 0; e < 2; ++e) {
        float* const place = to + (row + 16 * r) * stride + column + 16 * e;
        wmma::store_matrix_sync(place, of[r][e], stride, wmma::mem_row_major);
      }
    }
  }
};

// Calls copy(to, from, row, column) for the pieces of a tile of rows x columns that are this
// thread's.
template <int kRows, int kColumns, int kStride, class Copy>
__device__ void ForEachPiece(half (*tile)[kStride], const Copy& copy) {
  constexpr int kAcross = kColumns / kPiece;
  for (int i = threadIdx.x; i < kRows * kAcross; i += kThreads) {
    const int row = i / kAcross;
    const int column = i % kAcross * kPiece;
    copy(&tile[row][column], row, column);
  }
}

__global__ void __launch_bounds__(kThreads)
    ProductKernel(const half* a, const half* b, float* c, int n, int k) {
  __shared__ Tiles tiles;
  const int row = blockIdx.y * kSide;
  const int column = blockIdx.x * kSide;
  WarpSums sums;
  for (int first = 0; first < k; first += kDepth) {
    ForEachPiece<kSide, kDepth>(tiles.a, [&](half* to, int r, int i) {
      *reinterpret_cast<Piece*>(to) =
          *reinterpret_cast<const Piece*>(a + (row + r) * k + first + i);
    });
    ForEachPiece<kDepth, kSide>(tiles.b, [&](half* to, int i, int e) {
      *reinterpret_cast<Piece*>(to) =
          *reinterpret_cast<const Piece*>(b + (first + i) * n + column + e);
    });
    __syncthreads();
    sums.Add(tiles);
    __syncthreads();
  }
  sums.Store(c + row * n + column, n);
}

// Sixteen bytes of a matrix, or zeros outside of it; 8 divides the number of columns.
__device__ void CopyPiece(half* to, const half* matrix, int rows, int columns, int row,
                          int column) {
  const bool exists = row < rows && column < columns;
  __pipeline_memcpy_async(to, exists ? matrix + row * columns + column : matrix, 16,
                          exists ? 0 : 16);
}

// The block's part of A B, kStages - 1 tiles ahead.
__device__ void Multiply(const half* a, const half* b, int m, int n, int k, Tiles* stages,
                         WarpSums& sums) {
  const int row = blockIdx.y * kSide;
  const int column = blockIdx.x * kSide;
  const int count = (k + kDepth - 1) / kDepth;
  const auto start = [&](int tile) {
    if (tile < count) {
      Tiles& stage = stages[tile % kStages];
      const int first = tile * kDepth;
      ForEachPiece<kSide, kDepth>(
          stage.a, [&](half* to, int r, int i) { CopyPiece(to, a, m, k, row + r, first + i); });
      ForEachPiece<kDepth, kSide>(
          stage.b, [&](half* to, int i, int e) { CopyPiece(to, b, k, n, first + i, column + e); });
    }
    __pipeline_commit();  // an empty batch, too: the number to wait for stays the same
  };
  for (int tile = 0; tile < kStages - 1; ++tile) start(tile);
  for (int tile = 0; tile < count; ++tile) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();  // all have waited for their copies, and used the stage that is filled next
    start(tile + kStages - 1);
    sums.Add(stages[tile % kStages]);
  }
}

__global__ void __launch_bounds__(kThreads)
    PipelinedKernel(const half* a, const half* b, float* c, int m, int n, int k) {
  __shared__ Tiles stages[kStages];
  WarpSums sums;
  Multiply(a, b, m, n, k, stages, sums);
  sums.Store(c + blockIdx.y * kSide * n + blockIdx.x * kSide, n);
}

__device__ float Relu(float z) { return z < 0 ? 0.0f : z; }

__global__ void __launch_bounds__(kThreads)
    LayerKernel(const half* x, const half* w, const float* bias, const half* residual, half* y,
                int m, int n, int k) {
  __shared__ Tiles stages[kStages];
  __shared__ alignas(32) float z[kSide][kCStride];
  WarpSums sums;
  Multiply(x, w, m, n, k, stages, sums);
  sums.Store(&z[0][0], kCStride);
  __syncthreads();
  const int column = blockIdx.x * kSide + threadIdx.x % 32 * 2;
  if (column >= n) return;
  const float2 added = *reinterpret_cast<const float2*>(bias + column);
  for (int r = threadIdx.x / 32; r < kSide; r += kThreads / 32) {
    const int row = blockIdx.y * kSide + r;
    if (row >= m) return;
    const float2 sum = *reinterpret_cast<const float2*>(&z[r][threadIdx.x % 32 * 2]);
    const float2 rest =
        __half22float2(*reinterpret_cast<const half2*>(residual + row * n + column));
    *reinterpret_cast<half2*>(y + row * n + column) =
        __floats2half2_rn(Relu(sum.x + added.x) + rest.x, Relu(sum.y + added.y) + rest.y);
  }
}

constexpr int kKeys = 32;            // in a tile
constexpr int kQueriesOfWarp = 16;   // a warp's rows of O
constexpr int kQueriesOfBlock = 64;  // a block's
constexpr int kSStride = kKeys + 4;  // floats
constexpr int kPStride = kKeys + 8;  // halves
constexpr int kVStride = kHeadSize + 8;

// What a warp keeps for its queries: the scores of a tile, the weights, and in each column of `row`
// a factor for the row, as a fragment.
struct WarpRows {
  alignas(32) float scores[kQueriesOfWarp][kSStride];
  alignas(32) half weights[kQueriesOfWarp][kPStride];
  alignas(32) float factors[kQueriesOfWarp][kQueriesOfWarp + 4];
};

// The softmax so far of a row, which two lanes share.
struct RunningSoftmax {
  float largest = -INFINITY;
  float sum = 0;

  // Turns the scores of `keys` keys into weights relative to the largest score so far. Returns what
  // the sums of earlier tiles are to be multiplied by.
  __device__ float Add(WarpRows& rows, int keys) {
    const int row = threadIdx.x % 32 / 2;
    const int odd = threadIdx.x % 2;
    float top = largest;
    for (int j = odd; j < keys; j += 2) top = fmaxf(top, rows.scores[row][j]);
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, 1));
    float added = 0;
    for (int j = odd; j < kKeys; j += 2) {
      const float weight = j < keys ? expf((rows.scores[row][j] - top) / 8) : 0.0f;
      rows.weights[row][j] = __float2half(weight);
      added += weight;
    }
    added += __shfl_xor_sync(0xffffffff, added, 1);
    const float factor = expf((largest - top) / 8);
    largest = top;
    sum = sum * factor + added;
    return factor;
  }
};

// Multiplies each row of the sums by its lanes' factor: fragments of one type hold the same element
// in the same place.
__device__ void ScaleRows(Sums (&sums)[4], WarpRows& rows, float factor) {
  const int row = threadIdx.x % 32 / 2;
  for (int i = threadIdx.x % 2; i < 16; i += 2) rows.factors[row][i] = factor;
  __syncwarp();
  Sums factors;
  wmma::load_matrix_sync(factors, &rows.factors[0][0], 20, wmma::mem_row_major);
  for (Sums& of : sums) {
    for (int i = 0; i < of.num_elements; ++i) of.x[i] *= factors.x[i];
  }
}

// Sixteen bytes of a row, or zeros behind the last one.
__device__ Piece RowPiece(const half* matrix, int rows, int row, int column) {
  if (row < rows) return *reinterpret_cast<const Piece*>(matrix + row * kHeadSize + column);
  return {0, 0, 0, 0};
}

template <int kRows, int kStride>
__device__ void LoadRows(half (*tile)[kStride], const half* matrix, int rows, int first) {
  ForEachPiece<kRows, kHeadSize>(tile, [&](half* to, int r, int column) {
    const Piece piece = RowPiece(matrix, rows, first + r, column);
    *reinterpret_cast<Piece*>(to) = piece;
  });
}

struct HeadTiles {
  alignas(32) half keys[kKeys][kVStride];
  alignas(32) half values[kKeys][kVStride];
};

__device__ void Score(const Left (&queries)[4], const HeadTiles& tiles, WarpRows& rows) {
  for (int j = 0; j < kKeys; j += 16) {
    Sums scores;
    wmma::fill_fragment(scores, 0.0f);
    for (int i = 0; i < 4; ++i) {
      RightColumns keys;
      wmma::load_matrix_sync(keys, &tiles.keys[j][16 * i], kVStride);
      wmma::mma_sync(scores, queries[i], keys, scores);
    }
    wmma::store_matrix_sync(&rows.scores[0][j], scores, kSStride, wmma::mem_row_major);
  }
  __syncwarp();
}

__device__ void AddValues(Sums (&sums)[4], const HeadTiles& tiles, const WarpRows& rows) {
  for (int j = 0; j < kKeys; j += 16) {
    Left weights;
    wmma::load_matrix_sync(weights, &rows.weights[0][j], kPStride);
    for (int i = 0; i < 4; ++i) {
      Right values;
      wmma::load_matrix_sync(values, &tiles.values[j][16 * i], kVStride);
      wmma::mma_sync(sums[i], weights, values, sums[i]);
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    AttentionKernel(const half* q, const half* k, const half* v, float* o, int n) {
  __shared__ union {
    HeadTiles tiles;
    alignas(32) half queries[kQueriesOfBlock][kVStride];
    alignas(32) float result[kQueriesOfBlock][kHeadSize + 8];
  } shared;
  __shared__ WarpRows all_rows[kThreads / 32];
  const int head = blockIdx.y * n * kHeadSize;
  const int first = blockIdx.x * kQueriesOfBlock;
  const int own = threadIdx.x / 32 * kQueriesOfWarp;
  WarpRows& rows = all_rows[threadIdx.x / 32];

  LoadRows<kQueriesOfBlock>(shared.queries, q + head, n, first);
  __syncthreads();
  Left queries[4];
  Sums sums[4];
  for (int i = 0; i < 4; ++i) {
    wmma::load_matrix_sync(queries[i], &shared.queries[own][16 * i], kVStride);
    wmma::fill_fragment(sums[i], 0.0f);
  }
  RunningSoftmax softmax;
  for (int key = 0; key < n; key += kKeys) {
    __syncthreads();
    LoadRows<kKeys>(shared.tiles.keys, k + head, n, key);
    LoadRows<kKeys>(shared.tiles.values, v + head, n, key);
    __syncthreads();
    Score(queries, shared.tiles, rows);
    ScaleRows(sums, rows, softmax.Add(rows, min(kKeys, n - key)));
    AddValues(sums, shared.tiles, rows);
    __syncwarp();
  }
  ScaleRows(sums, rows, 1 / softmax.sum);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    wmma::store_matrix_sync(&shared.result[own][16 * i], sums[i], kHeadSize + 8,
                            wmma::mem_row_major);
  }
  __syncwarp();
  for (int r = own; r < own + kQueriesOfWarp && first + r < n; ++r) {
    for (int i = threadIdx.x % 32; i < kHeadSize; i += 32) {
      o[head + (first + r) * kHeadSize + i] = shared.result[r][i];
    }
  }
}

}  // namespace

void AddScaled(HalfBits a, DeviceSpan<const HalfBits> x, DeviceSpan<HalfBits> y,
               cudaStream_t stream) {
  if (y.empty()) return;
  const int n = static_cast<int>(y.size());
  AddKernel<<<BlocksFor(n, kThreads * kPiece), kThreads, 0, stream>>>(__ushort_as_half(a),
                                                                      Halves(x), Halves(y), n);
  CUDA_CHECK(cudaGetLastError());
}

void TensorProduct(DeviceSpan<const HalfBits> a, DeviceSpan<const HalfBits> b, DeviceSpan<float> c,
                   int m, int n, int k, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(n / kSide, m / kSide);
  ProductKernel<<<grid, kThreads, 0, stream>>>(Halves(a), Halves(b), c.data(), n, k);
  CUDA_CHECK(cudaGetLastError());
}

void PipelinedProduct(DeviceSpan<const HalfBits> a, DeviceSpan<const HalfBits> b,
                      DeviceSpan<float> c, int m, int n, int k, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(n / kSide, m / kSide);
  PipelinedKernel<<<grid, kThreads, 0, stream>>>(Halves(a), Halves(b), c.data(), m, n, k);
  CUDA_CHECK(cudaGetLastError());
}

void FusedLayer(DeviceSpan<const HalfBits> x, DeviceSpan<const HalfBits> w,
                DeviceSpan<const float> bias, DeviceSpan<const HalfBits> residual,
                DeviceSpan<HalfBits> y, int m, int n, int k, cudaStream_t stream) {
  if (y.empty()) return;
  const dim3 grid(BlocksFor(n, kSide), BlocksFor(m, kSide));
  LayerKernel<<<grid, kThreads, 0, stream>>>(Halves(x), Halves(w), bias.data(), Halves(residual),
                                             Halves(y), m, n, k);
  CUDA_CHECK(cudaGetLastError());
}

void Attention(DeviceSpan<const HalfBits> q, DeviceSpan<const HalfBits> k,
               DeviceSpan<const HalfBits> v, DeviceSpan<float> o, int heads, int n,
               cudaStream_t stream) {
  if (o.empty()) return;
  const dim3 grid(BlocksFor(n, kQueriesOfBlock), heads);
  AttentionKernel<<<grid, kThreads, 0, stream>>>(Halves(q), Halves(k), Halves(v), o.data(), n);
  CUDA_CHECK(cudaGetLastError());
}
