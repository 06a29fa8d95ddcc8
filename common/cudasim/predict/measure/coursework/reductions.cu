// Reductions, with and without atomics.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// The largest of n values and its place.
struct Best {
  float value;
  unsigned at;
};

__device__ Best Better(Best a, Best b) { return b.value > a.value ? b : a; }

__global__ void LargestInterleaved(const float* values, Best* parts) {
  __shared__ Best best[256];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 256 + t;
  best[t] = {values[i], i};
  for (unsigned step = 1; step < 256; step *= 2) {
    __syncthreads();
    if (t % (2 * step) == 0) best[t] = Better(best[t], best[t + step]);
  }
  if (t == 0) parts[blockIdx.x] = best[0];
}

__global__ void LargestOfParts(const Best* parts, Best* result, unsigned n) {
  __shared__ Best best[256];
  const unsigned t = threadIdx.x;
  Best mine = {-1, 0};
  for (unsigned i = t; i < n; i += 256) mine = Better(mine, parts[i]);
  best[t] = mine;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) best[t] = Better(best[t], best[t + half]);
  }
  if (t == 0) *result = best[0];
}

__device__ Best BestOfWarp(Best mine) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    const Best other = {__shfl_down_sync(kAllLanes, mine.value, lanes),
                        __shfl_down_sync(kAllLanes, mine.at, lanes)};
    mine = Better(mine, other);
  }
  return mine;
}

__global__ void LargestShuffle(const float* values, Best* parts, unsigned n) {
  __shared__ Best best[8];
  Best mine = {-1, 0};
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    mine = Better(mine, {values[i], i});
  }
  mine = BestOfWarp(mine);
  if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 1; warp < 8; ++warp) mine = Better(mine, best[warp]);
    parts[blockIdx.x] = mine;
  }
}

struct Values {
  explicit Values(unsigned n)
      : n(n),
        values(Fractions(n)),
        parts(std::make_shared<lab::DeviceArray<Best>>(n / 256 + 1)),
        result(std::make_shared<lab::DeviceArray<Best>>(1)) {}
  std::vector<double> Results() const { return {result->First().value}; }
  unsigned n;
  FloatArray values;
  std::shared_ptr<lab::DeviceArray<Best>> parts, result;
};

// How many readings exceed a limit: an atomic for each that does, for each warp or each block.
__device__ bool Exceeds(unsigned reading) { return reading % 1024 > 700; }

__global__ void CountByThreads(const unsigned* readings, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && Exceeds(readings[i])) atomicAdd(count, 1u);
}

__global__ void CountByWarps(const unsigned* readings, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned found = __ballot_sync(kAllLanes, i < n && Exceeds(readings[i]));
  if (threadIdx.x % 32 == 0 && found != 0) atomicAdd(count, static_cast<unsigned>(__popc(found)));
}

__global__ void CountByBlocks(const unsigned* readings, unsigned* count, unsigned n) {
  unsigned mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (Exceeds(readings[i])) ++mine;
  }
  __shared__ unsigned of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  atomicAdd(&of_block, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, of_block);
}

struct Readings {
  explicit Readings(unsigned n) : n(n), readings(Numbers(n)), count(Room<unsigned>(1)) {}
  std::vector<double> Results() const { return OnHost(count); }
  unsigned n;
  NumberArray readings, count;
};

// How often each of 256 grey values occurs in a picture in which few are frequent.
__global__ void HistogramGlobal(const unsigned char* pixels, unsigned* bins, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[pixels[i]], 1u);
}

__global__ void HistogramPrivate(const unsigned char* pixels, unsigned* bins, unsigned n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    atomicAdd(&mine[pixels[i]], 1u);
  }
  __syncthreads();
  if (mine[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Each warp has bins of its own, each thread reads four pixels at once.
__global__ void HistogramCopies(const uchar4* pixels, unsigned* bins, unsigned n) {
  __shared__ unsigned mine[8][256];
  for (unsigned warp = 0; warp < 8; ++warp) mine[warp][threadIdx.x] = 0;
  __syncthreads();
  unsigned* const of_warp = mine[threadIdx.x / 32];
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 4; i += gridDim.x * 256) {
    const uchar4 four = pixels[i];
    atomicAdd(&of_warp[four.x], 1u);
    atomicAdd(&of_warp[four.y], 1u);
    atomicAdd(&of_warp[four.z], 1u);
    atomicAdd(&of_warp[four.w], 1u);
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned warp = 0; warp < 8; ++warp) sum += mine[warp][threadIdx.x];
  if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}

struct Picture {
  explicit Picture(unsigned n)
      : n(n),
        pixels(Filled<unsigned char>(n,
                                     [](unsigned i) {
                                       const unsigned x = Mixed(i);
                                       return static_cast<unsigned char>(x % 256 * (x / 256 % 256) /
                                                                         256);
                                     })),
        bins(Room<unsigned>(256)) {}
  std::vector<double> Results() const { return OnHost(bins); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> pixels;
  NumberArray bins;
};

// The sums of the 1024 columns of a matrix of n rows.
constexpr unsigned kColumns = 1024;

__global__ void ColumnSumsByThreads(const float* a, float* sums, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned y = 0; y < n; ++y) sum += a[y * kColumns + x];
  sums[x] = sum;
}

// A block for 32 rows of 128 columns.
__global__ void ColumnSumsByAtomics(const float* a, float* sums) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned first = blockIdx.y * 32;
  float sum = 0;
  for (unsigned y = first; y < first + 32; ++y) sum += a[y * kColumns + x];
  atomicAdd(&sums[x], sum);
}

struct Table {
  explicit Table(unsigned n) : n(n), a(Fractions(n * kColumns)), sums(Room<float>(kColumns)) {}
  std::vector<double> Results() const { return OnHost(sums); }
  unsigned n;
  FloatArray a, sums;
};

void RunLargestShuffle(const Values& p) {
  const unsigned blocks = std::min(p.n / 256, 528u);
  LargestShuffle<<<blocks, 256>>>(p.values->data(), p.parts->data(), p.n);
  LargestOfParts<<<1, 256>>>(p.parts->data(), p.result->data(), blocks);
}

void RunLargestInterleaved(const Values& p) {
  LargestInterleaved<<<p.n / 256, 256>>>(p.values->data(), p.parts->data());
  LargestOfParts<<<1, 256>>>(p.parts->data(), p.result->data(), p.n / 256);
}

template <void (*kKernel)(const unsigned*, unsigned*, unsigned)>
void RunCount(const Readings& p) {
  p.count->Fill(0);
  kKernel<<<Blocks(p.n), 256>>>(p.readings->data(), p.count->data(), p.n);
}

void RunCountByBlocks(const Readings& p) {
  p.count->Fill(0);
  CountByBlocks<<<std::min(p.n / 256, 1056u), 256>>>(p.readings->data(), p.count->data(), p.n);
}

void RunHistogramGlobal(const Picture& p) {
  p.bins->Fill(0);
  HistogramGlobal<<<Blocks(p.n), 256>>>(p.pixels->data(), p.bins->data(), p.n);
}

void RunHistogramPrivate(const Picture& p) {
  p.bins->Fill(0);
  HistogramPrivate<<<std::min(p.n / 1024, 528u), 256>>>(p.pixels->data(), p.bins->data(), p.n);
}

void RunHistogramCopies(const Picture& p) {
  p.bins->Fill(0);
  HistogramCopies<<<std::min(p.n / 4096, 528u), 256>>>(
      reinterpret_cast<const uchar4*>(p.pixels->data()), p.bins->data(), p.n);
}

void RunColumnSumsByThreads(const Table& p) {
  ColumnSumsByThreads<<<kColumns / 128, 128>>>(p.a->data(), p.sums->data(), p.n);
}

void RunColumnSumsByAtomics(const Table& p) {
  p.sums->Fill(0);
  ColumnSumsByAtomics<<<dim3(kColumns / 128, p.n / 32), 128>>>(p.a->data(), p.sums->data());
}

}  // namespace

std::vector<Problem> Reductions() {
  return {
      Of<Values>("Largest", {1 << 13, 1 << 18, 1 << 22},
                 {{"interleaved", RunLargestInterleaved}, {"shuffle", RunLargestShuffle}}),
      Of<Readings>("Count", {1 << 12, 1 << 17, 1 << 22},
                   {{"threads", RunCount<CountByThreads>},
                    {"warps", RunCount<CountByWarps>},
                    {"blocks", RunCountByBlocks}}),
      Of<Picture>("Histogram", {1 << 13, 1 << 18, 1 << 22},
                  {{"global", RunHistogramGlobal},
                   {"private", RunHistogramPrivate},
                   {"copies", RunHistogramCopies}}),
      Of<Table>("ColumnSums", {64, 1024, 8192},
                {{"threads", RunColumnSumsByThreads}, {"atomics", RunColumnSumsByAtomics}}),
  };
}

}  // namespace predict::coursework
